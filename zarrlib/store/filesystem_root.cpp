// SPDX-License-Identifier: MIT
#include "zarrlib/store/filesystem_root.h"

#include "zarrlib/base/system/file.h"
#include "zarrlib/store/files/name_rules.h"
#include "zarrlib/store/files/paths.h"

namespace zarr {

std::string FilesystemRoot::GetPath(std::string_view key) const {
  std::string result;
  result.reserve(path.size() + 1 + key.size());  // one allocation: this is called for each chunk
  result.append(path);
  if (path.back() != '/') result += '/';
  result.append(key);
  return result;
}

bool FilesystemRoot::Owns(std::string_view key) const {
  return !folds_case || IsSpelledSo(path, key.substr(0, key.size() - (key.ends_with('/') ? 1 : 0)));
}

void FilesystemRoot::CheckCanHold(std::string_view key) const {
  CheckCanBeNamed(path, key, folds_case);
}

void FilesystemRoot::SyncNames(std::string folder, bool with_parents) const {
  SyncFolder(folder);
  // Always syncs the parent folders too: it is not known which of them are new, or are being created by another
  // process.
  if (!with_parents) return;
  while (folder.size() > path.size()) {
    folder = GetParent(folder);
    SyncFolder(folder);
  }
  SyncFolder(GetParent(path));
}

std::string TrimFolderName(std::string name) {
  if (name.empty()) name = ".";
  while (name.size() > 1 && name.back() == '/') name.pop_back();
  return name;
}

void SyncFolder(const std::string& folder) {
  if (!zarr::SyncNamesIn(folder)) ThrowSystemError("force the folder to the disk");
}

}  // namespace zarr
