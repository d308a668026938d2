// SPDX-License-Identifier: MIT
#pragma once

#include "driver/overviews/overview_base.h"
#include "zarrlib/json/json_node.h"

/// The CRS, the axes and the bounding box of a pyramid, by GeoZarr's `proj` and `spatial`, in the attributes of the
/// group that has the layout. A member of `multiscales` names the attributes that were written with the layout.
///
/// The group never gets a transform: the layout has one for each level, and a transform of the group would affect other
/// arrays directly in it.
namespace gdal_zarr {

/// Returns the attributes with the CRS and the bounding box of the base. Returns them unchanged if the base has no
/// transform, or if the group has such properties from another writer. Also returns them unchanged if another raster
/// directly in the group has, or might have, different georeferencing: it would inherit the properties. `attributes`
/// contain the layout.
zarr::JsonNode WithGroupPlace(const OverviewBase& base, const zarr::JsonNode& attributes);

/// Returns the attributes without those that WithGroupPlace added.
zarr::JsonNode WithoutGroupPlace(zarr::JsonNode attributes);

/// The same, and without the layout.
zarr::JsonNode WithoutLayout(const zarr::JsonNode& attributes);

}  // namespace gdal_zarr
