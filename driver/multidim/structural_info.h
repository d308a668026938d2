// SPDX-License-Identifier: MIT
#pragma once

#include "driver/gdal/gdal_compat.h"
#include "zarrlib/array/array.h"

namespace gdal_zarr {

/// Describes the storage of an array for GDALMDArray::GetStructuralInfo: COMPRESSOR and FILTERS (v1, v2) or CODECS (v3)
/// as JSON, with the last compressor also as COMPRESSOR; CHUNK_EDGES of a rectilinear grid, in the form of
/// `chunk_shapes` in its specification; data_type.name, data_type.unit and data_type.scale_factor of times.
CPLStringList MakeStructuralInfo(const zarr::Array& array);

/// Describes how to decode an inner chunk, for GDALMDArray::GetRawBlockInfo: the items of MakeStructuralInfo;
/// ENDIANNESS, LITTLE or BIG, if elements have several bytes; TRANSPOSE_ORDER, the order of the stored axes if it
/// differs from the array's. With shards, CHUNK_TYPE is INNER, and CODECS and COMPRESSOR are those of inner chunks.
CPLStringList DescribeRawBlockCoding(const zarr::Array& array);

}  // namespace gdal_zarr
