// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "driver/gdal/gdal_compat.h"

namespace gdal_zarr {

/// Returns the length of a unit in metres; 0 if it is unknown, or not a unit of length. A number may precede the unit,
/// as in "1000 m"; case, spaces and underscores are ignored.
double GetMetresOfUnit(std::string_view unit);
/// Returns an angular unit in radians; 0 if it is unknown, or not a unit of angles.
double GetRadiansOfUnit(std::string_view unit);

/// Returns true if two names denote the same unit of length or angles.
bool AreSameUnit(const std::string& a, const std::string& b);

/// Conversion of coordinates to the unit of an SRS.
struct AxisUnitFactor {
  double factor = 1;
  /// True if the coordinates cannot be lengths, although their unit is one: they are treated as the angles of a
  /// geostationary view.
  bool contradicts_unit = false;
};

/// Finds how many units of an SRS one unit of a coordinate array is: 1000 for kilometres if the SRS is in metres, the
/// satellite's height for the radians of a geostationary view. `largest` is the largest absolute value of the array.
///
/// Without a unit, coordinates are in the unit of the SRS, but in a geostationary view values below 1 are radians. The
/// factor is 1 if `srs` is null. Returns nullopt if the unit cannot be converted to that of the SRS.
std::optional<AxisUnitFactor> FindAxisUnitFactor(const std::string& unit, double largest,
                                                 const OGRSpatialReference* srs);

/// Returns the name of the unit of an SRS's coordinates.
std::string GetUnitOfSpatialRef(const OGRSpatialReference& srs);

}  // namespace gdal_zarr
