#pragma once

#include <string>
#include <string_view>

#include "driver/node_context.h"
#include "zarrlib/store/store.h"

/// What is removed is what a store's metadata name, and the files that GDAL keeps beside these. All else stays, and one
/// warning names it.
namespace gdal_zarr {

/// Reports as one warning what was left in a store.
void WarnOfLeftovers(const std::string& store, const zarr::Store::Leftovers& leftovers);

/// Removes a node of a writable dataset, with all nodes below it, which the dataset then forgets. Throws zarr::Error.
void RemoveNode(NodeContext& context, std::string_view path);

/// Removes a store in a folder, and the folder if it is empty then; of a link to it the link alone. A folder that is a
/// node of a larger store is removed as that. Throws zarr::Error, also for a folder that is no store.
void RemoveStore(const std::string& folder);

/// Removes an archive that holds a store and nothing else. Throws zarr::Error, with nothing removed, for any other.
void RemoveArchive(const std::string& archive, const std::string& folder_in_archive);

}  // namespace gdal_zarr
