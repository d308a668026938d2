// SPDX-License-Identifier: MIT
#include "zarrlib/hierarchy/store_above.h"

#include <algorithm>
#include <cstddef>
#include <string_view>

#include "zarrlib/base/error.h"
#include "zarrlib/hierarchy/hierarchy.h"
#include "zarrlib/hierarchy/near_names.h"
#include "zarrlib/metadata/document_names.h"
#include "zarrlib/metadata/node_path.h"

namespace zarr {
namespace {

constexpr std::size_t kMostFolders = 32;

/// Opens the hierarchy in a folder; null if the folder has no metadata, or they cannot be read.
std::shared_ptr<Hierarchy> FindHierarchy(const std::string& folder, const FolderOpener& open) {
  try {
    std::shared_ptr<Store> store = open(folder);
    const auto is_there = [&](std::string_view document) { return store->Exists(document); };
    return std::ranges::any_of(kOwnRootDocuments, is_there) ? Hierarchy::Open(std::move(store)) : nullptr;
  } catch (const Error&) {
    return nullptr;
  }
}

std::string_view TrimSlashes(std::string_view path) {
  while (path.ends_with('/')) path.remove_suffix(1);
  return path;
}

}  // namespace

void CheckNodeInStoreAbove(const std::string& path, const FolderOpener& open) {
  const std::string_view whole = TrimSlashes(path);
  std::string_view folder = whole;
  for (std::size_t count = 0; count < kMostFolders; ++count) {
    const std::size_t slash = folder.rfind('/');
    const std::string_view node = whole.substr(slash == std::string_view::npos ? 0 : slash + 1);
    if (slash == std::string_view::npos || !IsKey(node)) return;
    folder = TrimSlashes(folder.substr(0, slash));
    if (folder.empty()) return;
    if (const auto hierarchy = FindHierarchy(std::string(folder), open)) {
      if (hierarchy->Probe("") != NodeKind::kGroup) return;
      throw MakeMissingNodeError(*hierarchy, node, "an array or a group");
    }
  }
}

}  // namespace zarr
