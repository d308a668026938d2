// SPDX-License-Identifier: MIT
#pragma once

#include "driver/overviews/overview_base.h"
#include "zarrlib/base/shape.h"
#include "zarrlib/json/json_node.h"
#include "zarrlib/metadata/array_metadata.h"

namespace gdal_zarr {

/// Computes the shape in which a pixel covers `factor` x `factor` pixels of the base, or fewer at the ends.
zarr::Shape ComputeLevelShape(const OverviewBase& base, int factor);

/// Returns a level's attributes: those of the base, without those that name arrays of the base's size or hold for the
/// base's values only.
zarr::JsonNode MakeLevelAttributes(const zarr::JsonNode& attributes);

/// Makes the metadata of a level of that shape: with the base's codecs and fill value, and those of its attributes that
/// hold for the level. The grid is regular; its chunks have the base's edges, or those that prevail there, but none
/// longer than needed.
zarr::ArrayMetadata MakeLevelMetadata(const OverviewBase& base, const zarr::Shape& shape);

}  // namespace gdal_zarr
