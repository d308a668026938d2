// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include "driver/gdal/gdal_compat.h"

namespace gdal_zarr {

/// The names of a raster's two dimensions.
struct PlaneNames {
  std::string x = "X";
  std::string y = "Y";
  bool operator==(const PlaneNames&) const = default;
};

/// Returns the names for a copy of a raster: those of the source, if it is a raster of this driver with names from
/// which readers without coordinates can tell X from Y; otherwise X and Y. Rasters of GDAL do not have such names.
PlaneNames FindPlaneNames(GDALDataset& source);

}  // namespace gdal_zarr
