// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "driver/dataset/shared_resource.h"
#include "driver/plugin/array_catalog.h"

namespace gdal_zarr {

/// Arrays of one group that can be the bands of one raster: they have equal shape, data type, chunk grid and
/// dimensions.
struct BandStackCandidate {
  std::string group;
  std::vector<std::string> paths;  ///< Ordered by name, with numbers compared by value (B2 before B10).
};

/// Finds the largest set of arrays of one kind (the first of several) in each group that directly contains at least two
/// of them. Only considers arrays that can be rasters. Groups that are levels of a pyramid count as one, represented by
/// the largest level. Opens the arrays in question. Throws zarr::Error(io) if one cannot be read. For a broken array,
/// throws like zarr::Hierarchy::OpenArray in a writable dataset; in a read-only one, leaves it out with a warning.
std::vector<BandStackCandidate> FindBandStackCandidates(SharedResource& resource,
                                                        const std::vector<FoundArray>& arrays);

}  // namespace gdal_zarr
