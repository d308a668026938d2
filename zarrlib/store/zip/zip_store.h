// SPDX-License-Identifier: MIT
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>

#include "zarrlib/store/store.h"

namespace zarr {

struct ZipFile;

/// A folder in a ZIP archive that is a value of another store. Read-only; NewZipStore creates archives.
///
/// The archive's table of contents is read once, and again when the archive has been replaced. So the store knows
/// without a request which keys are absent. Of several files with one name, the last one counts. Files are stored or
/// deflated; ranges of stored files are read separately.
///
/// An absent archive has no keys. Errors: corrupt for bytes that are not an archive and for a wrong checksum,
/// unsupported for encryption and for other compression methods.
class ZipStore final : public Store {
 public:
  /// `folder` is the store's folder in the archive, "" for its root; `name` is for messages.
  ZipStore(std::string name, std::shared_ptr<const Store> archives, std::string archive_key, const std::string& folder);
  ~ZipStore() override;

  std::string identity() const override;
  StoreInfo info() const override;
  bool Read(const ReadRequest& request) const override;
  std::optional<Listing> List(std::string_view prefix, const ListOptions& options = {}) const override;
  bool Write(std::string_view key, ByteSpan value, WriteIf condition) override;
  void EraseAll(std::span<const std::string> keys) override;
  const StoreRequests* requests() const override;

 private:
  struct Content;  // for one state of the archive
  struct LastLook;
  class Requests;

  /// Returns the known content; reads it again if it is `outdated`.
  std::shared_ptr<const Content> Look(const Content* outdated = nullptr) const;
  /// Sets the archive's stamp as soon as it is known.
  std::shared_ptr<const Content> ReadContent(VersionStamp* stamp) const;
  /// Calls `use(content, file)`, and again with new content while it returns false because the archive was replaced.
  /// Returns false if there is no such file. Adds the store's name and the key to errors.
  template <typename Use>
  bool RunWithFile(std::string_view key, const Use& use) const;
  const ZipFile* Find(const Content& content, std::string_view key) const;
  [[noreturn]] void FailReadOnly(std::string_view key) const;

  /// The following functions return false if the archive has been replaced.
  bool ReadArchive(const Content& content, std::span<const ByteRange> ranges,
                   std::span<const MutableByteSpan> buffers) const;
  bool ReadStored(const Content& content, const ZipFile& file, std::span<const ByteRange> ranges,
                  std::span<const MutableByteSpan> buffers) const;
  /// Reads a file's bytes as they are in the archive.
  bool ReadPacked(const Content& content, const ZipFile& file, Bytes* packed) const;
  bool ReadWhole(const Content& content, const ZipFile& file, Bytes* value) const;
  bool ReadPart(const Content& content, const ZipFile& file, const ReadRequest& request) const;
  /// Inflates a whole deflated file; only the bytes of the ranges are kept in memory.
  bool ReadDeflated(const Content& content, const ZipFile& file, std::span<const ByteRange> ranges,
                    std::span<const MutableByteSpan> buffers) const;

  const std::shared_ptr<const Store> archives_;
  const std::string archive_key_;
  const std::string prefix_;  // of all names in the archive
  const std::unique_ptr<LastLook> last_look_;
  const std::unique_ptr<Requests> requests_;
};

}  // namespace zarr
