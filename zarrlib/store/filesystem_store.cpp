// SPDX-License-Identifier: MIT
#include "zarrlib/store/filesystem_store.h"

#include <cerrno>
#include <utility>

#include "zarrlib/base/system/file_names.h"
#include "zarrlib/store/files/file_stamp.h"
#include "zarrlib/store/files/folder_listing.h"
#include "zarrlib/store/files/name_rules.h"
#include "zarrlib/store/files/new_file.h"
#include "zarrlib/store/files/paths.h"
#include "zarrlib/store/files/value_file.h"
#include "zarrlib/store/filesystem_folders.h"
#include "zarrlib/store/filesystem_locks.h"
#include "zarrlib/store/filesystem_root.h"
#include "zarrlib/store/wanted_ranges.h"

namespace zarr {
namespace {

/// Writes the file of a new value. Returns false if there is a file already, and nullopt if the file could not get its
/// name (see NewFile::AddName).
std::optional<bool> AddNew(const FilesystemRoot& root, const std::string& path, ByteSpan value, NewFile::Kind kind) {
  NewFile file(GetParent(path), root.path, kind);
  file.Write(value);
  if (root.sync) file.Sync();
  const auto is_new = file.AddName(path);
  if (is_new == true && root.sync) root.SyncNames(GetParent(path), file.made_folders());
  return is_new;
}

/// Writes the file of a value. Returns false if the file could not get its name (see NewFile).
bool Replace(const FilesystemRoot& root, const std::string& path, ByteSpan value, NewFile::Kind kind,
             bool* made_folders) {
  NewFile file(GetParent(path), root.path, kind);
  *made_folders |= file.made_folders();
  file.Write(value);
  if (root.sync) file.Sync();
  return file.Become(path);
}

std::shared_ptr<const FilesystemRoot> MakeRoot(const std::string& name, bool sync) {
  FilesystemRoot root{.name = name, .path = GetCanonicalPath(name), .sync = sync};
  root.folds_case = FoldsCase(root.path);
  return std::make_shared<const FilesystemRoot>(std::move(root));
}

}  // namespace

FilesystemStore::FilesystemStore(std::string root, const FilesystemOptions& options)
    : Store(TrimFolderName(std::move(root))),
      root_(MakeRoot(name(), options.sync)),
      folders_(std::make_unique<FilesystemFolders>(root_)),
      locks_(std::make_unique<FilesystemLocks>(root_)),
      unnamed_files_(options.unnamed_files) {}

FilesystemStore::~FilesystemStore() = default;

std::string FilesystemStore::identity() const {
  return root_->path == "/" ? "" : root_->path;
}

StoreInfo FilesystemStore::info() const {
  return {.lists = true, .writes = true};
}

StoreFolders* FilesystemStore::folders() const {
  return folders_.get();
}

StoreLocks* FilesystemStore::locks() const {
  return locks_.get();
}

bool FilesystemStore::Read(const ReadRequest& request) const {
  CheckKey(request.key);
  using Part = ReadRequest::Part;
  return root_->At(request.key, [&] {
    if (!root_->Owns(request.key)) return false;
    const std::string path = root_->GetPath(request.key);
    if (request.part == Part::kPresence || request.part == Part::kStamp) {
      return LookAtValue(root_->path, path, request.stamp);
    }
    FileStatus status;
    const auto file = OpenValueFile(root_->path, path, &status);
    if (!file) return false;
    const WantedRanges wanted(request, status.size);
    for (std::size_t i = 0; i < wanted.ranges().size(); ++i) {
      ReadFileAt(*file, wanted.ranges()[i].offset, wanted.buffers()[i]);
    }
    if (request.stamp) *request.stamp = MakeFileStamp(status);
    return true;
  });
}

std::optional<Listing> FilesystemStore::List(std::string_view prefix, const ListOptions& options) const {
  CheckPrefix(prefix);
  if (!options.is_plain()) return std::nullopt;
  return root_->At(prefix, [&] {
    if (!root_->Owns(prefix)) return Listing{};
    if (LeadsBack(root_->path, prefix.substr(0, prefix.empty() ? 0 : prefix.size() - 1))) return Listing{};
    return ListShown(root_->GetPath(prefix));
  });
}

bool FilesystemStore::Write(std::string_view key, ByteSpan value, WriteIf condition) {
  CheckKey(key);
  return root_->At(key, [&] {
    root_->CheckCanHold(key);
    const std::string path = root_->GetPath(key);
    if (condition == WriteIf::kAlways) return Put(path, value), true;
    if (const auto added = Add(path, value)) return *added;
    if (LookAtValue(root_->path, path, nullptr)) return false;
    return Put(path, value), true;
  });
}

void FilesystemStore::Put(const std::string& path, ByteSpan value) {
  bool made_folders = false;
  if (!unnamed_files_ || !Replace(*root_, path, value, NewFile::Kind::kUnnamedIfPossible, &made_folders)) {
    unnamed_files_ = false;
    Replace(*root_, path, value, NewFile::Kind::kNamed, &made_folders);
  }
  if (root_->sync) root_->SyncNames(GetParent(path), made_folders);
}

std::optional<bool> FilesystemStore::Add(const std::string& path, ByteSpan value) {
  if (unnamed_files_) {
    if (const auto is_new = AddNew(*root_, path, value, NewFile::Kind::kFirstInFolder)) return is_new;
    unnamed_files_ = false;
  }
  return AddNew(*root_, path, value, NewFile::Kind::kNamed);
}

void FilesystemStore::EraseAll(std::span<const std::string> keys) {
  for (const std::string& key : keys) {
    if (!IsFolderKey(key)) EraseOne(key);
  }
}

void FilesystemStore::EraseOne(const std::string& key) {
  root_->At(key, [&] {
    if (!root_->Owns(key)) return;
    const std::string path = root_->GetPath(key);
    if (RemoveFile(path)) {
      if (root_->sync) SyncFolder(GetParent(path));
    } else if (!MeansAbsent(errno)) {
      ThrowSystemError("remove");
    } else {
      CheckNoBrokenLink(root_->path, path);
    }
  });
}

}  // namespace zarr
