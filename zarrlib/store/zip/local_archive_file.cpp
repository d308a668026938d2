// SPDX-License-Identifier: MIT
#include "zarrlib/store/zip/local_archive_file.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>

#include <cstdio>
#include <system_error>
#include <utility>

#include "zarrlib/store/os/filesystem_tree.h"
#include "zarrlib/store/os/posix_file.h"
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
  if (!in_place_ && file_ && file_->get() >= 0) ::unlink(path_.c_str());
}

void LocalArchiveFile::Open(const std::string& folder) {
  EraseAbandonedArchives(folder);
  do {
    path_ = folder + "/" + MakeArchiveName();
    const int flags = O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC;
    file_ = std::make_unique<File>(Retry([&] { return ::open(path_.c_str(), flags, 0666); }));
  } while (file_->get() < 0 ? errno == EEXIST : !Lock());
  if (file_->get() < 0) Fail("cannot be created");
}

bool LocalArchiveFile::Lock() const {
  ::flock(file_->get(), LOCK_EX);
  struct stat status;
  return ::fstat(file_->get(), &status) != 0 || status.st_nlink > 0;
}

void LocalArchiveFile::Fail(const std::string& what) const {
  const std::string reason = std::generic_category().message(errno);
  throw Error(ErrorKind::kIo, (make_another_ ? path_ + ": " : "") + what + ": " + reason);
}

void LocalArchiveFile::Append(ByteSpan bytes) {
  while (!bytes.empty()) {
    const ssize_t count = Retry([&] { return ::write(file_->get(), bytes.data(), bytes.size()); });
    if (count <= 0) Fail("cannot be written");
    bytes = bytes.subspan(static_cast<std::size_t>(count));
  }
}

void LocalArchiveFile::ReadAt(std::uint64_t offset, MutableByteSpan buffer) {
  while (!buffer.empty()) {
    const ssize_t count =
        Retry([&] { return ::pread(file_->get(), buffer.data(), buffer.size(), static_cast<off_t>(offset)); });
    if (count < 0) Fail("what was written cannot be read");
    if (count == 0) throw Error(ErrorKind::kIo, "what was written cannot be read: the file has been cut");
    buffer = buffer.subspan(static_cast<std::size_t>(count));
    offset += static_cast<std::size_t>(count);
  }
}

std::unique_ptr<ArchiveFile> LocalArchiveFile::MakeAnother() {
  return make_another_ ? make_another_() : std::make_unique<LocalArchiveFile>(target_);
}

void LocalArchiveFile::PutInPlace() {
  // Some file systems report a failed write only when a descriptor is closed.
  const int copy = ::dup(file_->get());
  if (copy < 0 || (::close(copy) != 0 && errno != EINTR)) Fail("cannot be written");
  if (::rename(path_.c_str(), target_.c_str()) != 0) Fail("cannot be put in place");
  in_place_ = true;
}

}  // namespace zarr
