// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

#include "driver/stores/parquet/parquet_metadata.h"
#include "zarrlib/base/bytes.h"

namespace gdal_zarr {

/// Decompresses the bytes of a page to `out`, which is replaced and has `decoded_size` bytes afterwards. Throws Error:
/// corrupt for damaged bytes and for another size, unsupported for codecs that this build does not have.
void DecompressPage(ParquetCodec codec, zarr::ByteSpan stored, std::uint64_t decoded_size, zarr::Bytes* out);

}  // namespace gdal_zarr
