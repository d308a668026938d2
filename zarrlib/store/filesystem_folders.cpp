// SPDX-License-Identifier: MIT
#include "zarrlib/store/filesystem_folders.h"

#include <cerrno>

#include "zarrlib/base/system/file_names.h"
#include "zarrlib/store/files/file_stamp.h"
#include "zarrlib/store/files/filesystem_tree.h"
#include "zarrlib/store/files/paths.h"
#include "zarrlib/store/files/value_file.h"

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

/// Throws Error(not_found) unless a folder is there.
void CheckIsThere(bool is_there) {
  if (!is_there) throw Error(ErrorKind::kNotFound, FormatExpectedGot("a folder to be renamed", "none"));
}

bool IsLink(const std::string& path) {
  const auto status = GetStatus(path, Links::kKeep);
  return status && status->kind == FileKind::kLink;
}

}  // namespace

std::unique_ptr<OpenedValue> FilesystemFolders::Open(std::string_view key) const {
  CheckKey(key);
  return root_->At(key, [&]() -> std::unique_ptr<OpenedValue> {
    if (!root_->Owns(key)) return nullptr;
    FileStatus status;
    auto file = OpenValueFile(root_->path, root_->GetPath(key), &status);
    if (!file) return nullptr;
    return std::make_unique<OpenedFile>(*std::move(file), MakeFileStamp(status));
  });
}

std::vector<StoreEntry> FilesystemFolders::ListEntries(std::string_view prefix) const {
  CheckPrefix(prefix);
  return root_->At(prefix, [&] {
    auto entries = root_->Owns(prefix) ? ListFolder(root_->GetPath(prefix)) : std::nullopt;
    return std::move(entries).value_or(std::vector<StoreEntry>());
  });
}

std::optional<std::vector<std::string>> FilesystemFolders::ListNames(std::string_view prefix, std::size_t most) const {
  CheckPrefix(prefix);
  return ListAllNames(root_->path, root_->GetPath(prefix), most);
}

std::optional<EntryKind> FilesystemFolders::GetKind(std::string_view path) const {
  if (!path.empty()) CheckKey(path);
  return root_->At(path, [&] {
    if (path.empty()) return LookAt(root_->path);
    return root_->Owns(path) ? LookAt(root_->GetPath(path)) : std::nullopt;
  });
}

Leftovers FilesystemFolders::EraseChosen(std::string_view prefix, const Chooser& choose) {
  CheckPrefix(prefix);
  return root_->At(prefix, [&] {
    if (!root_->Owns(prefix)) return Leftovers();
    const std::string folder = root_->GetFolder(prefix);
    Leftovers leftovers = EraseInFolder(folder, std::string(prefix), choose);
    const bool is_kept =
        prefix.empty() || RemoveFolder(folder) || MeansAbsent(errno) || errno == ENOTEMPTY || errno == EEXIST;
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
    root_->CheckCanHold(to.substr(0, to.size() - 1));
    const std::string source = root_->GetFolder(from);
    CheckIsThere(root_->Owns(from));
    const std::string target = root_->GetFolder(to);
    const auto made = MakeFolders(GetParent(target));
    if (zarr::Rename(source, target)) {
      if (!root_->sync) return;
      root_->SyncNames(GetParent(target), !made.empty());
      return SyncFolder(GetParent(source));
    }
    const int error = errno;
    RemoveEmptyFolders(made);
    if (error == ENOENT) CheckIsThere(LookAt(source).has_value());
    errno = error;
    ThrowSystemError("rename the folder");
  });
}

bool FilesystemFolders::Exchange(std::string_view first, std::string_view second) {
  CheckMove(first, second);
  return root_->At(first, [&] {
    const std::string paths[] = {root_->GetFolder(first), root_->GetFolder(second)};
    if (zarr::Exchange(paths[0], paths[1])) {
      if (!root_->sync) return true;
      for (const std::string& path : paths) SyncFolder(GetParent(path));
      return true;
    }
    if (errno != ENOTSUP) ThrowSystemError("exchange the folders");
    return false;
  });
}

std::optional<FolderPlace> FilesystemFolders::FindFolder(std::string_view path) const {
  CheckKey(path);
  const std::string full = root_->GetPath(path);
  const auto folder = GetStatus(full, Links::kFollow);
  if (!folder || !root_->Owns(path) || folder->kind != FileKind::kFolder) return std::nullopt;
  FolderPlace place;
  place.identity = std::to_string(folder->identity.volume) + " " + std::to_string(folder->identity.number);
  place.is_link = IsLink(full);
  if (place.is_link) ++place.links;
  for (std::size_t end = path.find('/'); end != path.npos; end = path.find('/', end + 1)) {
    if (IsLink(root_->GetPath(path.substr(0, end)))) ++place.links;
  }
  place.leads_out = place.links > 0 && LeadsOut(full);
  return place;
}

bool FilesystemFolders::LeadsOut(const std::string& folder) const {
  const auto root = GetRealPath(root_->path);
  const auto place = GetRealPath(folder);
  if (!root || !place) return false;  // it has been removed in the meantime
  return *place != *root && !place->starts_with(root->back() == '/' ? *root : *root + "/");
}

}  // namespace zarr
