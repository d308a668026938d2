// SPDX-License-Identifier: MIT
#pragma once

#include <memory>
#include <vector>

#include "driver/dataset/shared_resource.h"
#include "zarrlib/array/array.h"

namespace gdal_zarr {

/// Finds the overviews of an array, the largest first. The group that holds the array, or one of the two groups above
/// it, declares them by the GeoZarr convention `multiscales` or by OME-NGFF's list of that name. A level of a GeoZarr
/// layout is an array, or a group that holds an array of the same name; a level of OME-NGFF is an array.
///
/// Coordinates beside the base of a pyramid have none; those in a group that is a level have the ones in the groups of
/// smaller levels. Leaves out levels that are missing, cannot be opened, have another rank or data type, or have a
/// longer axis. An invalid layout gives a warning and no overviews. Never throws zarr::Error.
std::vector<std::shared_ptr<const zarr::Array>> FindOverviews(SharedResource& resource, const zarr::Array& array);

}  // namespace gdal_zarr
