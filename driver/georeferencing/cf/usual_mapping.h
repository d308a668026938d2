// SPDX-License-Identifier: MIT
#pragma once

#include "driver/georeferencing/convention_writers.h"

/// Who has the CRS of a variable `spatial_ref` by rioxarray's default: arrays of its group that name no grid mapping.
namespace gdal_zarr {

/// Returns true if an array has its CRS by that default only.
bool HasUsualSpatialRef(const EditableArray& array);

}  // namespace gdal_zarr
