// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <string>

#include "driver/stores/store_root.h"
#include "zarrlib/store/store.h"

/// A removal deletes the nodes that a store's metadata names, and the files that GDAL keeps next to them. All other
/// files remain, and one warning names them.
namespace gdal_zarr {

/// Returns where a folder's store is in a larger one, whose consolidated metadata may list it; nullopt if there is
/// none, and for remote stores, where the search takes requests.
std::optional<PlaceInStore> FindPlaceAbove(const std::string& folder);
/// Lets the consolidated metadata of the larger store follow the appearance or the removal of a store in it. Warns if
/// that fails.
void TellStoreAbove(const PlaceInStore& place);

struct WholeStore;

/// Returns true if a process was stopped before it could write the first document to the folder of a new store, which
/// is otherwise empty. Returns false without checking if a listing may cost a request.
bool HoldsUnmadeStore(const std::string& folder, const zarr::Store& store);

/// Removes the store that FindWholeStore has found, and its folder if that is then empty. Throws zarr::Error.
/// If a folder with nodes to remove is not writable, throws before removing anything.
void RemoveWholeStore(const WholeStore& whole);

/// Returns the location (GetPlace) of a folder that exists and is empty; nullopt for others, and for remote stores,
/// which have no folders.
std::optional<std::string> FindEmptyFolder(const std::string& path);

/// While an object exists, removals by its thread leave an empty folder: a user has made it, not the creation that
/// fails.
class KeptFolder {
 public:
  explicit KeptFolder(std::optional<std::string> place);
  ~KeptFolder();
  KeptFolder(const KeptFolder&) = delete;
  KeptFolder& operator=(const KeptFolder&) = delete;

  static bool Holds(const std::string& path);

 private:
  std::optional<std::string> place_;
  const KeptFolder* outer_;
};

/// Removes a store that is no longer wanted, such as an unfinished one, without a warning of files that were in its
/// folder before. Leaves an archive alone: it appears under its name only when it is complete. Throws zarr::Error.
void TakeBackStore(const std::string& path);
/// Like TakeBackStore, for a store whose creation failed. Hides errors of the removal, so that the first error remains.
void TryTakeBackStore(const std::string& path);

}  // namespace gdal_zarr
