// SPDX-License-Identifier: MIT
#pragma once

#include <string>

/// A removal deletes the nodes that a store's metadata name, and the files that GDAL keeps beside them. All other files
/// stay, and one warning names them.
namespace gdal_zarr {

/// Removes a store in a folder, and the folder if it is then empty. Of a symbolic link, only the link is removed. A
/// folder that is a node of a larger store is removed as a node. Throws zarr::Error, also if the folder is not a store.
void RemoveStore(const std::string& folder);

/// Removes an archive that holds nothing but a store. Throws zarr::Error, and removes nothing, for any other archive.
void RemoveArchive(const std::string& archive, const std::string& folder_in_archive);

/// Removes a store that was made in vain, without a warning of files that were in its folder before. An archive stays:
/// it is put in place only when it is complete. Throws zarr::Error.
void TakeBackStore(const std::string& path);
/// Does the same for a store whose creation failed. Errors of the removal are hidden, so that the first one remains.
void TryTakeBackStore(const std::string& path);

}  // namespace gdal_zarr
