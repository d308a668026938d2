// SPDX-License-Identifier: MIT
#pragma once

#include "driver/create/references/source_blocks.h"
#include "driver/gdal/gdal_compat.h"

namespace gdal_zarr {

/// Makes the coding of blocks, without their grid, from the items of GDALMDArray::GetRawBlockInfo: COMPRESSION, FILTER
/// and ENDIANNESS of HDF5; COMPRESSOR, FILTERS, CODECS and TRANSPOSE_ORDER of Zarr. `element_size` is
/// in bytes. Throws zarr::Error(unsupported) for a coding that Zarr does not have.
BlockCoding MakeBlockCoding(CSLConstList info, std::size_t element_size);

/// Returns true if two lists have the same items in the same order; null is an empty list.
bool AreSameItems(CSLConstList a, CSLConstList b);

}  // namespace gdal_zarr
