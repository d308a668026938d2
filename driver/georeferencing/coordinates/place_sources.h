// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "driver/georeferencing/affine.h"
#include "driver/georeferencing/coordinates/regular_axis.h"
#include "driver/georeferencing/georeferencing.h"

/// Resolves contradictions if a store contains georeferencing more than once. The table "Precedence" of
/// driver/doc/georeferencing.md is the user's version of these rules.
namespace gdal_zarr {

/// The georeferencing along one axis according to its coordinates, in units of the SRS.
struct AxisPlace {
  std::string name;                  ///< The path of the coordinates in GDAL.
  std::optional<RegularAxis> edges;  ///< nullopt if the coordinates are not regular.
  std::vector<double> centres;       ///< All coordinates, if these are not regular; empty if they cannot be used.
  double rounding = 0;               ///< How far the coordinates may be from the intended numbers.
  bool are_longitudes = false;
};

/// The coordinates along X and Y; nullopt where there are none.
struct CoordinatePlace {
  std::optional<AxisPlace> x;
  std::optional<AxisPlace> y;
};

/// Chooses the transform of a raster of that size: from regular coordinates, otherwise the first stated one. A stated
/// transform that equals the coordinates except for rounding is returned unchanged, because its numbers are exact.
///
/// Warns, once, about each source that contradicts the choice by more than a hundredth of a pixel and the rounding of
/// the coordinates. If not null, `*contradicted` is true if there was one.
std::optional<GeoTransform> ChooseGeoTransform(const GeoContext& context, const std::vector<StatedTransform>& stated,
                                               const CoordinatePlace& coordinates, const RasterSize& size,
                                               bool* contradicted);

}  // namespace gdal_zarr
