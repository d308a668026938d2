// SPDX-License-Identifier: MIT
#include "zarrlib/base/system/windows/windows_names.h"

#include <algorithm>
#include <cerrno>
#include <new>

namespace zarr::windows {
namespace {

constexpr std::wstring_view kPrefix = L"\\\\?\\";
constexpr std::wstring_view kNetworkPrefix = L"\\\\?\\UNC\\";

bool HasDrive(std::wstring_view path) {
  return path.size() > 2 && path[1] == L':' && path[2] == L'\\';
}

/// Returns true if the system would change a path: a relative one, or one with the names "." or "..".
bool NeedsResolution(const std::wstring& path) {
  if (!HasDrive(path) && !path.starts_with(L"\\\\")) return true;
  for (const std::wstring_view name : {L"\\.\\", L"\\..\\", L"\\\\"}) {
    if (path.find(name, 2) != path.npos) return true;
  }
  return path.ends_with(L"\\.") || path.ends_with(L"\\..");
}

std::wstring Resolve(const std::wstring& path) {
  std::wstring full(::GetFullPathNameW(path.c_str(), 0, nullptr, nullptr), L'\0');
  full.resize(::GetFullPathNameW(path.c_str(), static_cast<DWORD>(full.size()), full.data(), nullptr));
  // Older systems take "con.zarr" for the device "con".
  const std::size_t slash = path.rfind(L'\\');
  const std::wstring name = path.substr(slash + 1);
  if (full.starts_with(L"\\\\.\\") && !path.starts_with(L"\\\\.\\") && name.find(L'.') != name.npos) {
    const std::wstring folder = Resolve(slash == path.npos ? L"." : path.substr(0, slash + 1));
    return folder + (folder.ends_with(L'\\') ? L"" : L"\\") + name;
  }
  return full.empty() ? path : full;
}

}  // namespace

std::wstring ToWide(std::string_view text) {
  const int size = static_cast<int>(text.size());
  std::wstring wide(::MultiByteToWideChar(CP_UTF8, 0, text.data(), size, nullptr, 0), L'\0');
  ::MultiByteToWideChar(CP_UTF8, 0, text.data(), size, wide.data(), static_cast<int>(wide.size()));
  return wide;
}

std::string ToUtf8(std::wstring_view text) {
  const int size = static_cast<int>(text.size());
  std::string narrow(::WideCharToMultiByte(CP_UTF8, 0, text.data(), size, nullptr, 0, nullptr, nullptr), '\0');
  ::WideCharToMultiByte(CP_UTF8, 0, text.data(), size, narrow.data(), static_cast<int>(narrow.size()), nullptr,
                        nullptr);
  return narrow;
}

std::wstring ToSystemPath(const std::string& path) {
  std::wstring wide = ToWide(path);
  std::ranges::replace(wide, L'/', L'\\');
  // After a drive's, a colon would name another stream of the file. No file has this name instead.
  if (wide.find(L':', 2) != wide.npos) std::replace(wide.begin() + 2, wide.end(), L':', L'|');
  if (wide.starts_with(kPrefix) || wide.starts_with(L"\\\\.\\")) return wide;
  if (wide.size() == 2 && wide[1] == L':') wide += L'\\';  // the root of a drive, not its current folder
  if (NeedsResolution(wide)) wide = Resolve(wide);
  while (wide.size() > 3 && wide.ends_with(L'\\')) wide.pop_back();
  if (HasDrive(wide)) return std::wstring(kPrefix) + wide;
  if (wide.starts_with(L"\\\\.\\") || !wide.starts_with(L"\\\\")) return wide;  // a device
  return std::wstring(kNetworkPrefix) + wide.substr(2);
}

std::string FromSystemPath(std::wstring_view path) {
  std::wstring wide(path);
  if (wide.starts_with(kNetworkPrefix)) {
    wide = L"\\\\" + wide.substr(kNetworkPrefix.size());
  } else if (wide.starts_with(kPrefix)) {
    wide = wide.substr(kPrefix.size());
  }
  std::ranges::replace(wide, L'\\', L'/');
  while (wide.size() > 3 && wide.ends_with(L'/')) wide.pop_back();
  return ToUtf8(wide);
}

bool Fail() {
  return Fail(::GetLastError());
}

bool Fail(DWORD error) {
  static constexpr struct {
    DWORD error;
    int code;
  } kCodes[] = {
      {ERROR_FILE_NOT_FOUND, ENOENT},      {ERROR_PATH_NOT_FOUND, ENOENT},
      {ERROR_INVALID_NAME, ENOENT},        {ERROR_BAD_PATHNAME, ENOENT},
      {ERROR_INVALID_DRIVE, ENOENT},       {ERROR_DELETE_PENDING, ENOENT},
      {ERROR_DIRECTORY, ENOTDIR},          {ERROR_FILENAME_EXCED_RANGE, ENAMETOOLONG},
      {ERROR_ACCESS_DENIED, EACCES},       {ERROR_PRIVILEGE_NOT_HELD, EPERM},
      {ERROR_WRITE_PROTECT, EROFS},        {ERROR_SHARING_VIOLATION, EBUSY},
      {ERROR_LOCK_VIOLATION, EBUSY},       {ERROR_FILE_EXISTS, EEXIST},
      {ERROR_ALREADY_EXISTS, EEXIST},      {ERROR_DIR_NOT_EMPTY, ENOTEMPTY},
      {ERROR_DISK_FULL, ENOSPC},           {ERROR_HANDLE_DISK_FULL, ENOSPC},
      {ERROR_NOT_ENOUGH_MEMORY, ENOMEM},   {ERROR_OUTOFMEMORY, ENOMEM},
      {ERROR_TOO_MANY_OPEN_FILES, EMFILE}, {ERROR_TOO_MANY_LINKS, ENOTSUP},
      {ERROR_NOT_SAME_DEVICE, EXDEV},      {ERROR_NOT_SUPPORTED, ENOTSUP},
      {ERROR_INVALID_FUNCTION, ENOTSUP},   {ERROR_CALL_NOT_IMPLEMENTED, ENOTSUP},
      {ERROR_INVALID_PARAMETER, EINVAL},   {ERROR_CANT_RESOLVE_FILENAME, ELOOP},
  };
  const auto found = std::ranges::find(kCodes, error, [](const auto& code) { return code.error; });
  errno = found == std::end(kCodes) ? EIO : found->code;
  return false;
}

bool IsPassing(DWORD error) {
  return error == ERROR_SHARING_VIOLATION || error == ERROR_USER_MAPPED_FILE;
}

File Open(const std::string& path, DWORD access, DWORD disposition, DWORD flags) {
  constexpr DWORD kShared = FILE_SHARE_READ | FILE_SHARE_WRITE | FILE_SHARE_DELETE;
  std::wstring wide;
  try {
    wide = ToSystemPath(path);
  } catch (const std::bad_alloc&) {  // files are removed in destructors
    errno = ENOMEM;
    return File();
  }
  File file;
  const DWORD error = RepeatWhilePassing([&]() -> DWORD {
    file = File(::CreateFileW(wide.c_str(), access, kShared, nullptr, disposition, flags, nullptr));
    return file.is_open() ? 0 : ::GetLastError();
  });
  if (!file.is_open()) Fail(error);
  return file;
}

bool IsLink(DWORD attributes, DWORD tag) {
  return (attributes & FILE_ATTRIBUTE_REPARSE_POINT) != 0 &&
         (tag == IO_REPARSE_TAG_SYMLINK || tag == IO_REPARSE_TAG_MOUNT_POINT);
}

FileKind GetKindOf(DWORD attributes, DWORD tag) {
  if (IsLink(attributes, tag)) return FileKind::kLink;
  if ((attributes & FILE_ATTRIBUTE_DIRECTORY) != 0) return FileKind::kFolder;
  return (attributes & FILE_ATTRIBUTE_DEVICE) != 0 ? FileKind::kOther : FileKind::kFile;
}

}  // namespace zarr::windows
