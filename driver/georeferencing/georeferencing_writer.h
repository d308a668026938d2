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

struct Georeferencing {
  const OGRSpatialReference* srs = nullptr;  ///< Null if there is none. Not owned.
  std::optional<GeoTransform> transform;
  bool is_point = false;  ///< True if values belong to points and not to areas: AREA_OR_POINT=Point.
};

/// Calls `change`, which changes the georeferencing of an array, while no other process changes the georeferencing of
/// arrays in its group. If other processes may have changed it since it was read, reads it again first, and passes true
/// to `change`.
void ChangePlaceInTurn(EditableArray& array, const RasterAxes& axes,
                       const std::function<void(bool is_read_again)>& change);

/// Writes the georeferencing of an array in the conventions that it was created with, or inherits. For an opened array,
/// writes in those that it uses or inherits (GDAL and CF if it uses none). Removes metadata of other conventions.
/// Without the transform, writes only the CRS. If nothing `moves`, the transform is the stored one, and coordinates
/// that are there stay as they are, even if they contradict it.
///
/// Throws zarr::Error: unsupported if the conventions cannot express it. Must be called by the change passed to
/// ChangePlaceInTurn.
void WriteGeoreferencing(EditableArray& array, const RasterAxes& axes, const Georeferencing& georeferencing,
                         bool with_transform = true, bool moves = true);
/// Like WriteGeoreferencing, for a level of a pyramid. Does not write a bounding box: the latest text of `spatial`
/// reserves it for groups, and it adds nothing to a transform.
void WriteLevelGeoreferencing(EditableArray& level, const RasterAxes& axes, const Georeferencing& georeferencing);
/// Throws the errors of WriteGeoreferencing that are caused by the conventions or by other arrays' coordinates. Already
/// gives the array the dimensions that WriteGeoreferencing would.
void CheckGeoreferencing(EditableArray& array, const RasterAxes& axes, const Georeferencing& georeferencing);
/// Writes only the CRS.
void WriteSpatialRef(EditableArray& array, const RasterAxes& axes, const OGRSpatialReference* srs);

/// Adds the attributes of GDAL's and GeoZarr's conventions that are set in `added`. Does not change other attributes or
/// coordinate arrays.
void AddConventions(EditableArray& array, const RasterAxes& axes, const Georeferencing& georeferencing,
                    const WriteConventions& added);

/// Returns the attributes of an array of fewer than two dimensions with a CRS, or without one if `srs` is null.
zarr::JsonNode WithSpatialRef(const zarr::JsonNode& attributes, const OGRSpatialReference* srs);

}  // namespace gdal_zarr
