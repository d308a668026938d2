// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "driver/georeferencing/convention_writers.h"

namespace gdal_zarr {

/// The coordinates along one dimension, and the path of their array.
struct CoordinateAxis {
  std::string name;
  std::string path;
  std::uint64_t size = 0;
  double first = 0;  ///< The centre of the first pixel.
  double step = 1;
  const char* letter = "X";
};

/// Functions of the axes of a raster. Those that take a target may read its store, and throw zarr::Error if that fails.
/// MakeAxis leaves the coordinates to GetAxes, which takes them from an upright geotransform.
CoordinateAxis MakeAxis(const GeoTarget& target, std::size_t dimension);
std::pair<CoordinateAxis, CoordinateAxis> GetAxes(const GeoTarget& target, const GeoTransform& t);
/// Returns the centres of the pixels.
std::vector<double> MakeValues(const CoordinateAxis& axis);
/// Returns the array with the two ends of each pixel that belongs to the coordinates (CF 1.11, section 7.1), or null.
std::shared_ptr<const zarr::Array> FindBounds(const GeoTarget& target, const CoordinateAxis& axis);
/// Returns true if an array that is not in use in this dataset has a dimension of one of these names. Bounds belong to
/// the coordinates.
bool AreUsedByOthers(const GeoTarget& target, const std::vector<CoordinateAxis>& axes);
/// Returns true if other arrays have the dimension.
bool IsUsedByOthers(const GeoTarget& target, const CoordinateAxis& axis);
/// Returns true if an array has a scale or an offset.
bool IsPackedAxis(const zarr::Array& array);
/// Returns true if the array at the axis's path holds its coordinates.
bool HoldsSameCoordinates(const GeoTarget& target, const CoordinateAxis& axis);
/// Returns true if there is a node at the path.
bool IsThere(const GeoTarget& target, const CoordinateAxis& axis);
/// Returns true if the axis's path contains something other than its coordinates that must not be rewritten: either not
/// a suitable coordinate array, or one that other arrays use.
bool IsOthers(const GeoTarget& target, const CoordinateAxis& axis);
/// Returns true if the coordinates say that they are not those of the target's CRS, and other arrays use them.
bool AreOfOtherSrs(const GeoTarget& target, const CoordinateAxis& axis);
/// Returns true if coordinates at one of the axes' paths belong, or would belong, to other arrays.
bool AreTaken(const GeoTarget& target, const std::vector<CoordinateAxis>& axes);

}  // namespace gdal_zarr
