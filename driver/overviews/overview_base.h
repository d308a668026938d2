// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include "driver/dataset/editable_array.h"
#include "driver/georeferencing/georeferencing.h"
#include "driver/georeferencing/georeferencing_writer.h"

namespace gdal_zarr {

/// The array whose overviews are created, and its georeferencing.
struct OverviewBase {
  EditableArray& array;
  RasterAxes axes;
  Georeferencing place;

  SharedResource& resource() const { return *array.resource(); }
  /// Returns the path of the group that contains the array and the groups of its levels.
  std::string group() const { return GetParentPath(array.array().path()); }
  std::string name() const { return GetNodeName(array.array().path()); }
};

}  // namespace gdal_zarr
