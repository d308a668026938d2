// SPDX-License-Identifier: MIT
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "driver/gdal/gdal_compat.h"

namespace gdal_zarr {

inline constexpr const char* kChunkEdges = "CHUNK_EDGES";

/// Replaces the plans in the creation option CHUNK_EDGES by edges: `time:MONTHS` gets one chunk per calendar month of
/// the coordinates of the dimension `time`, which must have been written. Throws zarr::Error(invalid_argument).
std::string ExpandChunkPlans(const std::string& edges, const std::vector<std::shared_ptr<GDALDimension>>& dimensions);

/// Whether the option has a plan for a dimension whose coordinates are missing or not written yet.
bool AwaitsCoordinates(const std::string& edges, const std::vector<std::shared_ptr<GDALDimension>>& dimensions);

/// Replaces CHUNK_EDGES=SOURCE in the options of CreateCopy by BLOCKSIZE, with the blocks of the source's first band.
CPLStringList ExpandSourcePlan(CSLConstList options, GDALDataset& source);

}  // namespace gdal_zarr
