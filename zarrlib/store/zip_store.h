#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>

#include "zarrlib/store/store.h"

namespace zarr {

struct ZipFile;

/// A folder in a ZIP archive that is a value of another store. Takes no writes: NewZipStore makes archives.
///
/// The archive's table of contents is read once, and again when the archive has been replaced. So it is known without a
/// look at the archive what is absent. Where a name is there more than once, the last one is meant. Files are stored or
/// deflated; ranges of those that are stored are read alone.
///
/// An archive that is absent holds nothing. What is no archive, is encrypted, compressed in another way, or does not
/// have the checksum that it should, is Error(corrupt) or Error(unsupported).
class ZipStore final : public Store {
 public:
  /// `folder` is where in the archive the store stands, "" for its root; `name` is for messages.
  ZipStore(std::string name, std::shared_ptr<const Store> archives, std::string archive_key, const std::string& folder);
  ~ZipStore() override;

  std::string name() const override { return name_; }
  std::string identity() const override;
  bool KeepsIdentity() const override { return archives_->KeepsIdentity(); }
  StoreCapabilities capabilities() const override;
  bool Get(std::string_view key, Bytes* value, VersionStamp* stamp, std::uint64_t max_size) const override;
  bool GetRanges(std::string_view key, std::span<const ByteRange> ranges, std::span<const MutableByteSpan> buffers,
                 VersionStamp* stamp) const override;
  bool GetSuffix(std::string_view key, std::uint64_t length, Bytes* value, VersionStamp* stamp) const override;
  bool Exists(std::string_view key) const override;
  bool GetStamp(std::string_view key, VersionStamp* stamp) const override;
  std::optional<std::uint64_t> UnpackedSize(std::string_view key) const override;
  std::optional<Listing> List(std::string_view prefix) const override;
  void Set(std::string_view key, ByteSpan value) override;
  void Erase(std::string_view key) override;

 private:
  struct Content;  // the archive's, at one state of it
  struct LastLook;

  /// That of the last look; with `outdated`, of a new one if that was the last.
  std::shared_ptr<const Content> Look(const Content* outdated = nullptr) const;
  std::shared_ptr<const Content> ReadContent() const;
  /// Calls `use(content, file)`, which returns false if the archive is not any more what it was, until that is not so.
  /// Returns false if there is no such file. Errors get the store's name and the key.
  template <typename Use>
  bool WithFile(std::string_view key, const Use& use) const;
  const ZipFile* Find(const Content& content, std::string_view key) const;

  /// These return false if the archive has been replaced.
  bool ReadArchive(const Content& content, std::span<const ByteRange> ranges,
                   std::span<const MutableByteSpan> buffers) const;
  bool ReadStored(const Content& content, const ZipFile& file, std::span<const ByteRange> ranges,
                  std::span<const MutableByteSpan> buffers) const;
  /// A file's bytes as they are in the archive.
  bool ReadPacked(const Content& content, const ZipFile& file, Bytes* packed) const;
  bool ReadWhole(const Content& content, const ZipFile& file, Bytes* value) const;
  /// Unpacks a deflated file from its beginning to its end; what is not wanted of it is never in memory.
  bool ReadDeflated(const Content& content, const ZipFile& file, std::span<const ByteRange> ranges,
                    std::span<const MutableByteSpan> buffers) const;

  const std::string name_;
  const std::shared_ptr<const Store> archives_;
  const std::string archive_key_;
  const std::string prefix_;  // of all names in the archive
  const std::unique_ptr<LastLook> last_look_;
};

}  // namespace zarr
