// SPDX-License-Identifier: MIT
#include "zarrlib/base/system/file.h"

#include <algorithm>
#include <cerrno>
#include <string>

#include "zarrlib/base/system/process_id.h"
#include "zarrlib/base/system/windows/windows_names.h"

namespace zarr {
namespace {

/// Folders can be opened only with this flag.
constexpr DWORD kAnyKind = FILE_FLAG_BACKUP_SEMANTICS;
/// Opens a link itself.
constexpr DWORD kLinkItself = FILE_FLAG_OPEN_REPARSE_POINT;
constexpr DWORD kReadAndWrite = GENERIC_READ | GENERIC_WRITE;

/// The system counts in steps of 100 nanoseconds since 1601.
constexpr std::int64_t kStep = 100;
constexpr std::int64_t kStepsUntil1970 = 116444736000000000;

std::int64_t GetNanoseconds(std::int64_t steps) {
  return (steps - kStepsUntil1970) * kStep;
}

std::int64_t GetSteps(const FILETIME& time) {
  return static_cast<std::int64_t>(std::uint64_t{time.dwHighDateTime} << 32 | time.dwLowDateTime);
}

template <typename Information>
bool Get(const File& file, FILE_INFO_BY_HANDLE_CLASS kind, Information* information) {
  return ::GetFileInformationByHandleEx(file.get(), kind, information, sizeof(*information)) != 0;
}

OVERLAPPED MakePosition(std::uint64_t offset) {
  OVERLAPPED position{};
  position.Offset = static_cast<DWORD>(offset);
  position.OffsetHigh = static_cast<DWORD>(offset >> 32);
  return position;
}

/// The system's functions take 32-bit sizes.
DWORD LimitSize(std::size_t size) {
  return static_cast<DWORD>(std::min<std::size_t>(size, std::size_t{1} << 30));
}

bool IsRemoved(const File& file) {
  FILE_STANDARD_INFO standard{};
  return Get(file, FileStandardInfo, &standard) && standard.DeletePending;
}

File CheckIsNoLink(File file) {
  const auto status = GetStatus(file);
  if (!status || status->kind != FileKind::kLink) return file;
  errno = ELOOP;
  return File();
}

}  // namespace

File::~File() {
  if (is_open()) ::CloseHandle(handle_);
}

std::optional<FileStatus> GetStatus(const File& file) {
  BY_HANDLE_FILE_INFORMATION information{};
  if (!::GetFileInformationByHandle(file.get(), &information)) return windows::Fail(), std::nullopt;
  FileStatus status;
  FILE_ATTRIBUTE_TAG_INFO tag{};
  Get(file, FileAttributeTagInfo, &tag);
  status.kind = windows::GetKindOf(information.dwFileAttributes, tag.ReparseTag);
  status.size = std::uint64_t{information.nFileSizeHigh} << 32 | information.nFileSizeLow;
  status.modified = GetNanoseconds(GetSteps(information.ftLastWriteTime));
  FILE_BASIC_INFO times{};
  const bool has_change = Get(file, FileBasicInfo, &times) && times.ChangeTime.QuadPart != 0;
  status.changed = has_change ? GetNanoseconds(times.ChangeTime.QuadPart) : status.modified;
  status.identity = {information.dwVolumeSerialNumber,
                     std::uint64_t{information.nFileIndexHigh} << 32 | information.nFileIndexLow};
  status.names = IsRemoved(file) ? 0 : information.nNumberOfLinks;
  return status;
}

std::optional<FileStatus> GetStatus(const std::string& path, Links links) {
  const DWORD flags = links == Links::kKeep ? kAnyKind | kLinkItself : kAnyKind;
  const File file = windows::Open(path, FILE_READ_ATTRIBUTES, OPEN_EXISTING, flags);
  auto status = file.is_open() ? GetStatus(file) : std::nullopt;
  if (!status || !IsRemoved(file)) return status;
  errno = ENOENT;  // it was removed, but has its name while others have it open
  return std::nullopt;
}

std::int64_t GetTimeOfFiles() {
  FILETIME now{};
  ::GetSystemTimePreciseAsFileTime(&now);
  return GetNanoseconds(GetSteps(now));
}

File OpenToRead(const std::string& path) {
  return windows::Open(path, GENERIC_READ, OPEN_EXISTING, kAnyKind);
}

File OpenToLock(const std::string& path) {
  return windows::Open(path, kReadAndWrite, OPEN_EXISTING, 0);
}

File OpenOrMake(const std::string& path) {
  return CheckIsNoLink(windows::Open(path, kReadAndWrite, OPEN_ALWAYS, kLinkItself));
}

File MakeFile(const std::string& path) {
  return windows::Open(path, kReadAndWrite, CREATE_NEW, 0);
}

File MakeUnnamedFile(const std::string&) {
  errno = ENOTSUP;
  return File();
}

File MakeScratchFile(const std::string& folder) {
  constexpr DWORD kFlags = FILE_ATTRIBUTE_TEMPORARY | FILE_FLAG_DELETE_ON_CLOSE;
  LARGE_INTEGER count{};
  while (true) {
    ::QueryPerformanceCounter(&count);
    const std::string name = "zarr-" + std::to_string(GetProcessId()) + "-" + std::to_string(count.QuadPart);
    File file = windows::Open(folder + "/" + name, kReadAndWrite, CREATE_NEW, kFlags);
    if (file.is_open() || errno != EEXIST) return file;
  }
}

std::int64_t ReadAt(const File& file, std::uint64_t offset, MutableByteSpan buffer) {
  OVERLAPPED position = MakePosition(offset);
  DWORD count = 0;
  if (::ReadFile(file.get(), buffer.data(), LimitSize(buffer.size()), &count, &position)) return count;
  if (::GetLastError() == ERROR_HANDLE_EOF) return 0;
  windows::Fail();
  return -1;
}

bool Append(const File& file, ByteSpan bytes) {
  constexpr std::uint64_t kEnd = UINT64_MAX;  // reading moves the current position, so that is not used
  while (!bytes.empty()) {
    OVERLAPPED position = MakePosition(kEnd);
    DWORD count = 0;
    if (!::WriteFile(file.get(), bytes.data(), LimitSize(bytes.size()), &count, &position)) return windows::Fail();
    bytes = bytes.subspan(count);
  }
  return true;
}

bool WriteAt(const File& file, std::uint64_t offset, ByteSpan bytes) {
  while (!bytes.empty()) {
    OVERLAPPED position = MakePosition(offset);
    DWORD count = 0;
    if (!::WriteFile(file.get(), bytes.data(), LimitSize(bytes.size()), &count, &position)) return windows::Fail();
    bytes = bytes.subspan(count);
    offset += count;
  }
  return true;
}

std::uint64_t GetMaxFileSize() {
  return UINT64_MAX;
}

bool Sync(const File& file) {
  return ::FlushFileBuffers(file.get()) != 0 || windows::Fail();
}

bool SyncNamesIn(const std::string& folder) {
  // NTFS keeps names in its journal. Not all systems and users may force a folder to the disk.
  const File file = windows::Open(folder, kReadAndWrite, OPEN_EXISTING, kAnyKind);
  if (file.is_open()) ::FlushFileBuffers(file.get());
  return file.is_open() || errno == EACCES;
}

bool FinishWrites(const File&) {
  return true;
}

void InheritFrom(const std::string& path, const File& file) {
  const auto old = GetStatus(path, Links::kFollow);
  const auto fresh = GetStatus(file);
  if (!old || !fresh || fresh->modified > old->modified) return;
  const auto steps = static_cast<std::uint64_t>(old->modified / kStep + kStepsUntil1970 + 1);
  const FILETIME time{static_cast<DWORD>(steps), static_cast<DWORD>(steps >> 32)};
  ::SetFileTime(file.get(), nullptr, nullptr, &time);
}

bool IsOnNetwork(const File& file) {
  FILE_REMOTE_PROTOCOL_INFO information{};
  return Get(file, FileRemoteProtocolInfo, &information);
}

void* MapFile(const File& file, std::size_t size) {
  const File mapping(::CreateFileMappingW(file.get(), nullptr, PAGE_READONLY, 0, 0, nullptr));
  if (mapping.get() == nullptr) return windows::Fail(), nullptr;
  void* const map = ::MapViewOfFile(mapping.get(), FILE_MAP_READ, 0, 0, size);
  if (!map) windows::Fail();
  return map;
}

void UnmapFile(void* map, std::size_t) {
  ::UnmapViewOfFile(map);
}

void DropMappedPages(void* map, std::size_t size) {
  ::VirtualUnlock(map, size);  // removes pages that are not locked from the memory of the process
}

}  // namespace zarr
