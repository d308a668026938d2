// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include "zarrlib/store/store.h"

/// A removal deletes the nodes that a store's metadata name, and the files that GDAL keeps beside them. All other files
/// stay, and one warning names them.
namespace gdal_zarr {

struct WholeStore;

/// Whether a process was stopped before it could put the first document into the folder of a new store, which holds
/// nothing else. Says no where a list may cost a request.
bool HoldsUnmadeStore(const std::string& folder, const zarr::Store& store);

/// Removes what FindWholeStore has found, and its folder if that is then empty. Throws zarr::Error; nothing is removed
/// if a folder from which something would have to go takes no changes.
void RemoveWholeStore(const WholeStore& whole);

/// Removes a store that was made in vain, without a warning of files that were in its folder before. An archive stays:
/// it is put in place only when it is complete. Throws zarr::Error.
void TakeBackStore(const std::string& path);
/// Does the same for a store whose creation failed. Errors of the removal are hidden, so that the first one remains.
void TryTakeBackStore(const std::string& path);

}  // namespace gdal_zarr
