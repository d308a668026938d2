// SPDX-License-Identifier: MIT
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

/// A file that an archive is written to. It is removed with the object, unless it was put in place. Used by one thread
/// at a time. All functions throw Error(io); after an error the file must not be used.
class ArchiveFile {
 public:
  virtual ~ArchiveFile() = default;

  virtual void Append(ByteSpan bytes) = 0;
  /// Fills the buffer with the bytes starting at `offset`.
  virtual void ReadAt(std::uint64_t offset, MutableByteSpan buffer) = 0;
  /// Returns true if `PutInPlace` works; it does not for a file in a different location from the archive.
  virtual bool CanBePutInPlace() const = 0;
  /// Creates an empty file that can be put in place; it need not be readable.
  virtual std::unique_ptr<ArchiveFile> MakeAnother() = 0;
  /// Completes the file and moves it to the archive's path. It can still be read.
  virtual void PutInPlace() = 0;
};

/// A store in a new ZIP archive. `Finish` writes the end of the archive, without which it cannot be read. If `Finish`
/// is not called, or fails, or anything fails before it, there is no archive, or still the old one.
///
/// Values are appended to the file in the order of the writes, and are not deflated. Metadata, which often change, are
/// held in memory until `Finish`. Other values stay in memory until later values need the space, because many values
/// are replaced soon.
///
/// A value that is replaced or erased after it was appended leaves unused bytes. If there are any, `Finish` copies the
/// other values to another file, so that the archive has no gaps and contains each name once. `Read` reads from memory
/// or the file, including after `Finish`; then no more changes are possible.
class NewZipStore final : public Store {
 public:
  /// Returns true if the value of a key is held in memory.
  using IsHeld = std::function<bool(std::string_view key)>;
  static constexpr std::uint64_t kPendingLimit = std::uint64_t{16} << 20;

  /// `folder` is the store's folder in the archive, "" for its root; `name` is for messages. At most `pending_limit`
  /// bytes of values wait in memory, not counting metadata.
  NewZipStore(std::string name, const std::string& folder, std::unique_ptr<ArchiveFile> file, IsHeld is_held,
              std::uint64_t pending_limit = kPendingLimit);
  ~NewZipStore() override;

  StoreInfo info() const override { return {.lists = true, .writes = true, .needs_finish = true}; }
  bool Read(const ReadRequest& request) const override;
  std::optional<Listing> List(std::string_view prefix, const ListOptions& options = {}) const override;
  bool Write(std::string_view key, ByteSpan value, WriteIf condition) override;
  void EraseAll(std::span<const std::string> keys) override;
  /// Throws the earlier error again if it has left the file in an unknown state.
  void Finish() override;

 private:
  struct Entry {
    std::unique_ptr<Bytes> held;  // null if the value is in the file
    std::uint64_t size = 0;
    std::uint64_t offset = 0;  // of the local header
    std::uint32_t crc = 0;
    std::int64_t number = 0;  // larger for later values
  };
  struct Pending {
    std::string key;
    std::int64_t number = 0;  // of the entry, unless the entry was replaced
    std::uint64_t size = 0;
  };
  using Entries = std::map<std::string, Entry, std::less<>>;

  // The mutex must be held for all of these functions.
  ZipEntry MakeZipEntry(std::string_view key, const Entry& entry) const;
  void ReadAt(std::string_view key, const Entry& entry, std::uint64_t offset, MutableByteSpan buffer) const;
  /// Throws Error(io) if an error has left the file in an unknown state.
  void CheckSound() const;
  /// Calls CheckSound, and throws Error(read_only) if the archive is complete.
  void CheckUsable() const;
  /// Runs `work` on the file. After any exception, including a lack of memory, no file is put in place.
  template <typename Function>
  void UseFile(std::string_view key, const Function& work);
  void Put(std::string_view key, Entry entry);
  void Append(std::string_view key, ByteSpan value, Entry* entry);
  void Forget(Entries::iterator entry);
  /// Appends the values that have waited longest, until at most `limit` bytes wait.
  void AppendPending(std::uint64_t limit);
  /// Copies the stored values to another file.
  void MoveToAnother();
  void WriteEnd();

  const std::string prefix_;  // of all names in the archive
  const IsHeld is_held_;
  const std::uint64_t pending_limit_;
  const std::unique_ptr<const ZipTime> time_;
  mutable std::mutex mutex_;
  std::unique_ptr<ArchiveFile> file_;  // null after a failure
  bool finished_ = false;
  std::uint64_t size_ = 0;    // of the file
  std::uint64_t unused_ = 0;  // bytes of the file
  std::int64_t clock_ = 0;
  Entries entries_;
  std::deque<Pending> pending_;  // in the order of the writes; some were replaced or erased since
  std::uint64_t pending_bytes_ = 0;
  std::optional<Error> failure_;  // the file error, if known
};

}  // namespace zarr
