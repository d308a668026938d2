// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include "driver/gdal/gdal_compat.h"

namespace gdal_zarr {

/// The names of a raster's two dimensions.
struct PlaneNames {
  std::string x = "X";
  std::string y = "Y";
};

/// Returns the names that a copy of a raster gets: those of the source, if it is one of this driver that names them,
/// and if readers that see no coordinates will know which is which; else X and Y. GDAL's rasters have no such names.
PlaneNames FindPlaneNames(GDALDataset& source);

}  // namespace gdal_zarr
