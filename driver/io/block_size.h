// SPDX-License-Identifier: MIT
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

/// Chooses the blocks in which GDAL reads a band of the array. An element takes `item_size` bytes in GDAL.
///
/// If all inner chunks have the same shape, a block is one inner chunk. On an axis with chunks of several lengths, the
/// edge is the one that covers the most elements, between 64 and 2048. While both edges are below 64, they are doubled.
/// Then the larger edge is halved until the block takes at most 64 MiB and a hundredth of GDAL's block cache. A block
/// is never larger than the raster.
BlockSize ChooseBlockSize(const zarr::Array& array, std::size_t x_dimension, std::size_t y_dimension,
                          std::size_t item_size);

/// Returns the edge length whose chunks cover the most elements of the axis; the longest one if there are several.
std::uint64_t FindPrevailingEdge(const zarr::ChunkAxis& axis);

}  // namespace gdal_zarr
