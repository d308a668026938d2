// SPDX-License-Identifier: MIT
#pragma once

#include "driver/overviews/overview_base.h"
#include "zarrlib/base/shape.h"
#include "zarrlib/json/json_node.h"
#include "zarrlib/metadata/array_metadata.h"

namespace gdal_zarr {

/// Returns the shape in which a pixel covers `factor` x `factor` pixels of the base, or fewer at the ends.
zarr::Shape ComputeLevelShape(const OverviewBase& base, int factor);

/// Returns the attributes for an overview level: the base's attributes, minus those that refer to full-size arrays or
/// describe only the base's values.
zarr::JsonNode MakeLevelAttributes(const zarr::JsonNode& attributes);

/// Returns the metadata of a level of that shape, with the base's codecs and fill value, and the attributes that apply
/// to the level. The grid is regular; its chunks have the base's edges, or the prevailing edges there, but are not
/// longer than needed.
zarr::ArrayMetadata MakeLevelMetadata(const OverviewBase& base, const zarr::Shape& shape);

}  // namespace gdal_zarr
