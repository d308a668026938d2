// SPDX-License-Identifier: MIT
#include "zarrlib/store/os/filesystem_tree.h"

#include <dirent.h>
#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <utility>

#include "zarrlib/store/os/posix_file.h"

namespace zarr {
namespace {

constexpr int kFolderFlags = O_RDONLY | O_DIRECTORY | O_CLOEXEC | O_NONBLOCK;

/// An entry with its inode number: removing files in the order of these numbers is fastest.
struct FolderEntry {
  StoreEntry entry;
  ino_t inode;
};

EntryKind GetKindFromMode(mode_t mode) {
  if (S_ISREG(mode)) return EntryKind::kValue;
  if (S_ISDIR(mode)) return EntryKind::kFolder;
  return S_ISLNK(mode) ? EntryKind::kLink : EntryKind::kOther;
}

EntryKind GetKind(DIR* folder, const dirent& entry) {
  if (entry.d_type == DT_REG) return EntryKind::kValue;
  if (entry.d_type == DT_DIR) return EntryKind::kFolder;
  if (entry.d_type == DT_LNK) return EntryKind::kLink;
  struct stat status;
  if (::fstatat(::dirfd(folder), entry.d_name, &status, AT_SYMLINK_NOFOLLOW) == 0)
    return GetKindFromMode(status.st_mode);
  if (!MeansAbsent(errno)) ThrowSystemError("get the status of \"" + std::string(entry.d_name) + "\"");
  return EntryKind::kOther;
}

using Folder = std::unique_ptr<DIR, int (*)(DIR*)>;

/// Returns null if there is no such folder.
Folder OpenFolder(int parent, const std::string& name, int flags) {
  const int descriptor = Retry([&] { return ::openat(parent, name.c_str(), flags); });
  if (descriptor < 0) {
    if (!MeansAbsent(errno) && errno != ELOOP) ThrowSystemError("list");
    return {nullptr, &::closedir};
  }
  Folder folder(::fdopendir(descriptor), &::closedir);
  if (!folder) {
    ::close(descriptor);
    ThrowSystemError("list");
  }
  return folder;
}

std::vector<FolderEntry> ReadEntries(DIR* folder) {
  std::vector<FolderEntry> entries;
  while (true) {
    errno = 0;
    const dirent* entry = ::readdir(folder);
    if (entry == nullptr) break;
    std::string name = entry->d_name;
    if (name == "." || name == "..") continue;
    entries.push_back({{std::move(name), GetKind(folder, *entry)}, entry->d_ino});
  }
  if (errno != 0) ThrowSystemError("list");
  return entries;
}

/// Opens a file and locks it. Returns -1 if it is not a regular file, or if another process holds the lock.
File LockFile(int folder, const std::string& name) {
  File file(Retry([&] { return ::openat(folder, name.c_str(), O_RDONLY | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK); }));
  struct stat status;
  if (file.get() < 0 || ::fstat(file.get(), &status) != 0 || !S_ISREG(status.st_mode)) return File(-1);
  if (Retry([&] { return ::flock(file.get(), LOCK_EX | LOCK_NB); }) != 0) return File(-1);
  // The process that held the lock before may have removed the file.
  if (::fstat(file.get(), &status) != 0 || status.st_nlink == 0) return File(-1);
  return file;
}

void EraseIfAbandoned(int folder, const std::string& name) {
  const File lock = LockFile(folder, name);
  if (lock.get() >= 0) ::unlinkat(folder, name.c_str(), 0);
}

/// Removes a folder if it is empty, or contains only temporary files that no process is writing. Such a folder is left
/// when a process is stopped while it creates a node. Returns false if the folder stays.
bool EraseIfUnused(int parent, const std::string& name) {
  try {
    const Folder folder = OpenFolder(parent, name, kFolderFlags | O_NOFOLLOW);
    if (!folder) return false;
    const std::vector<FolderEntry> entries = ReadEntries(folder.get());
    const bool is_unused = std::ranges::all_of(entries, [](const FolderEntry& one) {
      return one.entry.kind == EntryKind::kValue && IsOwnTemporaryName(one.entry.name);
    });
    if (!is_unused) return false;
    for (const auto& [entry, inode] : entries) EraseIfAbandoned(::dirfd(folder.get()), entry.name);
  } catch (const Error&) {
    return false;  // its content is unknown
  }
  return ::unlinkat(parent, name.c_str(), AT_REMOVEDIR) == 0;
}

class HeldFolder final : public StoreLock {
 public:
  explicit HeldFolder(File folder) : folder_(std::move(folder)) {}
  /// The child of a fork may also have the folder open, so closing it would not end the lock.
  ~HeldFolder() override { ::flock(folder_.get(), LOCK_UN); }

 private:
  const File folder_;
};

/// Removes the chosen entries in a folder and below it.
class TreeEraser {
 public:
  explicit TreeEraser(const Chooser& choose) : choose_(choose) {}

  void EraseIn(DIR* folder, const std::string& prefix) {
    std::vector<FolderEntry> entries = ReadEntries(folder);
    std::sort(entries.begin(), entries.end(), [](const auto& a, const auto& b) { return a.inode < b.inode; });
    std::string path;
    for (const auto& [entry, inode] : entries) {
      path.assign(prefix).append(entry.name);
      EraseEntry(::dirfd(folder), entry, path);
    }
  }

  Leftovers leftovers;

 private:
  void EraseEntry(int folder, const StoreEntry& entry, const std::string& path) {
    if (entry.kind == EntryKind::kValue && IsOwnTemporaryName(entry.name)) {
      return EraseIfAbandoned(folder, entry.name);
    }
    const Choice choice = choose_(path, entry.kind);
    if (choice == Choice::kErase) {
      const int flags = entry.kind == EntryKind::kFolder ? AT_REMOVEDIR : 0;
      if (::unlinkat(folder, entry.name.c_str(), flags) != 0 && errno != ENOENT) Fail("remove", path);
    } else if (choice == Choice::kEnter && entry.kind == EntryKind::kFolder) {
      EnterFolder(folder, entry.name, path);
    } else if (choice != Choice::kIgnore && !(entry.kind == EntryKind::kFolder && EraseIfUnused(folder, entry.name))) {
      leftovers.Add({1, {path}});
    }
  }

  void EnterFolder(int parent, const std::string& name, const std::string& path) {
    {
      const Folder folder = OpenFolder(parent, name, kFolderFlags | O_NOFOLLOW);
      if (!folder) return leftovers.Add({1, {path}});
      EraseIn(folder.get(), path + "/");
    }
    // A folder that is not empty was reported before, or has just got a new entry.
    if (::unlinkat(parent, name.c_str(), AT_REMOVEDIR) != 0 && errno != ENOENT && errno != ENOTEMPTY &&
        errno != EEXIST) {
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
  const Folder open = OpenFolder(AT_FDCWD, folder, kFolderFlags);
  if (!open) return std::nullopt;
  std::vector<StoreEntry> entries;
  for (FolderEntry& entry : ReadEntries(open.get())) entries.push_back(std::move(entry.entry));
  return entries;
}

std::optional<std::vector<std::string>> ListNames(const std::string& folder, std::size_t most) {
  const int descriptor = Retry([&] { return ::open(folder.c_str(), kFolderFlags); });
  const Folder open(descriptor < 0 ? nullptr : ::fdopendir(descriptor), &::closedir);
  if (!open && descriptor >= 0) ::close(descriptor);
  if (!open) return MeansAbsent(errno) ? std::optional(std::vector<std::string>()) : std::nullopt;
  std::vector<std::string> names;
  errno = 0;
  while (const dirent* entry = ::readdir(open.get())) {
    const std::string_view name = entry->d_name;
    if (name == "." || name == "..") continue;
    if (names.size() == most) return std::nullopt;
    names.emplace_back(name);
  }
  return errno == 0 ? std::optional(std::move(names)) : std::nullopt;
}

std::optional<EntryKind> LookAt(const std::string& path) {
  struct stat status;
  if (::lstat(path.c_str(), &status) == 0) return GetKindFromMode(status.st_mode);
  if (!MeansAbsent(errno)) ThrowSystemError("get the status");
  return std::nullopt;
}

bool MayChangeNamesIn(const std::string& folder) {
  return ::access(folder.c_str(), W_OK | X_OK) == 0;
}

Leftovers EraseInFolder(const std::string& folder, const std::string& prefix, const Chooser& choose) {
  TreeEraser eraser(choose);
  if (const Folder open = OpenFolder(AT_FDCWD, folder, kFolderFlags)) eraser.EraseIn(open.get(), prefix);
  return std::move(eraser.leftovers);
}

std::shared_ptr<void> TryHoldFile(const std::string& path) {
  auto lock = std::make_shared<File>(LockFile(AT_FDCWD, path));
  return lock->get() >= 0 ? lock : nullptr;
}

std::unique_ptr<StoreLock> LockFolder(const std::string& path, std::string* fault) {
  File folder(Retry([&] { return ::open(path.c_str(), kFolderFlags); }));
  if (folder.get() >= 0 && Retry([&] { return ::flock(folder.get(), LOCK_EX); }) == 0) {
    return std::make_unique<HeldFolder>(std::move(folder));
  }
  *fault = "cannot lock " + path + ": " + std::generic_category().message(errno);
  return nullptr;
}

void EraseAbandonedFiles(const std::string& folder, bool (*is_one)(std::string_view name)) {
  const Folder open = OpenFolder(AT_FDCWD, folder, kFolderFlags);
  if (!open) return;
  for (const auto& [entry, inode] : ReadEntries(open.get())) {
    if (entry.kind == EntryKind::kValue && is_one(entry.name)) EraseIfAbandoned(::dirfd(open.get()), entry.name);
  }
}

}  // namespace zarr
