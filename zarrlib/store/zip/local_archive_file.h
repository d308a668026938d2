// SPDX-License-Identifier: MIT
#pragma once

#include <functional>
#include <memory>
#include <string>

#include "zarrlib/store/zip/new_zip_store.h"

namespace zarr {

class File;

/// The file of an archive on the local file system. Until it is put in place it has a temporary name. It is created
/// under that name only if nothing, not even a link, has it, and is locked, so that the next archive that is made in
/// the folder removes the file of a process that was killed, and no other one.
class LocalArchiveFile final : public ArchiveFile {
 public:
  /// A file that is to be put in place at `target`, in the same folder.
  explicit LocalArchiveFile(std::string target);
  /// A file in `folder` that is only written and read back; `MakeAnother` calls `make_another` for the file to copy it
  /// to.
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
  /// Locks the file. Returns false if another process has taken it for an abandoned one, and has removed it.
  bool Lock() const;
  /// Throws Error(io) such as "cannot be written: No space left on device". The caller adds the name of the archive.
  [[noreturn]] void Fail(const std::string& what) const;

  std::string target_;
  Maker make_another_;
  std::string path_;  // of the temporary file
  bool in_place_ = false;
  std::unique_ptr<File> file_;
};

}  // namespace zarr
