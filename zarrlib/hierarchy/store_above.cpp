// SPDX-License-Identifier: MIT
#include "zarrlib/hierarchy/store_above.h"

#include <algorithm>
#include <cstddef>
#include <optional>
#include <string_view>

#include "zarrlib/base/error.h"
#include "zarrlib/hierarchy/hierarchy.h"
#include "zarrlib/hierarchy/near_names.h"
#include "zarrlib/metadata/document_names.h"
#include "zarrlib/metadata/node_path.h"

namespace zarr {
namespace {

constexpr std::size_t kMostFolders = 32;

/// Opens the hierarchy in a folder; returns null if the folder does not have metadata. Throws Error if they are
/// unreadable.
std::shared_ptr<Hierarchy> FindHierarchy(const std::string& folder, const FolderOpener& open) {
  std::shared_ptr<Store> store = open(folder);
  const auto is_there = [&](std::string_view document) { return store->Exists(document); };
  return std::ranges::any_of(kOwnRootDocuments, is_there) ? Hierarchy::Open(std::move(store)) : nullptr;
}

/// Returns the error that a group does not have a node; nullopt if the node exists, or the root is not a group.
std::optional<Error> FindMissing(const Hierarchy& hierarchy, std::string_view node) {
  if (hierarchy.Probe("") != NodeKind::kGroup || hierarchy.Probe(node)) return std::nullopt;
  return MakeMissingNodeError(hierarchy, node, "an array or a group");
}

std::string_view TrimSlashes(std::string_view path) {
  while (path.ends_with('/')) path.remove_suffix(1);
  return path;
}

/// Calls a function for the folders above a path, the nearest first, with the path in them, until it returns false.
void VisitAbove(std::string_view path,
                const std::function<bool(const std::string& folder, std::string_view node)>& visit) {
  std::string_view folder = path;
  for (std::size_t count = 0; count < kMostFolders; ++count) {
    const std::size_t slash = folder.rfind('/');
    const std::string_view node = path.substr(slash == std::string_view::npos ? 0 : slash + 1);
    if (slash == std::string_view::npos || !IsKey(node)) break;
    folder = TrimSlashes(folder.substr(0, slash));
    if (folder.empty() || !visit(std::string(folder), node)) break;
  }
}

/// Returns the error that the nearest folder with metadata above a path is a group without that node; otherwise
/// nullopt.
std::optional<Error> FindMissingBelow(std::string_view path, const FolderOpener& open) {
  std::optional<Error> missing;
  VisitAbove(path, [&](const std::string& folder, std::string_view node) {
    const auto hierarchy = FindHierarchy(folder, open);
    if (hierarchy) missing = FindMissing(*hierarchy, node);
    return !hierarchy;
  });
  return missing;
}

bool HasNode(const std::string& folder, std::string_view node, const FolderOpener& open) {
  try {
    const auto hierarchy = FindHierarchy(folder, open);
    if (!hierarchy || hierarchy->Probe("") != NodeKind::kGroup) return false;
    if (node.ends_with(".zarr")) return hierarchy->consolidated() && hierarchy->ProbeListed(node);
    return hierarchy->Probe(node).has_value();
  } catch (const Error& error) {
    if (error.kind() == ErrorKind::kIo) throw;
    return false;
  }
}

}  // namespace

void CheckNodeInStoreAbove(const std::string& path, const FolderOpener& open) {
  std::optional<Error> missing;
  try {
    missing = FindMissingBelow(TrimSlashes(path), open);
  } catch (const Error&) {
    // If a parent cannot be read, assume that it may contain the node.
  }
  if (missing) throw *missing;
}

std::optional<StoreAbove> FindStoreAbove(const std::string& path, const FolderOpener& open) {
  std::optional<StoreAbove> found;
  VisitAbove(TrimSlashes(path), [&](const std::string& folder, std::string_view node) {
    if (HasNode(folder, node, open)) found = {folder, std::string(node)};
    return true;
  });
  return found;
}

}  // namespace zarr
