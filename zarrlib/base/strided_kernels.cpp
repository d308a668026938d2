// SPDX-License-Identifier: MIT
#include "zarrlib/base/strided_kernels.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>

#include "zarrlib/base/bytes.h"
#include "zarrlib/base/gather.h"
#include "zarrlib/base/interleave.h"

namespace zarr {
namespace {

std::ptrdiff_t GetOffset(std::size_t index, std::ptrdiff_t stride) {
  return static_cast<std::ptrdiff_t>(index) * stride;
}

// --- loops ------------------------------------------------------------------------------------------------------
// `kSize` is the item size if a kernel is compiled for it, otherwise 0.

template <std::size_t kSize>
void CopyItem(std::byte* destination, const std::byte* source, std::size_t item_size) {
  std::memcpy(destination, source, kSize != 0 ? kSize : item_size);
}

/// Shorter rows cost less than starting a gather.
constexpr std::size_t kGatheredRow = 32;

/// Returns the distance between adjacent elements in items if GatherRow accepts such rows; otherwise 0.
template <std::size_t kSize>
std::size_t GetGatheredStride(const CopyAxis& axis) {
  if (axis.length < kGatheredRow || axis.source <= 0) return 0;
  const auto stride = static_cast<std::size_t>(axis.source);
  return stride % kSize == 0 && CanGather(kSize, stride / kSize) ? stride / kSize : 0;
}

template <std::size_t kSize>
void CopyColumns(const CopyAxis& axis, std::size_t item_size, const std::byte* source, std::byte* destination) {
  const std::size_t length = axis.length;
  const std::ptrdiff_t source_stride = axis.source;
  if (kSize != 0 && axis.destination == static_cast<std::ptrdiff_t>(kSize)) {
    if constexpr (kSize == 1 || kSize == 2 || kSize == 4) {
      if (const std::size_t stride = GetGatheredStride<kSize>(axis)) {
        return GatherRow(kSize, stride, length, source, destination);
      }
    }
    for (std::size_t i = 0; i < length; ++i, source += source_stride) {
      CopyItem<kSize>(destination + i * kSize, source, kSize);
    }
    return;
  }
  const std::ptrdiff_t destination_stride = axis.destination;
  for (std::size_t i = 0; i < length; ++i, source += source_stride, destination += destination_stride) {
    CopyItem<kSize>(destination, source, item_size);
  }
}

template <std::size_t kSize>
void CopyByRows(const CopyPlane& plane, std::size_t item_size, const std::byte* source, std::byte* destination) {
  for (std::size_t i = 0; i < plane.row.length; ++i) {
    CopyColumns<kSize>(plane.column, item_size, source, destination);
    source += plane.row.source;
    destination += plane.row.destination;
  }
}

/// Inside a tile, the cache allows both loop orders; long inner loops have less overhead.
template <std::size_t kSize>
void CopyByLongerAxis(const CopyPlane& plane, std::size_t item_size, const std::byte* source, std::byte* destination) {
  const bool exchange = plane.row.length > plane.column.length;
  CopyByRows<kSize>(exchange ? CopyPlane{plane.column, plane.row, plane.transposed} : plane, item_size, source,
                    destination);
}

// --- blocks of 8 bytes by 8 bytes, transposed in registers ------------------------------------------------------

/// The number of items along a side of a block; 1 for sizes that are not copied in blocks.
template <std::size_t kSize>
inline constexpr std::size_t kBlock = kSize == 1 || kSize == 2 || kSize == 4 ? 8 / kSize : 1;

/// Transposes a block with one word per row by exchanging the off-diagonal quarters at each scale.
template <std::size_t kSize>
void TransposeWords(std::array<std::uint64_t, kBlock<kSize>>* words) {
  for (std::size_t half = 1; half < kBlock<kSize>; half *= 2) {
    const std::size_t shift = half * kSize * 8;
    std::uint64_t mask = (std::uint64_t{1} << shift) - 1;  // the lower `half` of every 2 * `half` items
    for (std::size_t width = 2 * shift; width < 64; width *= 2) mask |= mask << width;
    for (std::size_t i = 0; i < kBlock<kSize>; ++i) {
      if (i & half) continue;
      const std::uint64_t exchanged = (((*words)[i] >> shift) ^ (*words)[i + half]) & mask;
      (*words)[i] ^= exchanged << shift;
      (*words)[i + half] ^= exchanged;
    }
  }
}

template <std::size_t kSize>
void TransposeBlock(const CopyPlane& tile, const std::byte* source, std::byte* destination) {
  std::array<std::uint64_t, kBlock<kSize>> words;
  for (std::size_t i = 0; i < words.size(); ++i) {
    words[i] = LoadLittleEndian<std::uint64_t>(source + GetOffset(i, tile.column.source));
  }
  TransposeWords<kSize>(&words);
  for (std::size_t i = 0; i < words.size(); ++i) {
    WriteLittleEndian(destination + GetOffset(i, tile.row.destination), words[i]);
  }
}

// --- tiles ------------------------------------------------------------------------------------------------------

/// Returns the side length of a tile in bytes, chosen by measurement: one cache line, or two for large items.
constexpr std::size_t GetTileBytes(std::size_t item_size) {
  return item_size < 8 ? 64 : 128;
}

/// Copies a tile whose items are adjacent along rows in the source and along columns in the destination.
template <std::size_t kSize>
void TransposeTile(const CopyPlane& tile, const std::byte* source, std::byte* destination) {
  const std::size_t rows = tile.row.length - tile.row.length % kBlock<kSize>;
  const std::size_t columns = tile.column.length - tile.column.length % kBlock<kSize>;
  for (std::size_t i = 0; i < rows; i += kBlock<kSize>) {
    for (std::size_t j = 0; j < columns; j += kBlock<kSize>) {
      TransposeBlock<kSize>(tile, source + i * kSize + GetOffset(j, tile.column.source),
                            destination + GetOffset(i, tile.row.destination) + j * kSize);
    }
  }
  CopyPlane right = tile;
  right.row.length = rows;
  right.column.length -= columns;
  CopyByLongerAxis<kSize>(right, kSize, source + GetOffset(columns, tile.column.source), destination + columns * kSize);
  CopyPlane below = tile;
  below.row.length -= rows;
  CopyByLongerAxis<kSize>(below, kSize, source + rows * kSize, destination + GetOffset(rows, tile.row.destination));
}

/// Copies such a tile through a packed buffer. If the stride between the lines of a tile is a power of two, they would
/// evict each other from the cache.
template <std::size_t kSize>
void TransposeStaged(const CopyPlane& tile, const std::byte* source, std::byte* destination) {
  constexpr std::size_t kRowBytes = GetTileBytes(kSize);
  std::array<std::byte, kRowBytes * kRowBytes / kSize> packed;
  for (std::size_t j = 0; j < tile.column.length; ++j) {
    std::memcpy(packed.data() + j * kRowBytes, source + GetOffset(j, tile.column.source), kRowBytes);
  }
  CopyPlane staged = tile;
  staged.column.source = kRowBytes;
  TransposeTile<kSize>(staged, packed.data(), destination);
}

/// Returns true if a tile is a row of pixels in the destination whose bands are rows in the source.
template <std::size_t kSize>
bool MakesPixels(const CopyPlane& tile) {
  const std::size_t bands = tile.column.length;
  return tile.row.length >= kGatheredRow && tile.row.destination == static_cast<std::ptrdiff_t>(bands * kSize) &&
         CanInterleave(kSize, bands);
}

template <std::size_t kSize>
void CopyTile(const CopyPlane& tile, std::size_t item_size, const std::byte* source, std::byte* destination) {
  if constexpr (kBlock<kSize> != 1) {
    const auto stride = static_cast<std::ptrdiff_t>(kSize);
    if (tile.row.source == stride && tile.column.destination == stride) {
      if (MakesPixels<kSize>(tile)) {
        return InterleaveRow(kSize, tile.column.length, tile.column.source, tile.row.length, source, destination);
      }
      // Measurements show a gain only for small items, and for rows at least as long as a cache line.
      const std::size_t side = GetTileBytes(kSize) / kSize;
      const bool stage = kSize <= 2 && tile.row.length == side && tile.column.length <= side;
      return stage ? TransposeStaged<kSize>(tile, source, destination)
                   : TransposeTile<kSize>(tile, source, destination);
    }
  }
  CopyByLongerAxis<kSize>(tile, item_size, source, destination);
}

/// Returns the rows and columns of a tile. A plane that is narrower than a tile gets longer tiles.
CopyPlane GetFirstTile(const CopyPlane& plane, std::size_t item_size) {
  const std::size_t side = std::max<std::size_t>(1, GetTileBytes(item_size) / item_size);
  CopyPlane tile = plane;
  tile.row.length = std::min(side, plane.row.length);
  tile.column.length = std::min(side * side / tile.row.length, plane.column.length);
  tile.row.length = std::min(side * side / tile.column.length, plane.row.length);
  return tile;
}

/// Tiles follow each other along the fastest axis of the source, which was the best order in measurements.
template <std::size_t kSize>
void CopyByTiles(const CopyPlane& plane, std::size_t item_size, const std::byte* source, std::byte* destination) {
  const CopyPlane first = GetFirstTile(plane, item_size);
  for (std::size_t j = 0; j < plane.column.length; j += first.column.length) {
    for (std::size_t i = 0; i < plane.row.length; i += first.row.length) {
      CopyPlane tile = plane;
      tile.row.length = std::min(first.row.length, plane.row.length - i);
      tile.column.length = std::min(first.column.length, plane.column.length - j);
      CopyTile<kSize>(tile, item_size, source + GetOffset(i, plane.row.source) + GetOffset(j, plane.column.source),
                      destination + GetOffset(i, plane.row.destination) + GetOffset(j, plane.column.destination));
    }
  }
}

template <std::size_t kSize>
PlaneKernel GetKernelOfSize(bool transposed) {
  return transposed ? &CopyByTiles<kSize> : &CopyByRows<kSize>;
}

}  // namespace

PlaneKernel SelectPlaneKernel(bool transposed, std::size_t item_size) {
  switch (item_size) {
    case 1:
      return GetKernelOfSize<1>(transposed);
    case 2:
      return GetKernelOfSize<2>(transposed);
    case 3:
      return GetKernelOfSize<3>(transposed);
    case 4:
      return GetKernelOfSize<4>(transposed);
    case 6:
      return GetKernelOfSize<6>(transposed);
    case 8:
      return GetKernelOfSize<8>(transposed);
    case 12:
      return GetKernelOfSize<12>(transposed);
    case 16:
      return GetKernelOfSize<16>(transposed);
    default:
      return GetKernelOfSize<0>(transposed);
  }
}

}  // namespace zarr
