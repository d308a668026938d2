// SPDX-License-Identifier: MIT
#include "zarrlib/tools/check/repair.h"

#include <algorithm>
#include <functional>

#include "zarrlib/metadata/document_names.h"
#include "zarrlib/store/store_folders.h"
#include "zarrlib/tools/check/consolidated_check.h"
#include "zarrlib/tools/documents.h"
#include "zarrlib/tools/reshard/reshard_folder.h"

namespace zarr::tools {
namespace {

// --- interrupted reshards ----------------------------------------------------------------------------------------

/// Collects the paths of arrays with a reshard folder next to them. Does not follow links.
void FindReshards(const Store& store, const std::string& prefix, std::vector<std::string>* arrays) {
  for (const auto& [name, kind] : ListEntries(store, prefix).value_or(std::vector<StoreEntry>())) {
    if (kind != EntryKind::kFolder) continue;
    if (name.starts_with(kReshardPrefix)) {
      arrays->push_back(prefix + name.substr(kReshardPrefix.size()));
    } else {
      FindReshards(store, prefix + name + "/", arrays);
    }
  }
}

void RepairReshards(const std::shared_ptr<Store>& store, Findings* findings) {
  std::vector<std::string> arrays;
  FindReshards(*store, "", &arrays);
  for (const std::string& array : arrays) {
    try {
      ReshardFolder(store, array).Clear();
      findings->AddDone("repaired", ReshardFolder::GetKey(array));
    } catch (const Error& error) {
      findings->Add(StoreRule("repair-failed"), error);
    }
  }
}

// --- consolidated metadata ---------------------------------------------------------------------------------------

bool HasDocument(const Store& store, const std::string& path, bool v3) {
  const auto has = [&](std::string_view name) { return store.Exists(JoinKey(path, name)); };
  return v3 ? has(kV3Document) : has(kV2Array) || has(kV2Group);
}

/// Returns true if the consolidated metadata list all nodes at and below a path that have documents.
bool ListsAll(const Hierarchy& hierarchy, const ConsolidatedCheck& check, const std::string& path, bool v3) {
  if (HasDocument(*hierarchy.store(), path, v3) && !check.Names(path)) return false;
  if (hierarchy.Probe(path) == NodeKind::kArray) return true;
  const auto children = hierarchy.List(path);
  return std::ranges::all_of(children, [&](const Hierarchy::Child& child) {
    return ListsAll(hierarchy, check, JoinKey(path, child.name), v3);
  });
}

void RepairConsolidated(const std::shared_ptr<Store>& store, Findings* findings) {
  const auto hierarchy = OpenDocuments(store);
  if (!hierarchy) return;
  const bool v3 = hierarchy->format() == ZarrFormat::kV3;
  const auto check = ConsolidatedCheck::Make(*store, "", v3);
  if (!check || !HasDocument(*store, "", v3)) return;
  const auto differences = check->Compare();
  if (differences.empty() && ListsAll(*hierarchy, *check, "", v3)) return;
  const auto is_safe = [&](const auto& difference) { return IsNothingLost(*store, difference); };
  if (!std::ranges::all_of(differences, is_safe)) return;  // the check reports the problem
  hierarchy->SetConsolidate(true);
  hierarchy->WriteConsolidated();
  findings->AddDone("repaired", check->key());
}

}  // namespace

void RepairStore(const std::shared_ptr<Store>& store, Findings* findings) {
  RepairReshards(store, findings);
  try {
    RepairConsolidated(store, findings);
  } catch (const Error& error) {
    findings->Add(StoreRule("repair-failed"), error);
  }
}

}  // namespace zarr::tools
