// SPDX-License-Identifier: MIT
#pragma once

#include "driver/overviews/overview_base.h"
#include "zarrlib/json/json_node.h"

/// The CRS, the axes and the bounding box of a pyramid, by GeoZarr's `proj` and `spatial`, in the attributes of the
/// group that has the layout. A member of `multiscales` names those attributes that were written with the layout.
///
/// The group never gets a transform: the layout has one for each level, and that of the group would move other arrays
/// that are directly in it.
namespace gdal_zarr {

/// Returns the attributes with the CRS and the bounding box of the base. Returns them as they are if the base has no
/// transform, if the group has such properties from another writer, or if another raster directly in the group has
/// another place than the base, or might have: it would inherit the properties. `attributes` have the layout.
zarr::JsonNode WithGroupPlace(const OverviewBase& base, const zarr::JsonNode& attributes);

/// Returns the attributes without those that WithGroupPlace added.
zarr::JsonNode WithoutGroupPlace(zarr::JsonNode attributes);

}  // namespace gdal_zarr
