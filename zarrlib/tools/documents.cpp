// SPDX-License-Identifier: MIT
#include "zarrlib/tools/documents.h"

#include <algorithm>
#include <string>
#include <vector>

#include "zarrlib/metadata/document_names.h"
#include "zarrlib/metadata/node_path.h"
#include "zarrlib/tools/check/consolidated_check.h"
#include "zarrlib/tools/stored_count.h"

namespace zarr::tools {
namespace {

/// Returns the arrays in a group; or, if the path is not a group, all arrays with its last name. Returns an empty list
/// if listing takes requests.
std::vector<std::string> FindMeantArrays(const Hierarchy& hierarchy, const std::string& path, bool is_group) {
  std::vector<std::string> arrays;
  if (!hierarchy.consolidated() && hierarchy.store()->info().is_on_network()) return arrays;
  ForEachArray(hierarchy, is_group ? path : "", NodeKind::kGroup, [&](const std::string& array) {
    if (is_group || NodeName(array) == NodeName(path)) arrays.push_back(array);
  });
  return arrays;
}

std::string JoinSome(const std::vector<std::string>& names) {
  constexpr std::size_t kMost = 10;
  std::string list;
  for (std::size_t i = 0; i < std::min(kMost, names.size()); ++i) list += (i > 0 ? ", " : "") + names[i];
  return names.size() > kMost ? list + " and " + std::to_string(names.size() - kMost) + " more" : list;
}

}  // namespace

std::shared_ptr<EditableHierarchy> OpenDocuments(const std::shared_ptr<Store>& store) {
  HierarchyOptions options;
  options.use_consolidated = false;
  try {
    auto hierarchy = EditableHierarchy::Open(store, options);
    if (hierarchy->Probe("") == NodeKind::kArray || !hierarchy->List("").empty()) return hierarchy;
    return Hierarchy::Open(store)->List("").empty() ? hierarchy : nullptr;
  } catch (const Error& error) {
    if (error.kind() != ErrorKind::kNotFound) throw;
    return nullptr;
  }
}

std::shared_ptr<Hierarchy> OpenDocumentsFirst(const std::shared_ptr<Store>& store) {
  if (auto documents = OpenDocuments(store)) return documents;
  return Hierarchy::Open(store);
}

std::shared_ptr<const Array> OpenNamedArray(const Hierarchy& hierarchy, const std::string& path) {
  if (auto array = hierarchy.FindArray(path)) return array;
  const bool is_group = hierarchy.Probe(path) == NodeKind::kGroup;
  const std::string store = hierarchy.store()->name();
  const std::vector<std::string> meant = FindMeantArrays(hierarchy, path, is_group);
  if (is_group) {
    throw Error(ErrorKind::kNotFound, store, path, "",
                "this is a group" + (meant.empty() ? " without arrays" : "; arrays in it: " + JoinSome(meant)));
  }
  try {
    return hierarchy.OpenArray(path);  // throws, with the names of nodes next to it
  } catch (const Error& error) {
    if (error.kind() != ErrorKind::kNotFound || meant.empty()) throw;
    throw Error(ErrorKind::kNotFound, store, path, "", error.message() + "; arrays of this name: " + JoinSome(meant));
  }
}

void CheckConsolidatedHaveDocuments(const Store& store, bool v3) {
  const auto check = ConsolidatedCheck::Make(store, "", v3);
  if (!check) return;
  const auto fail = [&](const std::string& what, const std::string& why) {
    throw Error(ErrorKind::kUnsupported, store.name(), check->key(), "",
                "the consolidated metadata name " + what + ", which " + why);
  };
  if (!v3 && !store.Exists(kV2Group)) fail("a store", "has no document of its own");
  for (const auto& difference : check->Compare()) {
    if (difference.what.empty()) {
      fail(difference.key, std::string("has no document of its own") +
                               (IsNothingLost(store, difference)
                                    ? ", nor anything else in its folder; zarrkit check --repair takes it out of them"
                                    : ""));
    }
    if (!difference.readable) fail(difference.key, "cannot be read itself: " + difference.what);
  }
}

void CheckNodesAreKnown(const Store& store, const Hierarchy& hierarchy) {
  if (hierarchy.consolidated() || hierarchy.Probe("") == NodeKind::kArray || store.List("")) return;
  throw Error(ErrorKind::kUnsupported, store.name(), "", "",
              "the store cannot be listed and has no consolidated metadata, so that its nodes are not known");
}

}  // namespace zarr::tools
