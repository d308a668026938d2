// SPDX-License-Identifier: MIT
#include "driver/create/removal.h"

#include <cpl_vsi.h>

#include <algorithm>
#include <cerrno>
#include <memory>
#include <optional>
#include <system_error>
#include <utility>

#include "driver/create/whole_store.h"
#include "driver/dataset/leftovers.h"
#include "driver/dataset/open_stores.h"
#include "driver/gdal/gdal_error.h"
#include "driver/gdal/repository_name.h"
#include "driver/stores/gdal_side_file.h"
#include "driver/stores/kerchunk/parquet_folder.h"
#include "driver/stores/kerchunk/reference_name.h"
#include "driver/stores/store_factory.h"
#include "driver/stores/store_root.h"
#include "driver/stores/vsi/look_at.h"
#include "driver/stores/vsi/vsi_store.h"
#include "driver/stores/zip_archive_writer.h"
#include "zarrlib/base/system/file_names.h"
#include "zarrlib/hierarchy/hierarchy.h"
#include "zarrlib/hierarchy/removal/node_removal.h"
#include "zarrlib/hierarchy/removal/node_tree.h"
#include "zarrlib/hierarchy/removal/removable.h"
#include "zarrlib/store/store_folders.h"

namespace gdal_zarr {
namespace {

thread_local const KeptFolder* kept = nullptr;

bool IsOnDisk(const std::string& folder) {
  return !folder.starts_with("/vsi");
}

/// Throws zarr::Error if any folder with nodes to remove is not writable. Otherwise a removal that reaches such a
/// folder would leave values without the metadata that is needed to read them.
void CheckFoldersTakeChanges(const std::string& folder, const zarr::Store& store, const zarr::NodeTree& tree,
                             const std::string& prefix = "") {
  const auto entries = zarr::ListEntries(store, prefix);
  if (!entries) return;
  const auto choose = [&](const zarr::StoreEntry& entry) {
    return tree.Choose(store, prefix + entry.name, entry.kind, IsGdalSideFile);
  };
  const auto is_removed = [&](const zarr::StoreEntry& entry) {
    const zarr::Choice choice = choose(entry);
    return choice == zarr::Choice::kErase || choice == zarr::Choice::kEnter;
  };
  if (!zarr::MayChangeNamesIn(folder + "/" + prefix) && std::ranges::any_of(*entries, is_removed)) {
    throw zarr::Error(zarr::ErrorKind::kIo, folder, prefix, "",
                      "nothing is removed, because this folder takes no changes");
  }
  for (const zarr::StoreEntry& entry : *entries) {
    if (entry.kind != zarr::EntryKind::kFolder || choose(entry) != zarr::Choice::kEnter) continue;
    CheckFoldersTakeChanges(folder, store, tree, prefix + entry.name + "/");
  }
}

void RemoveEmptyFolder(const std::string& folder, const zarr::Store& store) {
  const auto left = zarr::ListEntries(store, "");
  if (left && left->empty() && !KeptFolder::Holds(folder)) VSIRmdir(folder.c_str());
}

void RemoveUnmadeStore(const std::string& folder, zarr::Store& store) {
  if (store.info().is_on_network()) return;  // where folders are only parts of keys
  if (zarr::StoreFolders* const folders = store.folders()) folders->EraseAbandoned();
  if (KeptFolder::Holds(folder) || VSIRmdir(folder.c_str()) == 0) return;
  throw zarr::Error(zarr::ErrorKind::kIo, folder, "", "", "the folder cannot be removed");
}

/// Removes the nodes of a tree that was read from a folder's store.
void RemoveFolder(const std::string& folder, const zarr::NodeTree& tree) {
  const std::shared_ptr<zarr::Store> store = MakeStoreToChange(MakeStore(folder));
  const auto above = FindPlaceAbove(folder);
  const zarr::Leftovers leftovers = zarr::RemoveTree(*store, "", tree, IsGdalSideFile);
  zarr::ForgetCachedArrays(*store, "");
  WarnOfLeftovers(folder, leftovers);
  RemoveEmptyFolder(folder, *store);
  if (above) TellStoreAbove(*above);
}

void RemoveNode(const WholeStore& whole) {
  const auto hierarchy = OpenForChange(MakeStoreToChange(MakeStore(whole.above)));
  WarnOfLeftovers(whole.above, hierarchy->Delete(whole.node));
  hierarchy->WriteConsolidated();  // also those of the groups between
}

void RemoveParquet(const std::string& folder, zarr::Store& store) {
  WarnOfLeftovers(folder, zarr::EraseChosen(store, "", MakeParquetChooser(store)));
  RemoveEmptyFolder(folder, store);
}

void RemoveFile(const std::string& path) {
  errno = 0;
  if (VSIUnlink(path.c_str()) == 0) return;
  throw zarr::Error(zarr::ErrorKind::kIo, path, "", "",
                    "the file cannot be removed" + (errno == 0 ? "" : ": " + std::generic_category().message(errno)));
}

}  // namespace

std::optional<PlaceInStore> FindPlaceAbove(const std::string& folder) {
  if (LeadsToNetwork(folder)) return std::nullopt;
  try {
    zarr::HierarchyOptions options;
    options.use_consolidated = false;
    return FindLargerStore(folder, *zarr::Hierarchy::Open(MakeStore(folder), options));
  } catch (const zarr::Error& error) {
    if (error.kind() == zarr::ErrorKind::kIo) {
      CPLError(CE_Warning, CPLE_FileIO, "%s; consolidated metadata above %s may not follow its change", error.what(),
               folder.c_str());
    }
    return std::nullopt;  // otherwise the root is damaged, or was not made
  }
}

void TellStoreAbove(const PlaceInStore& place) {
  try {
    UpdateConsolidated(place, {""});
  } catch (const zarr::Error& error) {
    CPLError(CE_Warning, CPLE_FileIO, "%s; the consolidated metadata of %s do not follow the change of %s",
             error.what(), place.store.c_str(), place.node.c_str());
  }
}

std::optional<std::string> FindEmptyFolder(const std::string& path) {
  if (LeadsToNetwork(path) || NamesRepository(path) || SplitZipPath(path)) return std::nullopt;
  if (LookAt(path) != Presence::kFolder) return std::nullopt;
  const auto entries = zarr::ListEntries(*MakeStore(path), "");
  return entries && entries->empty() ? std::optional(GetPlace(path)) : std::nullopt;
}

KeptFolder::KeptFolder(std::optional<std::string> place) : place_(std::move(place)), outer_(kept) {
  kept = this;
}

KeptFolder::~KeptFolder() {
  kept = outer_;
}

bool KeptFolder::Holds(const std::string& path) {
  for (const KeptFolder* folder = kept; folder; folder = folder->outer_) {
    if (folder->place_ && *folder->place_ == GetPlace(path)) return true;
  }
  return false;
}

bool HoldsUnmadeStore(const std::string& folder, const zarr::Store& store) {
  if (!IsOnDisk(folder)) return false;  // elsewhere no temporary files are created, and a listing may cost a request
  const auto entries = zarr::ListEntries(store, "");
  return entries && !entries->empty() && zarr::HoldsOnlyTemporaries(store, "");
}

void RemoveWholeStore(const WholeStore& whole) {
  if (whole.tree && IsOnDisk(whole.path)) CheckFoldersTakeChanges(whole.path, *whole.store, *whole.tree);
  switch (whole.kind) {
    case WholeStore::Kind::kAbsent:
      return;
    case WholeStore::Kind::kUnmade:
      return RemoveUnmadeStore(whole.path, *whole.store);
    case WholeStore::Kind::kFolder:
      return RemoveFolder(whole.path, *whole.tree);
    case WholeStore::Kind::kNode:
      return RemoveNode(whole);
    case WholeStore::Kind::kParquet:
      return RemoveParquet(whole.path, *whole.store);
    case WholeStore::Kind::kArchive:
    case WholeStore::Kind::kReferences:
      return RemoveFile(whole.path);
  }
}

void TakeBackStore(const std::string& path) {
  if (SplitZipPath(path)) return;
  const ErrorCollector quiet;
  const std::shared_ptr<zarr::Store> store = MakeStore(path);
  if (HoldsUnmadeStore(path, *store)) return RemoveUnmadeStore(path, *store);
  if (ReadParquetDocument(*store)) return RemoveParquet(path, *store);
  zarr::FinishRemovals(*store);
  const zarr::NodeTree tree = zarr::ReadRemovable(*store, "", "removed");
  if (IsOnDisk(path)) CheckFoldersTakeChanges(path, *store, tree);
  RemoveFolder(path, tree);
}

void TryTakeBackStore(const std::string& path) {
  const ErrorCollector quiet;
  TryChange([&] { TakeBackStore(path); });
}

}  // namespace gdal_zarr
