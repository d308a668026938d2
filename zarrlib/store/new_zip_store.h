#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>

#include "zarrlib/store/store.h"

namespace zarr {

struct ZipEntry;
struct ZipTime;

/// A file that an archive is written to. Removed when this goes, unless it was put in place. Used by one thread at a
/// time. All functions throw Error(io); after any error the file is not to be used.
class ArchiveFile {
 public:
  virtual ~ArchiveFile() = default;

  virtual void Append(ByteSpan bytes) = 0;
  /// Fills the buffer from `offset` on.
  virtual void ReadAt(std::uint64_t offset, MutableByteSpan buffer) = 0;
  /// Whether `PutInPlace` works: not for a file that is elsewhere than the archive is to be.
  virtual bool CanBePutInPlace() const = 0;
  /// An empty file that can be put in place, but need not be readable.
  virtual std::unique_ptr<ArchiveFile> MakeAnother() = 0;
  /// Completes the file, which thus becomes the archive, in the place of an old one. It can be read on.
  virtual void PutInPlace() = 0;
};

/// A store in a ZIP archive that is being made, and whose end, without which it is none, is written by `Finish`. If
/// that is not called, or anything failed before or in it, there is no archive, or the one that was there before.
///
/// Values are appended to the file in the order in which they come, not deflated. What is known to change, metadata, is
/// held in memory until `Finish`; other values wait there until later ones take some room, since much of what is
/// replaced is replaced soon. The bytes of those that are replaced or erased after that stay unused until `Finish`; if
/// there are any, the others are copied to another file, so that the archive has no gaps and each name once. `Get`
/// answers from the memory or the file, also after `Finish`, but then nothing can be changed.
class NewZipStore final : public Store {
 public:
  /// Which keys are held in memory.
  using IsHeld = std::function<bool(std::string_view key)>;
  static constexpr std::uint64_t kWaitingLimit = std::uint64_t{16} << 20;

  /// `folder` is where in the archive the store stands, "" for its root; `name` is for messages. At most
  /// `pending_limit` bytes of values wait, not counting metadata.
  NewZipStore(std::string name, const std::string& folder, std::unique_ptr<ArchiveFile> file, IsHeld is_held,
              std::uint64_t pending_limit = kWaitingLimit);
  ~NewZipStore() override;

  std::string name() const override { return name_; }
  StoreCapabilities capabilities() const override;
  bool Get(std::string_view key, Bytes* value, VersionStamp* stamp, std::uint64_t max_size) const override;
  bool GetRanges(std::string_view key, std::span<const ByteRange> ranges, std::span<const MutableByteSpan> buffers,
                 VersionStamp* stamp) const override;
  bool GetSuffix(std::string_view key, std::uint64_t length, Bytes* value, VersionStamp* stamp) const override;
  bool Exists(std::string_view key) const override;
  std::optional<Listing> List(std::string_view prefix) const override;
  void Set(std::string_view key, ByteSpan value) override;
  void Erase(std::string_view key) override;
  /// After an error that has left the file in no known state, throws that again.
  void Finish() override;

 private:
  struct Entry {
    std::unique_ptr<Bytes> held;  // null for what stands in the file
    std::uint64_t size = 0;
    std::uint64_t offset = 0;  // of the local header
    std::uint32_t crc = 0;
    std::int64_t number = 0;  // counts what was set
  };
  struct Waiting {
    std::string key;
    std::int64_t number = 0;  // that of the entry, unless this was replaced
    std::uint64_t size = 0;
  };
  using Entries = std::map<std::string, Entry, std::less<>>;

  // All with the mutex held.
  const Entry* FindEntry(std::string_view key, VersionStamp* stamp) const;
  ZipEntry RecordOf(std::string_view key, const Entry& entry) const;
  void Read(std::string_view key, const Entry& entry, std::uint64_t offset, MutableByteSpan buffer) const;
  /// Throws Error(io) if an error has left the file in no known state.
  void CheckSound() const;
  /// As CheckSound; Error(read_only) when the archive is complete.
  void CheckUsable() const;
  /// Runs `work` on the file. After an exception of any kind, out of memory too, nothing is put in place.
  template <typename Function>
  void UseFile(std::string_view key, const Function& work);
  void Append(std::string_view key, ByteSpan value, Entry* entry);
  void Forget(Entries::iterator entry);
  /// Appends the values that have waited longest, until no more than that many bytes wait.
  void AppendWaiting(std::uint64_t limit);
  /// Copies what is stored to another file.
  void MoveToAnother();
  void WriteEnd();

  const std::string name_;
  const std::string prefix_;  // of all names in the archive
  const IsHeld is_held_;
  const std::uint64_t waiting_limit_;
  const std::unique_ptr<const ZipTime> time_;
  mutable std::mutex mutex_;
  std::unique_ptr<ArchiveFile> file_;  // null after a failure
  bool finished_ = false;
  std::uint64_t size_ = 0;    // of the file
  std::uint64_t unused_ = 0;  // bytes of the file
  std::int64_t clock_ = 0;
  Entries entries_;
  std::deque<Waiting> waiting_;  // in the order in which they came; some of them are replaced or erased
  std::uint64_t waiting_bytes_ = 0;
  std::optional<Error> failure_;  // that of the file, if it is known
};

}  // namespace zarr
