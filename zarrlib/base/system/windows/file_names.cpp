// SPDX-License-Identifier: MIT
#include "zarrlib/base/system/file_names.h"

#include <algorithm>
#include <cctype>
#include <cerrno>
#include <cstring>
#include <cwchar>
#include <iterator>
#include <string_view>
#include <vector>

#include "zarrlib/base/system/windows/windows_names.h"

namespace zarr {
namespace {

using windows::Fail;

// Not all headers have these two, of Windows 10.
constexpr auto kDispositionInfoEx = static_cast<FILE_INFO_BY_HANDLE_CLASS>(21);
constexpr auto kRenameInfoEx = static_cast<FILE_INFO_BY_HANDLE_CLASS>(22);

constexpr DWORD kEntryItself = FILE_FLAG_BACKUP_SEMANTICS | FILE_FLAG_OPEN_REPARSE_POINT;

/// Removes an open entry from its folder at once, even if others have it open. Older systems do that when the last one
/// closes it. Returns an error of the system, or 0.
DWORD RemoveOpen(const File& file) {
  FILE_DISPOSITION_INFO_EX now{FILE_DISPOSITION_FLAG_DELETE | FILE_DISPOSITION_FLAG_POSIX_SEMANTICS};
  if (::SetFileInformationByHandle(file.get(), kDispositionInfoEx, &now, sizeof(now))) return 0;
  const DWORD error = ::GetLastError();
  if (error == ERROR_DIR_NOT_EMPTY || error == ERROR_ACCESS_DENIED) return error;
  FILE_DISPOSITION_INFO later{TRUE};
  return ::SetFileInformationByHandle(file.get(), FileDispositionInfo, &later, sizeof(later)) ? 0 : ::GetLastError();
}

/// `is_one` decides whether an entry of that kind may be removed; otherwise errno becomes `code`.
bool RemoveEntry(const std::string& path, bool (*is_one)(FileKind kind), int code) {
  const File file = windows::Open(path, DELETE | FILE_READ_ATTRIBUTES, OPEN_EXISTING, kEntryItself);
  const auto status = file.is_open() ? GetStatus(file) : std::nullopt;
  if (!status) return false;
  if (!is_one(status->kind)) {
    errno = code;
    return false;
  }
  const DWORD error = windows::RepeatWhilePassing([&] { return RemoveOpen(file); });
  return error == 0 || Fail(error);
}

/// Renames an open file or folder. Returns an error of the system, or 0.
DWORD RenameOpen(const File& file, const std::wstring& to, FILE_INFO_BY_HANDLE_CLASS kind, DWORD flags) {
  const std::size_t bytes = to.size() * sizeof(wchar_t);
  std::vector<std::byte> memory(sizeof(FILE_RENAME_INFO) + bytes);
  auto* const information = reinterpret_cast<FILE_RENAME_INFO*>(memory.data());
  std::memcpy(memory.data(), &flags, sizeof(flags));  // newer systems have flags where older ones have a truth value
  information->FileNameLength = static_cast<DWORD>(bytes);
  std::memcpy(information->FileName, to.data(), bytes);
  const auto size = static_cast<DWORD>(memory.size());
  return ::SetFileInformationByHandle(file.get(), kind, information, size) ? 0 : ::GetLastError();
}

/// Returns a name that listings of stores hide, as they do for all temporary files.
std::wstring MakeNameAside(const std::wstring& path) {
  LARGE_INTEGER count{};
  ::QueryPerformanceCounter(&count);
  wchar_t digits[17];
  ::swprintf(digits, std::size(digits), L"%08lx%08lx", ::GetCurrentProcessId(), count.LowPart);
  return path.substr(0, path.rfind(L'\\') + 1) + L".zarr-tmp-" + digits;
}

/// Renames where the file that is replaced is open, and the system cannot replace such a file: gives that another name
/// first. Between the two steps, the name does not exist.
DWORD ReplaceInTwoSteps(const std::wstring& from, const std::wstring& to) {
  constexpr DWORD kShared = FILE_SHARE_READ | FILE_SHARE_WRITE | FILE_SHARE_DELETE;
  const File old(::CreateFileW(to.c_str(), DELETE, kShared, nullptr, OPEN_EXISTING, kEntryItself, nullptr));
  if (!old.is_open()) return ::GetLastError();
  if (const DWORD error = RenameOpen(old, MakeNameAside(to), FileRenameInfo, FALSE)) return error;
  if (::MoveFileExW(from.c_str(), to.c_str(), 0)) {
    RemoveOpen(old);
    return 0;
  }
  const DWORD error = ::GetLastError();
  RenameOpen(old, to, FileRenameInfo, FALSE);
  return error;
}

/// Renames as older systems can.
DWORD Move(const std::wstring& from, const std::wstring& to) {
  if (::MoveFileExW(from.c_str(), to.c_str(), MOVEFILE_REPLACE_EXISTING)) return 0;
  const DWORD error = ::GetLastError();
  if (error != ERROR_ACCESS_DENIED && error != ERROR_SHARING_VIOLATION) return error;
  // A file that is open is reported like one that may not be replaced.
  const DWORD attributes = ::GetFileAttributesW(to.c_str());
  constexpr DWORD kFinal = FILE_ATTRIBUTE_READONLY | FILE_ATTRIBUTE_DIRECTORY;
  const bool may_be_open = attributes != INVALID_FILE_ATTRIBUTES && (attributes & kFinal) == 0;
  return may_be_open ? ReplaceInTwoSteps(from, to) : error;
}

bool IsFolder(const std::string& path) {
  const auto status = GetStatus(path, Links::kKeep);
  return status && status->kind == FileKind::kFolder;
}

}  // namespace

bool MakeFolder(const std::string& path) {
  return ::CreateDirectoryW(windows::ToSystemPath(path).c_str(), nullptr) != 0 || Fail();
}

bool RemoveFile(const std::string& path) {
  return RemoveEntry(
      path, [](FileKind kind) { return kind != FileKind::kFolder; }, EISDIR);
}

bool RemoveFolder(const std::string& path) {
  return RemoveEntry(
      path, [](FileKind kind) { return kind == FileKind::kFolder; }, ENOTDIR);
}

bool Rename(const std::string& from, const std::string& to) {
  const File file = windows::Open(from, DELETE | SYNCHRONIZE, OPEN_EXISTING, kEntryItself);
  if (!file.is_open()) return false;
  const std::wstring source = windows::ToSystemPath(from);
  const std::wstring target = windows::ToSystemPath(to);
  // A folder does not replace another one here, not even an empty one.
  if (IsFolder(from) && IsFolder(to) && !RemoveFolder(to)) return false;
  const DWORD error = windows::RepeatWhilePassing([&] {
    const DWORD flags = FILE_RENAME_FLAG_REPLACE_IF_EXISTS | FILE_RENAME_FLAG_POSIX_SEMANTICS;
    const DWORD failed = RenameOpen(file, target, kRenameInfoEx, flags);
    return failed == 0 ? 0 : Move(source, target);
  });
  return error == 0 || Fail(error);
}

bool Exchange(const std::string&, const std::string&) {
  errno = ENOTSUP;
  return false;
}

bool AddName(const std::string& path, const std::string& name) {
  const std::wstring existing = windows::ToSystemPath(path);
  return ::CreateHardLinkW(windows::ToSystemPath(name).c_str(), existing.c_str(), nullptr) != 0 || Fail();
}

bool GiveName(const File&, const std::string&) {
  errno = ENOTSUP;
  return false;
}

bool MayChangeNamesIn(const std::string& folder) {
  constexpr DWORD kAccess = FILE_ADD_FILE | FILE_ADD_SUBDIRECTORY;
  return windows::Open(folder, kAccess, OPEN_EXISTING, FILE_FLAG_BACKUP_SEMANTICS).is_open();
}

std::string FindNameFault(const std::string& name) {
  const bool has_control = std::ranges::any_of(name, [](unsigned char byte) { return byte < 32; });
  if (has_control || name.find_first_of("<>:\"|?*\\") != name.npos) {
    return "a name without control characters and < > : \" | ? * \\, which Windows forbids";
  }
  if (name.ends_with('.') || name.ends_with(' ')) return "a name that ends in neither a dot nor a space";
  std::string device = name.substr(0, name.find('.'));
  std::ranges::transform(device, device.begin(), [](unsigned char byte) { return std::toupper(byte); });
  constexpr std::string_view kDevices[] = {"CON", "PRN", "AUX", "NUL", "CONIN$", "CONOUT$"};
  const bool is_numbered = device.size() == 4 && (device.starts_with("COM") || device.starts_with("LPT")) &&
                           device[3] >= '1' && device[3] <= '9';
  if (is_numbered || std::ranges::find(kDevices, device) != std::end(kDevices)) {
    return "a name that is not one of Windows's devices";
  }
  return "";
}

std::optional<std::string> GetRealPath(const std::string& path) {
  const File file = windows::Open(path, FILE_READ_ATTRIBUTES, OPEN_EXISTING, FILE_FLAG_BACKUP_SEMANTICS);
  if (!file.is_open()) return std::nullopt;
  std::wstring name(::GetFinalPathNameByHandleW(file.get(), nullptr, 0, VOLUME_NAME_DOS), L'\0');
  name.resize(::GetFinalPathNameByHandleW(file.get(), name.data(), static_cast<DWORD>(name.size()), VOLUME_NAME_DOS));
  if (name.empty()) return Fail(), std::nullopt;
  return windows::FromSystemPath(name);
}

std::string GetCanonicalPath(const std::string& path) {
  const std::string absolute = windows::FromSystemPath(windows::ToSystemPath(path));
  for (std::size_t end = absolute.size(); end != absolute.npos && end > 0; end = absolute.rfind('/', end - 1)) {
    const auto existing = GetRealPath(absolute.substr(0, end));
    if (!existing) continue;
    const std::string rest = absolute.substr(end);
    return existing->ends_with('/') && rest.starts_with('/') ? *existing + rest.substr(1) : *existing + rest;
  }
  return absolute;
}

std::vector<std::string> GetTemporaryFolders() {
  std::wstring folder(MAX_PATH + 1, L'\0');
  folder.resize(::GetTempPathW(static_cast<DWORD>(folder.size()), folder.data()));
  if (folder.empty()) return {};
  return {windows::FromSystemPath(folder)};
}

}  // namespace zarr
