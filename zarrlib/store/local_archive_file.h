#pragma once

#include <functional>
#include <memory>
#include <string>

#include "zarrlib/store/new_zip_store.h"

namespace zarr {

class File;

/// An archive's file on the local file system. Until it is put in place it has a temporary name, under which no other
/// file is opened or followed to, whoever made one.
class LocalArchiveFile final : public ArchiveFile {
 public:
  /// To be put in place at `target`, in whose folder it is.
  explicit LocalArchiveFile(std::string target);
  /// A file in `folder` that is only written and read, and then copied by `MakeAnother`: `make_another` is called.
  using Maker = std::function<std::unique_ptr<ArchiveFile>()>;
  LocalArchiveFile(const std::string& folder, Maker make_another);
  ~LocalArchiveFile() override;

  void Append(ByteSpan bytes) override;
  void ReadAt(std::uint64_t offset, MutableByteSpan buffer) override;
  bool CanBePutInPlace() const override { return !make_another_; }
  std::unique_ptr<ArchiveFile> MakeAnother() override;
  void PutInPlace() override;

 private:
  void Open(const std::string& folder);
  /// Throws Error(io): "cannot be written: No space left on device". The archive is named by the caller.
  [[noreturn]] void Fail(const std::string& what) const;

  std::string target_;
  Maker make_another_;
  std::string path_;  // of the temporary file
  bool in_place_ = false;
  std::unique_ptr<File> file_;
};

}  // namespace zarr
