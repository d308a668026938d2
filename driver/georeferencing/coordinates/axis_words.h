// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include "driver/georeferencing/convention_writers.h"

namespace gdal_zarr {

/// Describes the coordinates at a path, along X or Y of an SRS, in CF's words: `standard_name`, `units` and `axis`, and
/// a `long_name` for those that have no words at all. Does nothing if there are none. Only what is missing is filled
/// in. What this driver wrote for another SRS is replaced, and the unit of coordinates whose values are written now. If
/// the coordinates say that they are something else, they are left as they are, with a warning. Throws zarr::Error.
void DescribeAxis(const GeoTarget& target, const std::string& path, bool is_x, const OGRSpatialReference& srs);

}  // namespace gdal_zarr
