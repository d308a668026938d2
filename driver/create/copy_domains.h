// SPDX-License-Identifier: MIT
#pragma once

#include <memory>
#include <string>

#include "driver/gdal/gdal_compat.h"

namespace gdal_zarr {

class RasterView;
class SharedResource;

/// Copies metadata domains of a raster and its bands that GDAL's copying leaves out. The copy keeps them in its PAM
/// file. Leaves out domains that GDAL creates itself, or that are stored elsewhere. If PAM files cannot be written,
/// warns of the domains that are lost. Reports errors to GDAL, and returns false if there are any.
bool CopyDomains(GDALDataset& source, GDALDataset& copy, bool has_side_files, bool has_geolocation);

/// The two-dimensional longitudes and latitudes of a raster's GEOLOCATION domain, one for each pixel.
class GeolocationArrays {
 public:
  /// Opens the datasets that the domain names. They are not used if their size differs, if they are not of the centres
  /// of pixels, or if they are not longitudes and latitudes of WGS 84.
  explicit GeolocationArrays(GDALDataset& source);

  bool found() const { return x_ && y_; }
  /// Creates arrays for them at the root of a copy, and adds their names to the attribute `coordinates` of its array.
  /// Does nothing if the array is the root, or if the names are taken. Returns true if the arrays were created. Throws
  /// zarr::Error.
  bool WriteTo(SharedResource& target, const RasterView& copy) const;

 private:
  std::unique_ptr<GDALDataset> x_;
  std::unique_ptr<GDALDataset> y_;
};

}  // namespace gdal_zarr
