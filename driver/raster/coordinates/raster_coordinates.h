// SPDX-License-Identifier: MIT
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>

#include "driver/dataset/shared_resource.h"
#include "driver/georeferencing/coordinates/place_sources.h"

namespace gdal_zarr {

/// The coordinate arrays along X and Y of a raster, with their CF `bounds`. Refers to the array.
class RasterCoordinates {
 public:
  RasterCoordinates(std::shared_ptr<SharedResource> resource, const GDALMDArray& array, const RasterAxes& axes)
      : resource_(std::move(resource)), array_(array), axes_(axes) {}

  /// Reads the georeferencing that the coordinates define, in units of the SRS. Coordinates whose unit cannot be
  /// converted to it count as missing, with a warning. Throws zarr::Error(io).
  CoordinatePlace Read(const OGRSpatialReference* srs) const;

 private:
  std::optional<AxisPlace> ReadAxis(std::size_t dimension, const OGRSpatialReference* srs) const;
  /// Reads everything that Read needs in one step, where each read costs a round trip.
  void ReadAhead() const;
  /// Returns the path of the array that the CF attribute `bounds` of coordinates names, in their group. Returns "" if
  /// there is none.
  static std::string GetPathOfBounds(const GDALMDArray& coordinates);
  /// Requests the metadata of the coordinates' bounds, and their values, in parallel.
  void PrefetchBounds(std::span<const std::shared_ptr<GDALMDArray>> coordinates) const;
  /// Returns the array of the coordinates' bounds, or null if there is none.
  std::shared_ptr<GDALMDArray> FindBounds(const GDALMDArray& coordinates) const;

  std::shared_ptr<SharedResource> resource_;
  const GDALMDArray& array_;
  RasterAxes axes_;
};

}  // namespace gdal_zarr
