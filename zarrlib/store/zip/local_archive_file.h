// SPDX-License-Identifier: MIT
#pragma once

#include <functional>
#include <memory>
#include <string>

#include "zarrlib/store/zip/new_zip_store.h"

namespace zarr {

class File;

/// The file of an archive on the local file system. It has a temporary name until it is put in place. It is created
/// only if the name is unused, including by a link, and is locked. When the next archive is created in the folder, it
/// therefore removes the files of killed processes, and no others.
class LocalArchiveFile final : public ArchiveFile {
 public:
  /// Creates a file that will be put in place at `target`, in the same folder.
  explicit LocalArchiveFile(std::string target);
  /// Creates a file in `folder` that is only written and read back. `MakeAnother` calls `make_another` for the file
  /// that it is copied to.
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
  /// Locks the file. Returns false if another process considered it abandoned and has removed it.
  bool Lock() const;
  /// Throws Error(io) such as "cannot be written: No space left on device". The caller adds the name of the archive.
  [[noreturn]] void Fail(const std::string& what) const;

  std::string target_;
  Maker make_another_;
  std::string path_;  // the temporary file
  bool in_place_ = false;
  std::unique_ptr<File> file_;
};

}  // namespace zarr
