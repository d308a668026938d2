// SPDX-License-Identifier: MIT
#include "zarrlib/store/files/folder_listing.h"

#include <algorithm>
#include <cerrno>
#include <string_view>

#include "zarrlib/base/system/folder.h"
#include "zarrlib/store/files/paths.h"

namespace zarr {
namespace {

bool IsHidden(std::string_view name) {
  return name.starts_with(kTemporaryPrefix);
}

/// Follows symbolic links. Broken and circular links are neither keys nor prefixes.
FileKind GetKindOfTarget(const Folder& folder, const Folder::Entry& entry) {
  if (entry.kind != FileKind::kLink) return entry.kind;
  if (const auto target = folder.GetStatus(entry.name, Links::kFollow)) return target->kind;
  if (!MeansAbsent(errno) && errno != ELOOP) ThrowSystemError("get the status of \"" + entry.name + "\"");
  return FileKind::kOther;
}

}  // namespace

Listing ListShown(const std::string& path) {
  Listing listing;
  Folder folder = Folder::Open(path);
  if (!folder.is_open()) {
    if (!MeansAbsent(errno)) ThrowSystemError("list");
    return listing;
  }
  Folder::Entry entry;
  while (folder.Next(&entry)) {
    if (IsHidden(entry.name)) continue;
    const FileKind kind = GetKindOfTarget(folder, entry);
    if (kind == FileKind::kFile) listing.keys.push_back(entry.name);
    if (kind == FileKind::kFolder) listing.prefixes.push_back(entry.name);
  }
  if (errno != 0) ThrowSystemError("list");
  std::sort(listing.keys.begin(), listing.keys.end());
  std::sort(listing.prefixes.begin(), listing.prefixes.end());
  return listing;
}

}  // namespace zarr
