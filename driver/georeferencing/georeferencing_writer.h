// SPDX-License-Identifier: MIT
#pragma once

#include <functional>
#include <optional>
#include <string>

#include "driver/dataset/editable_array.h"
#include "driver/gdal/gdal_compat.h"
#include "driver/georeferencing/georeferencing.h"

namespace gdal_zarr {

/// Parses the creation option GEOREFERENCING_CONVENTION, a comma-separated list. Throws zarr::Error(invalid_argument).
WriteConventions ParseConventions(const std::string& list);

/// Returns the conventions in which WriteGeoreferencing writes.
WriteConventions FindWrittenConventions(const EditableArray& array, const RasterAxes& axes);

/// The position of an array.
struct Georeferencing {
  const OGRSpatialReference* srs = nullptr;  ///< Null if there is none. Not owned.
  std::optional<GeoTransform> transform;
  bool is_point = false;  ///< Values belong to points and not to areas: AREA_OR_POINT=Point.
};

/// Calls `change`, which changes the place of an array, while no other process changes those of its group. Where others
/// may have changed it since it was read, it is read again before, and `change` gets true.
void ChangePlaceInTurn(EditableArray& array, const RasterAxes& axes,
                       const std::function<void(bool is_read_again)>& change);

/// Writes the georeferencing of an array in the conventions that it was created with, or inherits; for an opened array,
/// in those that it uses or inherits (GDAL and CF if it uses none). Removes metadata of other conventions. Throws
/// zarr::Error: unsupported if the conventions cannot express it. To be called by the change of ChangePlaceInTurn.
/// Without the transform, only the CRS is written.
void WriteGeoreferencing(EditableArray& array, const RasterAxes& axes, const Georeferencing& georeferencing,
                         bool with_transform = true);
/// As WriteGeoreferencing, for a level of a pyramid: the newest text of `spatial` reserves the box for groups, and
/// beside a transform it says nothing more.
void WriteLevelGeoreferencing(EditableArray& level, const RasterAxes& axes, const Georeferencing& georeferencing);
/// Throws what WriteGeoreferencing would throw because of the conventions or of other arrays' coordinates. Gives the
/// array the dimensions that it would give it.
void CheckGeoreferencing(EditableArray& array, const RasterAxes& axes, const Georeferencing& georeferencing);
/// Writes the CRS only.
void WriteSpatialRef(EditableArray& array, const RasterAxes& axes, const OGRSpatialReference* srs);

/// Adds the attributes of GDAL's and GeoZarr's conventions, where `added` asks for them. Other attributes and
/// coordinate arrays stay as they are.
void AddConventions(EditableArray& array, const RasterAxes& axes, const Georeferencing& georeferencing,
                    const WriteConventions& added);

/// Returns the attributes of an array of fewer than two dimensions with a CRS, or without one if `srs` is null.
zarr::JsonNode WithSpatialRef(const zarr::JsonNode& attributes, const OGRSpatialReference* srs);

}  // namespace gdal_zarr
