// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include "driver/georeferencing/convention_writers.h"
#include "zarrlib/json/json_node.h"

namespace gdal_zarr {

/// Adds CF's attributes to the coordinates at a path, along X or Y of an SRS: `standard_name`, `units` and `axis`, and
/// a `long_name` for those that lack all of these. Does nothing if there are no coordinates. Throws zarr::Error.
///
/// Only missing attributes are added. Attributes that this driver wrote for another SRS are replaced, and so is the
/// unit of coordinates whose values are now written. They are removed if CF has none for the SRS, as for local ones. If
/// the coordinates are declared to be something else, they are not changed, and a warning is issued.
void DescribeAxis(const GeoTarget& target, const std::string& path, bool is_x, const OGRSpatialReference& srs);

/// Changes the attributes of an array from `before` to `after`. Throws zarr::Error.
void SaveWords(const GeoTarget& target, const std::string& path, const zarr::JsonNode& before,
               const zarr::JsonNode& after);

/// Returns true if this driver has described the coordinates at a path for a CRS. Throws zarr::Error.
bool HasOwnWords(const GeoTarget& target, const std::string& path, bool is_x);
/// Removes the unit of coordinates if it is a length: once there is a CRS, the values that are written now would be
/// taken for numbers of that unit. Returns true if it is one. Throws zarr::Error.
bool RemoveLength(const GeoTarget& target, const std::string& path);
/// Removes what coordinates say of an SRS that they no longer have: the attributes that DescribeAxis has added, and
/// their unit if it is the SRS's. Throws zarr::Error.
void RemoveWordsOf(const GeoTarget& target, const std::string& path, bool is_x, const OGRSpatialReference& srs);
/// Removes the attributes that DescribeAxis has added. Throws zarr::Error.
void RemoveOwnWords(const GeoTarget& target, const std::string& path);

/// Returns true unless coordinates with these attributes, which may be "", are those of another kind of SRS, such as
/// angles for a projected one.
bool FitsAxis(const std::string& standard_name, const std::string& unit, bool is_x, const OGRSpatialReference& srs);
/// Returns true if there are coordinates at a path that do not fit so. Throws zarr::Error.
bool ContradictsAxis(const GeoTarget& target, const std::string& path, bool is_x, const OGRSpatialReference& srs);

}  // namespace gdal_zarr
