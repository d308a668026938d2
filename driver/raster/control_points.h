// SPDX-License-Identifier: MIT
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "driver/dataset/shared_resource.h"
#include "driver/gdal/gdal_compat.h"

namespace gdal_zarr {

/// Ground control points of an EOPF product: arrays in the group `conditions/gcp`, next to the group `measurements`
/// that contains the raster. `latitude`, `longitude` (WGS 84) and `height` have two dimensions; `line` and `pixel` have
/// the first and the second of these, or both. Sentinel-1 products have such points.
class ControlPoints {
 public:
  /// Finds the group of points that belongs to an array, given by its path. Returns nullopt if the array is not in a
  /// group `measurements`, or if there are no points. Throws zarr::Error(io).
  static std::optional<ControlPoints> Find(std::shared_ptr<SharedResource> resource, const std::string& array);

  /// Returns the points; the first call reads them. If the arrays do not match, warns and returns an empty list. The
  /// list is valid as long as this object. Throws zarr::Error(io).
  const std::vector<GDAL_GCP>& Read();
  const OGRSpatialReference& srs() const { return *srs_; }

 private:
  struct Point {
    std::string id;
    double pixel, line, x, y, z;
  };

  ControlPoints(std::shared_ptr<SharedResource> resource, std::string group);
  std::vector<Point> ReadArrays() const;

  std::shared_ptr<SharedResource> resource_;
  std::string group_;
  std::unique_ptr<OGRSpatialReference> srs_;
  std::vector<Point> points_;                  // own the strings
  std::optional<std::vector<GDAL_GCP>> gcps_;  // nullopt until they are read
};

}  // namespace gdal_zarr
