// SPDX-License-Identifier: MIT
#include "zarrlib/store/filesystem_folders.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <filesystem>
#include <system_error>

#include "zarrlib/store/os/file_stamp.h"
#include "zarrlib/store/os/filesystem_tree.h"
#include "zarrlib/store/os/value_file.h"

namespace zarr {
namespace {

class OpenedFile final : public OpenedValue {
 public:
  OpenedFile(File file, VersionStamp stamp) : file_(std::move(file)), stamp_(std::move(stamp)) {}
  const VersionStamp& stamp() const override { return stamp_; }
  void Read(std::uint64_t offset, MutableByteSpan buffer) const override { ReadFileAt(file_, offset, buffer); }

 private:
  File file_;
  VersionStamp stamp_;
};

/// Throws Error(not_found) if there is no such folder.
void CheckFolderIsThere(const std::string& folder) {
  if (!LookAt(folder)) throw Error(ErrorKind::kNotFound, FormatExpectedGot("a folder to be renamed", "none"));
}

/// Exchanges two folders atomically. Returns false, and sets errno, if the file system cannot do that.
bool ExchangeFolders(const std::string& first, const std::string& second) {
#ifdef RENAME_EXCHANGE
  return ::renameat2(AT_FDCWD, first.c_str(), AT_FDCWD, second.c_str(), RENAME_EXCHANGE) == 0;
#else
  errno = ENOSYS;
  return false;
#endif
}

bool IsLink(const std::string& path) {
  struct stat status;
  return ::lstat(path.c_str(), &status) == 0 && S_ISLNK(status.st_mode);
}

}  // namespace

std::unique_ptr<OpenedValue> FilesystemFolders::Open(std::string_view key) const {
  CheckKey(key);
  return root_->At(key, [&]() -> std::unique_ptr<OpenedValue> {
    struct stat status;
    auto file = OpenValueFile(root_->path, root_->GetPath(key), &status);
    if (!file) return nullptr;
    return std::make_unique<OpenedFile>(*std::move(file), MakeFileStamp(status));
  });
}

std::vector<StoreEntry> FilesystemFolders::ListEntries(std::string_view prefix) const {
  CheckPrefix(prefix);
  return root_->At(prefix, [&] { return ListFolder(root_->GetPath(prefix)).value_or(std::vector<StoreEntry>()); });
}

std::optional<std::vector<std::string>> FilesystemFolders::ListNames(std::string_view prefix, std::size_t most) const {
  CheckPrefix(prefix);
  return zarr::ListNames(root_->GetPath(prefix), most);
}

std::optional<EntryKind> FilesystemFolders::GetKind(std::string_view path) const {
  if (!path.empty()) CheckKey(path);
  return root_->At(path, [&] { return LookAt(path.empty() ? root_->path : root_->GetPath(path)); });
}

Leftovers FilesystemFolders::EraseChosen(std::string_view prefix, const Chooser& choose) {
  CheckPrefix(prefix);
  return root_->At(prefix, [&] {
    const std::string folder = root_->GetFolder(prefix);
    Leftovers leftovers = EraseInFolder(folder, std::string(prefix), choose);
    const bool is_kept =
        prefix.empty() || ::rmdir(folder.c_str()) == 0 || MeansAbsent(errno) || errno == ENOTEMPTY || errno == EEXIST;
    if (!is_kept) ThrowSystemError("remove the folder");
    // Another process may have removed the folder above.
    if (root_->sync && LookAt(GetParent(folder))) SyncFolder(GetParent(folder));
    return leftovers;
  });
}

void FilesystemFolders::EraseAbandoned() {
  root_->At("", [&] { EraseAbandonedFiles(root_->path); });
}

void FilesystemFolders::Rename(std::string_view from, std::string_view to) {
  CheckMove(from, to);
  root_->At(from, [&] {
    const std::string source = root_->GetFolder(from);
    const std::string target = root_->GetFolder(to);
    const auto made = MakeFolders(GetParent(target));
    if (::rename(source.c_str(), target.c_str()) == 0) {
      if (!root_->sync) return;
      root_->SyncNames(GetParent(target), !made.empty());
      return SyncFolder(GetParent(source));
    }
    const int error = errno;
    RemoveEmptyFolders(made);
    if (error == ENOENT) CheckFolderIsThere(source);
    errno = error;
    ThrowSystemError("rename the folder");
  });
}

bool FilesystemFolders::Exchange(std::string_view first, std::string_view second) {
  CheckMove(first, second);
  return root_->At(first, [&] {
    const std::string paths[] = {root_->GetFolder(first), root_->GetFolder(second)};
    if (ExchangeFolders(paths[0], paths[1])) {
      if (!root_->sync) return true;
      for (const std::string& path : paths) SyncFolder(GetParent(path));
      return true;
    }
    const bool cannot = errno == ENOSYS || errno == EINVAL || errno == EOPNOTSUPP || errno == EXDEV;
    if (!cannot) ThrowSystemError("exchange the folders");
    return false;
  });
}

std::optional<FolderPlace> FilesystemFolders::FindFolder(std::string_view path) const {
  CheckKey(path);
  struct stat folder;
  const std::string full = root_->GetPath(path);
  if (::stat(full.c_str(), &folder) != 0 || !S_ISDIR(folder.st_mode)) return std::nullopt;
  FolderPlace place;
  place.identity = std::to_string(folder.st_dev) + " " + std::to_string(folder.st_ino);
  place.is_link = IsLink(full);
  if (place.is_link) ++place.links;
  for (std::size_t end = path.find('/'); end != path.npos; end = path.find('/', end + 1)) {
    if (IsLink(root_->GetPath(path.substr(0, end)))) ++place.links;
  }
  place.leads_out = place.links > 0 && LeadsOut(full);
  return place;
}

bool FilesystemFolders::LeadsOut(const std::string& folder) const {
  std::error_code error;
  const std::filesystem::path root = std::filesystem::canonical(root_->path, error);
  const std::filesystem::path place = std::filesystem::canonical(folder, error);
  if (error) return false;  // it has been removed in the meantime
  return std::mismatch(root.begin(), root.end(), place.begin(), place.end()).first != root.end();
}

}  // namespace zarr
