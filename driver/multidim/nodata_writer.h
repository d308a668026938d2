#pragma once

#include <cstddef>
#include <memory>

#include "driver/types/type_map.h"
#include "zarrlib/hierarchy/hierarchy.h"

namespace gdal_zarr {

/// Stores a nodata value, an element in GDAL's form (null: none), in the metadata of an array, and returns the array
/// anew. It becomes the fill value, and in v3 the CF attribute `_FillValue` as well, as xarray writes it there.
///
/// Unless the array `is_new`, what is not stored of it holds the old fill value: those chunks are stored first, so
/// that no element changes; that of sharded arrays stays what it is, with the attribute beside it. Throws zarr::Error.
std::shared_ptr<const zarr::Array> SaveNodata(zarr::Hierarchy& hierarchy,
                                              const std::shared_ptr<const zarr::Array>& array, const ElementForm& form,
                                              const std::byte* value, bool is_new);

}  // namespace gdal_zarr
