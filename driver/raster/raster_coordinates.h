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

  /// Reads what they say of the place, in units of the SRS. Coordinates whose unit cannot be converted to that count as
  /// missing, with a warning. Throws zarr::Error(io).
  CoordinatePlace Read(const OGRSpatialReference* srs) const;

 private:
  std::optional<AxisPlace> ReadAxis(std::size_t dimension, const OGRSpatialReference* srs) const;
  /// Where a read costs a round trip, reads what Read needs, all at once.
  void ReadAhead() const;
  /// The path, beside coordinates, of the array that their CF attribute `bounds` names; "" if there is none.
  static std::string GetPathOfBounds(const GDALMDArray& coordinates);
  /// Asks at once for the metadata of the bounds of coordinates, and for their values.
  void PrefetchBounds(std::span<const std::shared_ptr<GDALMDArray>> coordinates) const;
  /// The array of the bounds of coordinates; null if there is none.
  std::shared_ptr<GDALMDArray> FindBounds(const GDALMDArray& coordinates) const;

  std::shared_ptr<SharedResource> resource_;
  const GDALMDArray& array_;
  RasterAxes axes_;
};

}  // namespace gdal_zarr
