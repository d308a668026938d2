#pragma once

#include <memory>
#include <vector>

#include "driver/dataset/shared_resource.h"
#include "zarrlib/array/array.h"

namespace gdal_zarr {

/// The smaller versions of an array, the largest first, as the GeoZarr convention `multiscales` or OME-NGFF's list of
/// that name declares them in the group that holds the array, else in one of the two groups above that one. A level of
/// the former's layout is an array, or a group with an array of the same name in it; one of the latter is an array.
///
/// Levels that are not there, that cannot be opened, or that have another rank or data type or a longer axis are left
/// out. A layout that is not as the convention says is a warning, and gives none. Never throws zarr::Error.
std::vector<std::shared_ptr<const zarr::Array>> FindOverviews(SharedResource& resource, const zarr::Array& array);

}  // namespace gdal_zarr
