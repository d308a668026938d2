// SPDX-License-Identifier: MIT
#include "zarrlib/store/zip/local_archive_file.h"

#include <cerrno>
#include <system_error>
#include <utility>

#include "zarrlib/base/system/file_names.h"
#include "zarrlib/base/system/locks.h"
#include "zarrlib/store/files/filesystem_tree.h"
#include "zarrlib/store/files/paths.h"
#include "zarrlib/store/temporary_names.h"

namespace zarr {
namespace {

std::string MakeArchiveName() {
  return std::string(kArchivePrefix) + MakeTemporaryName().substr(kTemporaryPrefix.size());
}

/// The folder of an archive does not belong to this library, so no other temporary files are removed there. Failing to
/// remove the files of a killed process is not an error.
void EraseAbandonedArchives(const std::string& folder) {
  try {
    EraseAbandonedFiles(folder, [](std::string_view name) { return IsMadeName(name, kArchivePrefix); });
  } catch (const Error&) {
    // The folder may not be listable.
  }
}

}  // namespace

LocalArchiveFile::LocalArchiveFile(std::string target) : target_(std::move(target)) {
  Open(GetParent(target_));
}

LocalArchiveFile::LocalArchiveFile(const std::string& folder, Maker make_another)
    : make_another_(std::move(make_another)) {
  Open(folder);
}

LocalArchiveFile::~LocalArchiveFile() {
  if (!in_place_ && file_ && file_->is_open()) RemoveFile(path_);
}

void LocalArchiveFile::Open(const std::string& folder) {
  EraseAbandonedArchives(folder);
  do {
    path_ = folder + "/" + MakeArchiveName();
    file_ = std::make_unique<File>(MakeFile(path_));
  } while (file_->is_open() ? !Lock() : errno == EEXIST);
  if (!file_->is_open()) Fail("cannot be created");
}

bool LocalArchiveFile::Lock() const {
  LockFile(*file_, true);
  const auto status = GetStatus(*file_);
  return !status || status->names > 0;
}

void LocalArchiveFile::Fail(const std::string& what) const {
  const std::string reason = std::generic_category().message(errno);
  throw Error(ErrorKind::kIo, (make_another_ ? path_ + ": " : "") + what + ": " + reason);
}

void LocalArchiveFile::Append(ByteSpan bytes) {
  if (!zarr::Append(*file_, bytes)) Fail("cannot be written");
}

void LocalArchiveFile::ReadAt(std::uint64_t offset, MutableByteSpan buffer) {
  while (!buffer.empty()) {
    const std::int64_t count = zarr::ReadAt(*file_, offset, buffer);
    if (count < 0) Fail("what was written cannot be read");
    if (count == 0) throw Error(ErrorKind::kIo, "what was written cannot be read: the file has been cut");
    buffer = buffer.subspan(static_cast<std::size_t>(count));
    offset += static_cast<std::uint64_t>(count);
  }
}

std::unique_ptr<ArchiveFile> LocalArchiveFile::MakeAnother() {
  return make_another_ ? make_another_() : std::make_unique<LocalArchiveFile>(target_);
}

void LocalArchiveFile::PutInPlace() {
  if (!FinishWrites(*file_)) Fail("cannot be written");
  if (!Rename(path_, target_)) Fail("cannot be put in place");
  in_place_ = true;
}

}  // namespace zarr
