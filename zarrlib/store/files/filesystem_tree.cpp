// SPDX-License-Identifier: MIT
#include "zarrlib/store/files/filesystem_tree.h"

#include <algorithm>
#include <cerrno>
#include <system_error>
#include <utility>

#include "zarrlib/base/system/file_names.h"
#include "zarrlib/base/system/folder.h"
#include "zarrlib/base/system/locks.h"
#include "zarrlib/store/files/file_stamp.h"
#include "zarrlib/store/files/paths.h"

namespace zarr {
namespace {

EntryKind GetEntryKind(FileKind kind) {
  if (kind == FileKind::kFile) return EntryKind::kValue;
  if (kind == FileKind::kFolder) return EntryKind::kFolder;
  return kind == FileKind::kLink ? EntryKind::kLink : EntryKind::kOther;
}

/// Throws an error unless a folder that is not open is absent, or is a link.
void CheckIsAbsent(const Folder& folder) {
  if (!folder.is_open() && !MeansAbsent(errno) && errno != ELOOP) ThrowSystemError("list");
}

std::vector<Folder::Entry> ReadEntries(Folder* folder) {
  std::vector<Folder::Entry> entries;
  Folder::Entry entry;
  while (folder->Next(&entry)) entries.push_back(entry);
  if (errno != 0) ThrowSystemError("list");
  return entries;
}

/// Locks an open file. Returns false if it is not a regular file, or if another process holds the lock.
bool TryLock(const File& file) {
  auto status = file.is_open() ? GetStatus(file) : std::nullopt;
  if (!status || status->kind != FileKind::kFile || LockFile(file, false) != Locked::kHeld) return false;
  // The process that held the lock before may have removed the file.
  status = GetStatus(file);
  return status && status->names > 0;
}

void EraseIfAbandoned(const Folder& folder, const std::string& name) {
  const File file = folder.OpenFile(name);
  if (TryLock(file)) folder.RemoveFile(name);
}

/// Removes a folder if it is empty, or contains only temporary files that no process is writing. Such a folder is left
/// when a process is stopped while it creates a node. Returns false if the folder stays.
bool EraseIfUnused(const Folder& parent, const std::string& name) {
  try {
    Folder folder = parent.OpenFolder(name);
    CheckIsAbsent(folder);
    if (!folder.is_open()) return false;
    const std::vector<Folder::Entry> entries = ReadEntries(&folder);
    const bool is_unused = std::ranges::all_of(entries, [](const Folder::Entry& entry) {
      return entry.kind == FileKind::kFile && IsOwnTemporaryName(entry.name);
    });
    if (!is_unused) return false;
    for (const Folder::Entry& entry : entries) EraseIfAbandoned(folder, entry.name);
  } catch (const Error&) {
    return false;  // its content is unknown
  }
  return parent.RemoveFolder(name);
}

class HeldFolder final : public StoreLock {
 public:
  explicit HeldFolder(const std::string& path) : lock_(path, std::string(kTemporaryPrefix) + "lock") {}
  bool is_held() const { return lock_.is_held(); }

 private:
  const FolderLock lock_;
};

/// Removes the chosen entries in a folder and below it.
class TreeEraser {
 public:
  explicit TreeEraser(const Chooser& choose) : choose_(choose) {}

  void EraseIn(Folder* folder, const std::string& prefix) {
    std::vector<Folder::Entry> entries = ReadEntries(folder);
    std::ranges::sort(entries, {}, &Folder::Entry::order);
    std::string path;
    for (const Folder::Entry& entry : entries) {
      path.assign(prefix).append(entry.name);
      EraseEntry(*folder, entry, path);
    }
  }

  Leftovers leftovers;

 private:
  void EraseEntry(const Folder& folder, const Folder::Entry& entry, const std::string& path) {
    const bool is_folder = entry.kind == FileKind::kFolder;
    if (entry.kind == FileKind::kFile && IsOwnTemporaryName(entry.name)) return EraseIfAbandoned(folder, entry.name);
    const Choice choice = choose_(path, GetEntryKind(entry.kind));
    if (choice == Choice::kErase) {
      const bool is_removed = is_folder ? folder.RemoveFolder(entry.name) : folder.RemoveFile(entry.name);
      if (!is_removed && errno != ENOENT) Fail("remove", path);
    } else if (choice == Choice::kEnter && is_folder) {
      EnterFolder(folder, entry.name, path);
    } else if (choice != Choice::kIgnore && !(is_folder && EraseIfUnused(folder, entry.name))) {
      leftovers.Add({1, {path}});
    }
  }

  void EnterFolder(const Folder& parent, const std::string& name, const std::string& path) {
    {
      Folder folder = parent.OpenFolder(name);
      CheckIsAbsent(folder);
      if (!folder.is_open()) return leftovers.Add({1, {path}});
      EraseIn(&folder, path + "/");
    }
    // A folder that is not empty was reported before, or has just got a new entry.
    if (!parent.RemoveFolder(name) && errno != ENOENT && errno != ENOTEMPTY && errno != EEXIST) {
      Fail("remove the folder", path);
    }
  }

  [[noreturn]] static void Fail(const std::string& what, const std::string& path) {
    ThrowSystemError(what + " \"" + path + "\"");
  }

  const Chooser& choose_;
};

}  // namespace

std::optional<std::vector<StoreEntry>> ListFolder(const std::string& folder) {
  Folder open = Folder::Open(folder);
  CheckIsAbsent(open);
  if (!open.is_open()) return std::nullopt;
  std::vector<StoreEntry> entries;
  for (Folder::Entry& entry : ReadEntries(&open)) entries.push_back({std::move(entry.name), GetEntryKind(entry.kind)});
  return entries;
}

std::optional<std::vector<std::string>> ListNames(const std::string& folder, std::size_t most) {
  Folder open = Folder::Open(folder);
  if (!open.is_open()) return MeansAbsent(errno) ? std::optional(std::vector<std::string>()) : std::nullopt;
  std::vector<std::string> names;
  Folder::Entry entry;
  while (open.Next(&entry)) {
    if (names.size() == most) return std::nullopt;
    names.push_back(entry.name);
  }
  return errno == 0 ? std::optional(std::move(names)) : std::nullopt;
}

std::optional<std::vector<std::string>> ListAllNames(const std::string& root, const std::string& folder,
                                                     std::size_t most) {
  const auto before = GetStatus(folder, Links::kFollow);
  if (!before) {
    const bool is_absent = MeansAbsent(errno) && FindBrokenLink(root, folder).empty();
    return is_absent ? std::optional(std::vector<std::string>()) : std::nullopt;
  }
  const VersionStamp stamp = MakeFileStamp(*before);
  if (!stamp.settled) return std::nullopt;
  auto names = ListNames(folder, most);
  const auto after = names ? GetStatus(folder, Links::kFollow) : std::nullopt;
  return after && MakeFileStamp(*after) == stamp ? std::move(names) : std::nullopt;
}

std::optional<EntryKind> LookAt(const std::string& path) {
  if (const auto status = GetStatus(path, Links::kKeep)) return GetEntryKind(status->kind);
  if (!MeansAbsent(errno)) ThrowSystemError("get the status");
  return std::nullopt;
}

Leftovers EraseInFolder(const std::string& folder, const std::string& prefix, const Chooser& choose) {
  TreeEraser eraser(choose);
  Folder open = Folder::Open(folder);
  CheckIsAbsent(open);
  if (open.is_open()) eraser.EraseIn(&open, prefix);
  return std::move(eraser.leftovers);
}

std::shared_ptr<void> TryHoldFile(const std::string& path) {
  const Folder folder = Folder::Open(GetParent(path));
  if (!folder.is_open()) return nullptr;
  auto file = std::make_shared<File>(folder.OpenFile(path.substr(path.rfind('/') + 1)));
  return TryLock(*file) ? file : nullptr;
}

std::unique_ptr<StoreLock> LockFolder(const std::string& path, std::string* fault) {
  auto lock = std::make_unique<HeldFolder>(path);
  if (lock->is_held()) return lock;
  *fault = "cannot lock " + path + ": " + std::generic_category().message(errno);
  return nullptr;
}

void EraseAbandonedFiles(const std::string& folder, bool (*is_one)(std::string_view name)) {
  Folder open = Folder::Open(folder);
  CheckIsAbsent(open);
  if (!open.is_open()) return;
  for (const Folder::Entry& entry : ReadEntries(&open)) {
    if (entry.kind == FileKind::kFile && is_one(entry.name)) EraseIfAbandoned(open, entry.name);
  }
}

}  // namespace zarr
