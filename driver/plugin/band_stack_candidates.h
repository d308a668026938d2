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
  std::vector<std::string> paths;  ///< Ordered by name, with numbers by their values (B2 before B10).
};

/// Finds, for each group that directly holds two or more arrays of one kind, the largest set of them (the first of
/// several). Only arrays that can be rasters count. Groups that are levels of a pyramid count as one, for which the
/// largest level stands. Opens the arrays in question. Throws zarr::Error(io) if one cannot be read, and what
/// zarr::Hierarchy::OpenArray throws for a broken one in a writable dataset; in a read-only one, that is left out with
/// a warning.
std::vector<BandStackCandidate> FindBandStackCandidates(SharedResource& resource,
                                                        const std::vector<FoundArray>& arrays);

}  // namespace gdal_zarr
