// SPDX-License-Identifier: MIT
#pragma once

#include <memory>
#include <string>

#include "driver/gdal/gdal_compat.h"

namespace gdal_zarr {

class SharedResource;

/// Copies metadata domains of a raster and its bands that GDAL's copying leaves out to a copy, which keeps them in its
/// side file. Domains that GDAL makes itself, or that have a better place, are left out. Where there can be no side
/// file, warns of those that are lost. Reports errors to GDAL; returns false if there are any.
bool CopyDomains(GDALDataset& source, GDALDataset& copy, bool has_side_files, bool has_geolocation);

/// The two-dimensional longitudes and latitudes of a raster's GEOLOCATION domain, one for each pixel.
class GeolocationArrays {
 public:
  /// Opens the datasets that the domain names. Finds nothing if they have another size, or are no degrees.
  explicit GeolocationArrays(GDALDataset& source);

  bool found() const { return x_ && y_; }
  /// Makes arrays of them at the root of a copy, and names them in the attribute `coordinates` of the array at a path.
  /// Does nothing if the array is the root, or if the names are taken. Throws zarr::Error. Returns whether they are
  /// made.
  bool WriteTo(SharedResource& target, const std::string& path) const;

 private:
  std::unique_ptr<GDALDataset> x_;
  std::unique_ptr<GDALDataset> y_;
};

}  // namespace gdal_zarr
