// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "driver/dataset/editable_array.h"
#include "driver/overviews/overview_base.h"
#include "zarrlib/json/json_node.h"
#include "zarrlib/metadata/array_metadata.h"

namespace gdal_zarr {

/// Returns true if the array at `path` is valid as a level of that shape, so that a part of its pixels can be
/// recomputed.
bool HasLevelArray(const OverviewBase& base, const std::string& path, const zarr::Shape& shape);

/// Makes the array at `path` a level of that shape, creating its group if needed, and writes its georeferencing and
/// coordinates. A matching array is kept, and its pixels will be overwritten. Another node there is replaced only if it
/// is a level in the layout, or an unfinished level; otherwise throws zarr::Error.
std::shared_ptr<EditableArray> MakeLevelArray(const OverviewBase& base, const std::string& path,
                                              const zarr::Shape& shape, bool is_level);

/// Writes the georeferencing and the coordinates of a level, which are derived from the base. Throws zarr::Error.
void SaveLevelPlace(const OverviewBase& base, EditableArray& level);

/// Adds the shape and the transform of a level to its entry. They are only valid if the group declares `spatial`.
zarr::JsonNode WithLevelPlace(const OverviewBase& base, zarr::JsonNode entry, const zarr::Shape& shape);

/// Return the entries of a layout: for the base, and for a level that was computed from a level of shape `from_shape`.
zarr::JsonNode MakeBaseEntry(const OverviewBase& base);
zarr::JsonNode MakeLevelEntry(const OverviewBase& base, const std::string& asset, const zarr::Shape& shape,
                              const std::string& from, const zarr::Shape& from_shape, const std::string& resampling);

}  // namespace gdal_zarr
