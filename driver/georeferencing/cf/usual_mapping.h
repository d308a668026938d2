// SPDX-License-Identifier: MIT
#pragma once

#include "driver/georeferencing/convention_writers.h"

/// Who has the CRS of a variable `spatial_ref` by rioxarray's default: arrays of its group that name no grid mapping.
namespace gdal_zarr {

/// Returns true if an array has its CRS by that default only.
bool HasUsualSpatialRef(const EditableArray& array);

/// Returns true if other arrays of the target's group have, or would have, the CRS of such a variable. Arrays that this
/// dataset has created do not count, because their CRS may be set later. In a remote store this takes requests. Throws
/// zarr::Error.
bool OthersTakeUsualSpatialRef(const GeoTarget& target);

}  // namespace gdal_zarr
