// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "driver/gdal/gdal_compat.h"

namespace gdal_zarr {

/// Returns the length of a unit in metres; 0 if it is unknown, or not a unit of length. A number may be before the
/// unit, as in "1000 m"; case, spaces and underscores do not matter.
double GetMetresOfUnit(std::string_view unit);
/// Returns an angle in radians; 0 if it is unknown, or not a unit of angles.
double GetRadiansOfUnit(std::string_view unit);

/// Whether two names are those of one unit of length or of angles.
bool AreSameUnit(const std::string& a, const std::string& b);

/// How coordinates become those of an SRS.
struct AxisUnitFactor {
  double factor = 1;
  /// The coordinates cannot be lengths, as their unit says: they were taken as the angles of a geostationary view.
  bool contradicts_unit = false;
};

/// Finds how many units of an SRS one unit of a coordinate array is, whose values are at most `largest` from zero: 1000
/// for kilometres if the SRS is in metres, the satellite's height for the radians of a geostationary view. Without a
/// unit it is that of the SRS, but values below 1 are radians in a geostationary view. 1 if `srs` is null. Returns
/// nothing if the unit cannot be converted to that of the SRS.
std::optional<AxisUnitFactor> FindAxisUnitFactor(const std::string& unit, double largest,
                                                 const OGRSpatialReference* srs);

/// Returns the name of the unit of an SRS's coordinates.
std::string GetUnitOfSpatialRef(const OGRSpatialReference& srs);

}  // namespace gdal_zarr
