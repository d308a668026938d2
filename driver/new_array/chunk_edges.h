#pragma once

#include <memory>
#include <string>
#include <vector>

#include "driver/gdal/gdal_compat.h"

namespace gdal_zarr {

/// The creation option that is meant here.
inline constexpr const char* kChunkEdges = "CHUNK_EDGES";

/// The creation option CHUNK_EDGES with its plans replaced by edges: `time:MONTHS` has a chunk for each calendar month
/// of the coordinates of dimension `time`, which must be stored by then. Throws zarr::Error(invalid_argument).
std::string ExpandChunkPlans(const std::string& edges, const std::vector<std::shared_ptr<GDALDimension>>& dimensions);

/// Whether there is a plan in it for a dimension whose coordinates are not there yet, or have not been written.
bool AwaitsCoordinates(const std::string& edges, const std::vector<std::shared_ptr<GDALDimension>>& dimensions);

/// Options of CreateCopy with CHUNK_EDGES=SOURCE replaced by the blocks of the source's first band, as BLOCKSIZE.
CPLStringList ExpandSourcePlan(CSLConstList options, GDALDataset& source);

}  // namespace gdal_zarr
