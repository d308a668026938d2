#pragma once

#include "driver/gdal/gdal_compat.h"
#include "zarrlib/array/array.h"

namespace gdal_zarr {

/// How an array is stored, for GDALMDArray::GetStructuralInfo:
/// COMPRESSOR and FILTERS (v1, v2) or CODECS (v3) as JSON, with the last compressor also as COMPRESSOR; CHUNK_EDGES of
/// a rectilinear grid in the form that its specification gives `chunk_shapes`; data_type.name, data_type.unit and
/// data_type.scale_factor of times.
CPLStringList StructuralInfo(const zarr::Array& array);

/// How the stored bytes of an inner chunk become its elements, for GDALMDArray::GetRawBlockInfo: what StructuralInfo
/// tells; ENDIANNESS, LITTLE or BIG, of elements of more than a byte; TRANSPOSE_ORDER, the order of the stored axes if
/// it is not the array's. With shards CHUNK_TYPE is INNER, and CODECS and COMPRESSOR are those of the inner chunks.
CPLStringList RawBlockCoding(const zarr::Array& array);

}  // namespace gdal_zarr
