#pragma once

#include <cstddef>
#include <cstdint>

#include "driver/gdal/gdal_compat.h"
#include "zarrlib/array/array.h"

namespace gdal_zarr {

struct BlockSize {
  int x = 1;
  int y = 1;
};

/// The blocks in which GDAL is to read a band of the array, whose elements take `item_size` bytes in GDAL.
///
/// Where all inner chunks have one shape, that of an inner chunk, its larger edge halved until a block takes at most 64
/// MiB and a hundredth of GDAL's block cache, doubled while both edges are below 64. On an axis whose chunks differ,
/// the edge that covers the most elements, between 64 and 2048. Never larger than the raster.
BlockSize ChooseBlockSize(const zarr::Array& array, std::size_t x_dimension, std::size_t y_dimension,
                          std::size_t item_size);

/// The edge whose chunks cover the most elements of the axis; of several, the longest.
std::uint64_t PrevailingEdge(const zarr::ChunkAxis& axis);

}  // namespace gdal_zarr
