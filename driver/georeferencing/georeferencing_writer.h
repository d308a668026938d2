#pragma once

#include <optional>
#include <string>

#include "driver/dataset/editable_array.h"
#include "driver/gdal/gdal_compat.h"
#include "driver/georeferencing/georeferencing.h"

namespace gdal_zarr {

/// The creation option GEOREFERENCING_CONVENTION: a comma-separated list. Throws zarr::Error(invalid_argument).
WriteConventions ParseConventions(const std::string& list);

/// Those that WriteGeoreferencing stores an array's place in.
WriteConventions ConventionsOf(const EditableArray& array);

/// Where an array lies.
struct Georeferencing {
  const OGRSpatialReference* srs = nullptr;  ///< Null: none. Not owned.
  std::optional<GeoTransform> transform;
  bool is_point = false;  ///< Values belong to points, not to areas: AREA_OR_POINT=Point.
};

/// Stores where an array lies, in the conventions that it was created with, or else in all that it has or inherits by
/// now (GDAL and CF if it has none); nothing is left that says otherwise. Throws zarr::Error: unsupported for what the
/// conventions have no way to say.
void WriteGeoreferencing(EditableArray& array, const RasterAxes& axes, const Georeferencing& georeferencing);
/// The CRS alone.
void WriteSpatialRef(EditableArray& array, const RasterAxes& axes, const OGRSpatialReference* srs);

}  // namespace gdal_zarr
