#pragma once

#include <vector>

#include "driver/new_array/creation_options.h"
#include "zarrlib/metadata/array_metadata.h"

namespace gdal_zarr {

/// The codecs that creation options ask for, for elements of `type` in chunks of `rank` dimensions: a transpose,
/// filters and compressors, with their numcodecs names. Throws zarr::Error(invalid_argument) for options that do not go
/// together with each other or the type.
std::vector<zarr::CodecSpec> CodecsOf(const CreationOptions& options, const zarr::DataType& type, std::size_t rank,
                                      zarr::ZarrFormat format);

}  // namespace gdal_zarr
