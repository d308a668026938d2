// SPDX-License-Identifier: MIT
#include "zarrlib/tools/documents.h"

#include <string>

#include "zarrlib/metadata/document_names.h"
#include "zarrlib/tools/check/consolidated_check.h"

namespace zarr::tools {

std::shared_ptr<Hierarchy> OpenDocuments(const std::shared_ptr<Store>& store) {
  HierarchyOptions options;
  options.use_consolidated = false;
  try {
    auto hierarchy = Hierarchy::Open(store, options);
    if (hierarchy->Probe("") == NodeKind::kArray || !hierarchy->List("").empty()) return hierarchy;
    return Hierarchy::Open(store)->List("").empty() ? hierarchy : nullptr;
  } catch (const Error& error) {
    if (error.kind() != ErrorKind::kNotFound) throw;
    return nullptr;
  }
}

std::shared_ptr<Hierarchy> OpenDocumentsFirst(const std::shared_ptr<Store>& store) {
  auto documents = OpenDocuments(store);
  return documents ? documents : Hierarchy::Open(store);
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
    if (difference.what.empty()) fail(difference.key, "has no document of its own");
    if (!difference.readable) fail(difference.key, "cannot be read itself: " + difference.what);
  }
}

void CheckNodesAreKnown(const Store& store, const Hierarchy& hierarchy) {
  if (hierarchy.consolidated() || hierarchy.Probe("") == NodeKind::kArray || store.List("")) return;
  throw Error(ErrorKind::kUnsupported, store.name(), "", "",
              "the store cannot be listed and has no consolidated metadata, so that its nodes are not known");
}

}  // namespace zarr::tools
