// SPDX-License-Identifier: MIT
#include "zarrlib/base/system/folder.h"

#include <dirent.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <string_view>

#include "zarrlib/base/system/posix/retry.h"
#include "zarrlib/base/system/posix/status.h"

namespace zarr {
namespace {

constexpr int kFolderFlags = O_RDONLY | O_DIRECTORY | O_CLOEXEC | O_NONBLOCK;

/// Returns nullopt if only stat() reports the kind.
std::optional<FileKind> GetKnownKind([[maybe_unused]] const dirent& entry) {
#ifdef DT_REG
  if (entry.d_type == DT_REG) return FileKind::kFile;
  if (entry.d_type == DT_DIR) return FileKind::kFolder;
  if (entry.d_type == DT_LNK) return FileKind::kLink;
#endif
  return std::nullopt;
}

}  // namespace

struct Folder::Stream {
  explicit Stream(DIR* stream) : folder(stream) {}
  ~Stream() { ::closedir(folder); }
  Stream(const Stream&) = delete;
  Stream& operator=(const Stream&) = delete;

  static std::unique_ptr<Stream> Open(int parent, const std::string& name, int flags) {
    const int descriptor = Retry([&] { return ::openat(parent, name.c_str(), flags); });
    if (descriptor < 0) return nullptr;
    if (DIR* const folder = ::fdopendir(descriptor)) return std::make_unique<Stream>(folder);
    const int error = errno;
    ::close(descriptor);
    errno = error;
    return nullptr;
  }

  int descriptor() const { return ::dirfd(folder); }

  DIR* const folder;
};

Folder::Folder(std::unique_ptr<Stream> stream) : stream_(std::move(stream)) {}
Folder::Folder(Folder&&) noexcept = default;
Folder::~Folder() = default;

Folder Folder::Open(const std::string& path) {
  return Folder(Stream::Open(AT_FDCWD, path, kFolderFlags));
}

Folder Folder::OpenFolder(const std::string& name) const {
  return Folder(Stream::Open(stream_->descriptor(), name, kFolderFlags | O_NOFOLLOW));
}

File Folder::OpenFile(const std::string& name) const {
  constexpr int kFlags = O_RDONLY | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK;
  return File(Retry([&] { return ::openat(stream_->descriptor(), name.c_str(), kFlags); }));
}

bool Folder::Next(Entry* entry) {
  while (true) {
    errno = 0;
    const dirent* const found = ::readdir(stream_->folder);
    if (found == nullptr) return false;
    const std::string_view name = found->d_name;
    if (name == "." || name == "..") continue;
    entry->name = name;
    entry->order = found->d_ino;
    if (const auto kind = GetKnownKind(*found)) {
      entry->kind = *kind;
      return true;
    }
    const auto status = GetStatus(entry->name, Links::kKeep);
    if (!status && errno == ENOENT) continue;  // removed in the meantime
    if (!status) return false;
    entry->kind = status->kind;
    return true;
  }
}

std::optional<FileStatus> Folder::GetStatus(const std::string& name, Links links) const {
  struct stat status;
  const int flags = links == Links::kKeep ? AT_SYMLINK_NOFOLLOW : 0;
  if (::fstatat(stream_->descriptor(), name.c_str(), &status, flags) != 0) return std::nullopt;
  return MakeFileStatus(status);
}

bool Folder::RemoveFile(const std::string& name) const {
  return ::unlinkat(stream_->descriptor(), name.c_str(), 0) == 0;
}

bool Folder::RemoveFolder(const std::string& name) const {
  return ::unlinkat(stream_->descriptor(), name.c_str(), AT_REMOVEDIR) == 0;
}

}  // namespace zarr
