// SPDX-License-Identifier: MIT
#include "driver/create/removal.h"

#include <cpl_vsi.h>

#include <algorithm>
#include <memory>
#include <optional>
#include <vector>

#include "driver/dataset/leftovers.h"
#include "driver/gdal/gdal_error.h"
#include "driver/stores/gdal_side_file.h"
#include "driver/stores/store_factory.h"
#include "driver/stores/store_root.h"
#include "driver/stores/zip_archive_writer.h"
#include "zarrlib/hierarchy/node_removal.h"
#include "zarrlib/hierarchy/node_tree.h"
#include "zarrlib/store/filesystem_tree.h"

namespace gdal_zarr {
namespace {

bool IsLink(const std::string& folder) {
  return !folder.starts_with("/vsi") && zarr::LookAt(folder) == zarr::EntryKind::kLink;
}

/// Opens the store's hierarchy; null if its root is broken, which does not keep it from being removed.
std::shared_ptr<zarr::Hierarchy> OpenToRemove(const std::shared_ptr<zarr::Store>& store) {
  try {
    return OpenForChange(store);
  } catch (const zarr::Error& error) {
    if (error.kind() != zarr::ErrorKind::kCorrupt && error.kind() != zarr::ErrorKind::kUnsupported) throw;
    return nullptr;
  }
}

bool IsOnDisk(const std::string& folder) {
  return !folder.starts_with("/vsi");
}

/// Removes the folder of a store if a process was stopped before it could put the first document there.
bool RemoveUnmadeStore(const std::string& folder, zarr::Store& store) {
  if (!IsOnDisk(folder)) return false;  // elsewhere no temporary files are made, and a list may cost a request
  const auto entries = store.ListEntries("");
  if (!entries || entries->empty() || !zarr::HoldsOnlyTemporaries(store, "")) return false;
  store.EraseAbandoned();
  return VSIRmdir(folder.c_str()) == 0;
}

/// Throws zarr::Error if a folder from which something is to be removed takes no changes. A removal that came to such a
/// folder on its way would leave values, and no metadata with which the rest could be read.
void CheckFoldersTakeChanges(const std::string& folder, const zarr::Store& store, const zarr::NodeTree& tree,
                             const std::string& prefix = "") {
  const auto entries = store.ListEntries(prefix);
  if (!entries) return;
  const auto choose = [&](const zarr::Store::Entry& entry) {
    return tree.Choose(store, prefix + entry.name, entry.kind, IsGdalSideFile);
  };
  const auto is_removed = [&](const zarr::Store::Entry& entry) {
    const zarr::Choice choice = choose(entry);
    return choice == zarr::Choice::kErase || choice == zarr::Choice::kEnter;
  };
  if (!zarr::MayChangeNamesIn(folder + "/" + prefix) && std::ranges::any_of(*entries, is_removed)) {
    throw zarr::Error(zarr::ErrorKind::kIo, folder, prefix, "",
                      "nothing is removed, because this folder takes no changes");
  }
  for (const zarr::Store::Entry& entry : *entries) {
    if (entry.kind != zarr::EntryKind::kFolder || choose(entry) != zarr::Choice::kEnter) continue;
    CheckFoldersTakeChanges(folder, store, tree, prefix + entry.name + "/");
  }
}

/// Finds the first value below a prefix that no metadata name.
std::optional<std::string> FindForeign(const zarr::Store& store, const zarr::NodeTree& tree,
                                       const std::string& prefix) {
  const auto entries = store.ListEntries(prefix);
  if (!entries) return prefix;
  for (const zarr::Store::Entry& entry : *entries) {
    const std::string path = prefix + entry.name;
    const zarr::Choice choice = tree.Choose(store, path, entry.kind, IsGdalSideFile);
    if (choice == zarr::Choice::kKeep) return path;
    if (choice != zarr::Choice::kEnter) continue;
    if (auto foreign = FindForeign(store, tree, path + "/")) return foreign;
  }
  return std::nullopt;
}

}  // namespace

void RemoveStore(const std::string& folder) {
  if (IsLink(folder)) {
    OpenToRemove(MakeStore(folder));  // throws if the link leads to no store
    if (VSIUnlink(folder.c_str()) == 0) return;
    throw zarr::Error(zarr::ErrorKind::kIo, folder, "", "", "the link to the store cannot be removed");
  }
  const std::shared_ptr<zarr::Store> store = MakeStoreToChange(MakeStore(folder));
  CheckTakesWrites(*store);
  if (RemoveUnmadeStore(folder, *store)) return;
  zarr::FinishRemovals(*store);
  const auto hierarchy = OpenToRemove(store);
  const auto place = hierarchy ? FindStoreRoot(folder, *hierarchy) : std::nullopt;
  if (place) {
    const auto above = OpenForChange(MakeStore(place->store));
    return WarnOfLeftovers(place->store, above->Delete(place->node));
  }
  const zarr::NodeTree tree = zarr::NodeTree::Read(*store, "");
  if (IsOnDisk(folder)) CheckFoldersTakeChanges(folder, *store, tree);
  const zarr::Store::Leftovers leftovers = zarr::RemoveTree(*store, "", tree, IsGdalSideFile);
  zarr::Array::ForgetCached(*store, "");
  WarnOfLeftovers(folder, leftovers);
  const auto left = store->ListEntries("");
  if (left && left->empty()) VSIRmdir(folder.c_str());
}

void RemoveArchive(const std::string& archive, const std::string& folder_in_archive) {
  const std::string path = "/vsizip/{" + archive + "}" + (folder_in_archive.empty() ? "" : "/" + folder_in_archive);
  const std::shared_ptr<zarr::Store> store = MakeStore(path);
  zarr::Hierarchy::Open(store);
  if (const auto foreign = FindForeign(*store, zarr::NodeTree::Read(*store, ""), "")) {
    throw zarr::Error(zarr::ErrorKind::kUnsupported, archive, *foreign, "",
                      "no Zarr metadata name this file; the archive is not removed");
  }
  if (VSIUnlink(archive.c_str()) != 0) {
    throw zarr::Error(zarr::ErrorKind::kIo, archive, "", "", "the archive cannot be removed");
  }
}

void TakeBackStore(const std::string& path) {
  if (SplitZipPath(path)) return;
  const ErrorCollector quiet;
  RemoveStore(path);
}

void TryTakeBackStore(const std::string& path) {
  const ErrorCollector quiet;
  TryChange([&] { TakeBackStore(path); });
}

}  // namespace gdal_zarr
