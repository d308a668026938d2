// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include "driver/gdal/gdal_compat.h"
#include "driver/georeferencing/georeferencing.h"

namespace gdal_zarr {

/// What coordinates are by their own words.
enum class AxisClaim { kNothing, kX, kY, kOther };

/// Reads what an array of coordinates is: by its type, `axis`, `standard_name`, `units`, `calendar` and `positive`,
/// else by its name. Words that contradict each other, a time, a height or any other quantity are kOther.
AxisClaim ReadAxisClaim(const GDALMDArray& coordinates);

/// Whether a unit is one of CF's for longitudes (`direction`: "east") or latitudes ("north").
bool IsDegreesTo(const std::string& unit, const char* direction);

/// Whether no dimension of an array has a name: then nothing says that the last two are not Y and X.
bool AreUnnamed(const zarr::Array& array);

/// Whether an SRS can belong to two dimensions of an array: nothing says that one of them is another axis. Without
/// coordinates, a name of the other axis says so. Throws zarr::Error(io).
bool MayBeRasterAxes(const GDALMDArray& array, const RasterAxes& axes);

}  // namespace gdal_zarr
