#pragma once

#include <string>

/// What is removed is what a store's metadata name, and the files that GDAL keeps beside these. All else stays, and one
/// warning names it.
namespace gdal_zarr {

/// Removes a store in a folder, and the folder if it is empty then; of a link to it the link alone. A folder that is a
/// node of a larger store is removed as that. Throws zarr::Error, also for a folder that is no store.
void RemoveStore(const std::string& folder);

/// Removes an archive that holds a store and nothing else. Throws zarr::Error, with nothing removed, for any other.
void RemoveArchive(const std::string& archive, const std::string& folder_in_archive);

}  // namespace gdal_zarr
