#pragma once

#include <optional>
#include <string>
#include <vector>

#include "driver/dataset/shared_resource.h"
#include "driver/plugin/array_catalog.h"

namespace gdal_zarr {

/// Arrays of one group that can be the bands of one raster: they have the same shape, data type, chunk grid and
/// dimensions.
struct BandStackCandidate {
  std::string group;
  std::vector<std::string> paths;  ///< In the order of a list: by name, numbers by their value (B2 before B10).
};

/// For each group that directly holds two or more alike arrays, of those that can be rasters, the largest set of such
/// (of several, the first). Groups that are the levels of a pyramid count as one, that of the largest. Opens the arrays
/// that may be alike. Throws zarr::Error(io) for one that cannot be read, and what zarr::Hierarchy::OpenArray throws
/// for one that is broken in a writable dataset; otherwise that is left out, with a warning.
std::vector<BandStackCandidate> FindBandStackCandidates(SharedResource& resource,
                                                        const std::vector<FoundArray>& arrays);

}  // namespace gdal_zarr
