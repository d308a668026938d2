// SPDX-License-Identifier: MIT
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "driver/gdal/gdal_compat.h"
#include "zarrlib/grid/chunk_axis.h"

namespace gdal_zarr {

inline constexpr const char* kChunkEdges = "CHUNK_EDGES";

/// Replaces the plans in the creation option CHUNK_EDGES by edges: `time:MONTHS` gets one chunk per calendar month of
/// the coordinates of the dimension `time`, which must have been written. Throws zarr::Error(invalid_argument).
std::string ExpandChunkPlans(const std::string& edges, const std::vector<std::shared_ptr<GDALDimension>>& dimensions);

/// Returns true if the option has a plan for a dimension whose coordinates are missing or not written yet.
bool AwaitsCoordinates(const std::string& edges, const std::vector<std::shared_ptr<GDALDimension>>& dimensions);

/// Formats the edges of an axis: "[4,2,[3,5]]" for edges of 4, 2, and five of 3.
std::string FormatEdges(const zarr::ChunkAxis& axis);

/// Converts the value of CHUNK_EDGES in an array's structural info into the value of the creation option.
std::string JoinEdges(const std::string& edges, const std::vector<std::shared_ptr<GDALDimension>>& dimensions);

/// Returns true if the option requests the chunks of the array that is copied.
inline bool IsSourcePlan(const char* edges) {
  return edges && EQUAL(edges, "SOURCE");
}

}  // namespace gdal_zarr
