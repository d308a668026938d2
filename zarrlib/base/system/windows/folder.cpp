// SPDX-License-Identifier: MIT
#include "zarrlib/base/system/folder.h"

#include <cerrno>
#include <cstddef>
#include <vector>

#include "zarrlib/base/system/file_names.h"
#include "zarrlib/base/system/windows/windows_names.h"

namespace zarr {
namespace {

constexpr std::size_t kBufferSize = std::size_t{64} << 10;

/// A folder that is open without FILE_SHARE_DELETE keeps its name, so no link can replace it.
File OpenKept(const std::string& path) {
  const std::wstring wide = windows::ToSystemPath(path);
  File file;
  const DWORD error = windows::RepeatWhilePassing([&]() -> DWORD {
    file = File(::CreateFileW(wide.c_str(), FILE_LIST_DIRECTORY, FILE_SHARE_READ | FILE_SHARE_WRITE, nullptr,
                              OPEN_EXISTING, FILE_FLAG_BACKUP_SEMANTICS | FILE_FLAG_OPEN_REPARSE_POINT, nullptr));
    return file.is_open() ? 0 : ::GetLastError();
  });
  if (!file.is_open()) windows::Fail(error);
  return file;
}

}  // namespace

struct Folder::Stream {
  Stream(std::string name, File folder) : path(std::move(name)), file(std::move(folder)) {}

  /// Returns null, and sets errno, if the file is not an open folder.
  static std::unique_ptr<Stream> Make(const std::string& path, File file) {
    const auto status = file.is_open() ? zarr::GetStatus(file) : std::nullopt;
    if (!status) return nullptr;
    if (status->kind == FileKind::kFolder) return std::make_unique<Stream>(path, std::move(file));
    errno = status->kind == FileKind::kLink ? ELOOP : ENOTDIR;
    return nullptr;
  }

  std::string PathOf(const std::string& name) const { return path + "/" + name; }

  /// Returns the next entry, valid until the next call; null at the end, or if errno is not 0.
  const FILE_ID_BOTH_DIR_INFO* Next() {
    if (next != nullptr && next->NextEntryOffset != 0) {
      next = reinterpret_cast<const FILE_ID_BOTH_DIR_INFO*>(reinterpret_cast<const std::byte*>(next) +
                                                            next->NextEntryOffset);
      return next;
    }
    buffer.resize(kBufferSize / sizeof(std::uint64_t));
    const auto kind = next == nullptr ? FileIdBothDirectoryRestartInfo : FileIdBothDirectoryInfo;
    if (::GetFileInformationByHandleEx(file.get(), kind, buffer.data(), kBufferSize)) {
      next = reinterpret_cast<const FILE_ID_BOTH_DIR_INFO*>(buffer.data());
      return next;
    }
    const DWORD error = ::GetLastError();
    errno = 0;
    if (error != ERROR_NO_MORE_FILES && error != ERROR_FILE_NOT_FOUND) windows::Fail(error);
    return nullptr;
  }

  const std::string path;
  const File file;
  std::vector<std::uint64_t> buffer;  // aligned as the entries need it
  const FILE_ID_BOTH_DIR_INFO* next = nullptr;
};

Folder::Folder(std::unique_ptr<Stream> stream) : stream_(std::move(stream)) {}
Folder::Folder(Folder&&) noexcept = default;
Folder::~Folder() = default;

Folder Folder::Open(const std::string& path) {
  return Folder(
      Stream::Make(path, windows::Open(path, FILE_LIST_DIRECTORY, OPEN_EXISTING, FILE_FLAG_BACKUP_SEMANTICS)));
}

Folder Folder::OpenFolder(const std::string& name) const {
  const std::string path = stream_->PathOf(name);
  return Folder(Stream::Make(path, OpenKept(path)));
}

File Folder::OpenFile(const std::string& name) const {
  constexpr DWORD kAccess = GENERIC_READ | DELETE;
  File file = windows::Open(stream_->PathOf(name), kAccess, OPEN_EXISTING, FILE_FLAG_OPEN_REPARSE_POINT);
  const auto status = file.is_open() ? zarr::GetStatus(file) : std::nullopt;
  if (!status || status->kind != FileKind::kLink) return file;
  errno = ELOOP;
  return File();
}

bool Folder::Next(Entry* entry) {
  while (const FILE_ID_BOTH_DIR_INFO* const found = stream_->Next()) {
    const std::wstring_view name(found->FileName, found->FileNameLength / sizeof(wchar_t));
    if (name == L"." || name == L"..") continue;
    entry->name = windows::ToUtf8(name);
    entry->kind = windows::GetKindOf(found->FileAttributes, found->EaSize);  // the tag, of an entry that has one
    entry->order = 0;
    return true;
  }
  return false;
}

std::optional<FileStatus> Folder::GetStatus(const std::string& name, Links links) const {
  return zarr::GetStatus(stream_->PathOf(name), links);
}

bool Folder::RemoveFile(const std::string& name) const {
  return zarr::RemoveFile(stream_->PathOf(name));
}

bool Folder::RemoveFolder(const std::string& name) const {
  return zarr::RemoveFolder(stream_->PathOf(name));
}

}  // namespace zarr
