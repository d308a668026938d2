// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "driver/georeferencing/affine.h"
#include "driver/georeferencing/coordinates/regular_axis.h"
#include "driver/georeferencing/georeferencing.h"

/// Which source counts if a store is georeferenced more than once. The table "Precedence" of
/// driver/doc/georeferencing.md lists the same for users.
namespace gdal_zarr {

/// What the coordinates along one axis say of the place, in units of the SRS.
struct AxisPlace {
  std::string name;                  ///< The path of the coordinates, as GDAL has it.
  std::optional<RegularAxis> edges;  ///< Nothing if the coordinates are not regular.
  std::vector<double> centres;       ///< All coordinates, if these are not regular; empty if they cannot be used.
  double rounding = 0;               ///< How far they may be from the numbers that were meant.
  bool are_longitudes = false;
};

/// The coordinates along X and Y; nothing where there are none.
struct CoordinatePlace {
  std::optional<AxisPlace> x;
  std::optional<AxisPlace> y;
};

/// Chooses the transform of a raster of that size: that of regular coordinates, else the first one that is stated. One
/// that is stated and says the same as the coordinates, but for rounding, is returned as it is, because its numbers are
/// exact. Warns, once, of each source that contradicts the choice by more than a hundredth of a pixel and the rounding
/// of the coordinates. `contradicted`, which may be null, tells whether there was one.
std::optional<GeoTransform> ChooseGeoTransform(const GeoContext& context, const std::vector<StatedTransform>& stated,
                                               const CoordinatePlace& coordinates, const RasterSize& size,
                                               bool* contradicted);

}  // namespace gdal_zarr
