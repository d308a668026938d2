// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include "driver/gdal/gdal_compat.h"
#include "driver/georeferencing/georeferencing.h"

namespace gdal_zarr {

/// The kind of coordinates, as declared by their metadata.
enum class AxisClaim { kNothing, kX, kY, kOther };

/// Determines what an array of coordinates is from its type, `axis`, `standard_name`, `units`, `calendar` and
/// `positive`, otherwise from its name. Contradictory metadata, a time, a height or any other quantity are kOther.
AxisClaim ReadAxisClaim(const GDALMDArray& coordinates);

/// Returns true if a unit is one of CF's for longitudes (`direction`: "east") or latitudes ("north").
bool IsDegreesTo(const std::string& unit, const char* direction);

/// Returns true if no dimension of an array has a name: the last two may then be Y and X.
bool AreUnnamed(const zarr::Array& array);

/// Returns true unless one of two dimensions of an array is known to be another axis, to which an SRS cannot apply. If
/// a dimension does not have coordinates, its name decides. Throws zarr::Error(io).
bool MayBeRasterAxes(const GDALMDArray& array, const RasterAxes& axes);

}  // namespace gdal_zarr
