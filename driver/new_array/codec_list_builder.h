// SPDX-License-Identifier: MIT
#pragma once

#include <vector>

#include "driver/new_array/creation_options.h"
#include "zarrlib/metadata/array_metadata.h"

namespace gdal_zarr {

/// Makes the codecs requested by creation options, for elements of `type` in chunks of `rank` dimensions: a transpose,
/// filters and compressors, under their numcodecs names. Throws zarr::Error(invalid_argument) if options contradict
/// each other or do not fit the type.
std::vector<zarr::CodecSpec> MakeCodecs(const CreationOptions& options, const zarr::DataType& type, std::size_t rank,
                                        zarr::ZarrFormat format);

}  // namespace gdal_zarr
