// SPDX-License-Identifier: MIT
#include "zarrlib/hierarchy/removal/removable.h"

#include <algorithm>
#include <cstddef>
#include <deque>
#include <vector>

#include "zarrlib/metadata/array_metadata.h"
#include "zarrlib/metadata/document_names.h"
#include "zarrlib/store/store_folders.h"
#include "zarrlib/store/temporary_names.h"

namespace zarr {
namespace {

/// How many folders are searched for stores to list in a message.
constexpr std::size_t kMostFolders = 500;
constexpr std::size_t kMostNames = 3;

bool HasV1Document(const Store& store, const std::string& folder) {
  const std::string key = JoinKey(folder, kV1Array);
  const auto text = store.GetText(key);
  return text && LooksLikeV1(JsonNode::Parse(*text, store.name(), key));
}

/// Returns true if a folder is likely to be a store, for a message; false if it cannot be checked.
bool LooksLikeStore(const Store& store, const std::string& folder) {
  try {
    const auto has = [&](std::string_view name) { return store.Exists(JoinKey(folder, name)); };
    return std::ranges::any_of(kOwnRootDocuments, has) || HasV1Document(store, folder);
  } catch (const Error&) {
    return false;
  }
}

struct FoundStores {
  std::vector<std::string> names;  // the first few
  std::size_t count = 0;
  bool are_all = true;
};

/// Finds the stores in a folder and its subfolders, but not inside other stores.
FoundStores FindStoresBelow(const Store& store) {
  FoundStores found;
  std::deque<std::string> folders{""};
  for (std::size_t looks = 0; !folders.empty(); ++looks) {
    if (looks == kMostFolders) return found.are_all = false, found;
    const std::string folder = folders.front();
    folders.pop_front();
    if (!folder.empty() && LooksLikeStore(store, folder)) {
      if (++found.count <= kMostNames) found.names.push_back(folder);
      continue;
    }
    const auto entries = ListEntries(store, folder.empty() ? folder : folder + "/");
    if (!entries) continue;
    std::vector<std::string> below;
    for (const StoreEntry& entry : *entries) {
      if (entry.kind == EntryKind::kFolder) below.push_back(JoinKey(folder, entry.name));
    }
    std::ranges::sort(below);
    folders.insert(folders.end(), below.begin(), below.end());
  }
  return found;
}

std::string Describe(const FoundStores& found, std::string_view action) {
  std::string text = "this is no store: it holds ";
  if (!found.are_all) text += "at least ";
  text += std::to_string(found.count) + (found.count == 1 ? " store: " : " stores: ");
  for (std::size_t i = 0; i < found.names.size(); ++i) text += (i == 0 ? "" : ", ") + found.names[i];
  if (found.count > found.names.size()) text += ", ...";
  return text + "; a store is " + std::string(action) + " by its own name";
}

/// Returns true if checking folders does not cost requests.
bool IsNear(const Store& store) {
  return store.info().lists_cheaply();
}

[[noreturn]] void FailNoStore(const Store& store, std::string_view path, std::string_view action) {
  const FoundStores found = path.empty() && IsNear(store) ? FindStoresBelow(store) : FoundStores();
  throw Error(ErrorKind::kNotFound, store.name(), std::string(path), "",
              found.count > 0 ? Describe(found, action)
                              : "expected a Zarr array or group with metadata of its own, got none; nothing is " +
                                    std::string(action));
}

std::optional<std::string> FindForeignBelow(const Store& store, const NodeTree& tree, const IsSideFile& is_side_file,
                                            const std::string& prefix) {
  const auto entries = ListEntries(store, prefix);
  if (!entries) return prefix;
  for (const StoreEntry& entry : *entries) {
    if (IsOwnTemporaryName(entry.name)) continue;
    const std::string path = prefix + entry.name;
    const Choice choice = tree.Choose(store, path, entry.kind, is_side_file);
    if (choice == Choice::kKeep) return path;
    if (choice != Choice::kEnter) continue;
    if (auto foreign = FindForeignBelow(store, tree, is_side_file, path + "/")) return foreign;
  }
  return std::nullopt;
}

}  // namespace

NodeTree ReadRemovable(const Store& store, std::string_view path, std::string_view action) {
  NodeTree tree = NodeTree::Read(store, path);
  if (const auto& fault = tree.left_out()) {
    throw Error(fault->kind(), fault->store(), fault->key(), fault->pointer(),
                fault->message() + "; nothing is " + std::string(action) +
                    ", because nobody knows what belongs to this node: repair it, or remove it as a folder");
  }
  if (!tree.empty()) return tree;
  FailNoStore(store, path, action);
}

void CheckIsStore(const Store& store, std::string_view action) {
  const auto has = [&](std::string_view name) { return store.Exists(name); };
  if (!std::ranges::any_of(kRootDocuments, has)) FailNoStore(store, "", action);
}

std::optional<std::string> FindForeign(const Store& store, const NodeTree& tree, const IsSideFile& is_side_file) {
  return FindForeignBelow(store, tree, is_side_file, "");
}

}  // namespace zarr
