#include "zarrlib/base/strided_kernels.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>

#include "zarrlib/base/gather.h"
#include "zarrlib/base/interleave.h"

namespace zarr {
namespace {

std::ptrdiff_t Offset(std::size_t index, std::ptrdiff_t stride) {
  return static_cast<std::ptrdiff_t>(index) * stride;
}

// --- loops ------------------------------------------------------------------------------------------------------
// `kSize` is the size of an item where it is one of those compiled for, else 0.

template <std::size_t kSize>
void CopyItem(std::byte* destination, const std::byte* source, std::size_t item_size) {
  std::memcpy(destination, source, kSize != 0 ? kSize : item_size);
}

/// Shorter rows are done sooner than begun.
constexpr std::size_t kGatheredRow = 32;

/// The items between two neighbours, if GatherRow is for such rows; else 0.
template <std::size_t kSize>
std::size_t GatheredStride(const CopyAxis& axis) {
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
      if (const std::size_t stride = GatheredStride<kSize>(axis)) {
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

/// Within a tile both orders of the loops are as good for the cache; long inner loops have less overhead.
template <std::size_t kSize>
void CopyByLongerAxis(const CopyPlane& plane, std::size_t item_size, const std::byte* source, std::byte* destination) {
  const bool exchange = plane.row.length > plane.column.length;
  CopyByRows<kSize>(exchange ? CopyPlane{plane.column, plane.row, plane.transposed} : plane, item_size, source,
                    destination);
}

// --- blocks of 8 bytes by 8 bytes, transposed in registers ------------------------------------------------------

/// Items along one side of a block; 1 for sizes that are not done by blocks.
template <std::size_t kSize>
inline constexpr std::size_t kBlock = kSize == 1 || kSize == 2 || kSize == 4 ? 8 / kSize : 1;

/// Transposes a block that is held in one word per row: exchanges the off-diagonal quarters at each scale.
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
    std::memcpy(&words[i], source + Offset(i, tile.column.source), sizeof(words[i]));
  }
  TransposeWords<kSize>(&words);
  for (std::size_t i = 0; i < words.size(); ++i) {
    std::memcpy(destination + Offset(i, tile.row.destination), &words[i], sizeof(words[i]));
  }
}

// --- tiles ------------------------------------------------------------------------------------------------------

/// Bytes along either side of a tile, chosen by measurement: a cache line, or two where items are large.
constexpr std::size_t TileBytes(std::size_t item_size) {
  return item_size < 8 ? 64 : 128;
}

/// A tile whose items are neighbours along rows in the source and along columns in the destination.
template <std::size_t kSize>
void TransposeTile(const CopyPlane& tile, const std::byte* source, std::byte* destination) {
  const std::size_t rows = tile.row.length - tile.row.length % kBlock<kSize>;
  const std::size_t columns = tile.column.length - tile.column.length % kBlock<kSize>;
  for (std::size_t i = 0; i < rows; i += kBlock<kSize>) {
    for (std::size_t j = 0; j < columns; j += kBlock<kSize>) {
      TransposeBlock<kSize>(tile, source + i * kSize + Offset(j, tile.column.source),
                            destination + Offset(i, tile.row.destination) + j * kSize);
    }
  }
  CopyPlane right = tile;
  right.row.length = rows;
  right.column.length -= columns;
  CopyByLongerAxis<kSize>(right, kSize, source + Offset(columns, tile.column.source), destination + columns * kSize);
  CopyPlane below = tile;
  below.row.length -= rows;
  CopyByLongerAxis<kSize>(below, kSize, source + rows * kSize, destination + Offset(rows, tile.row.destination));
}

/// The same by way of a packed copy: read in place, the lines of a tile would evict each other from the cache wherever
/// the stride between them is a power of two.
template <std::size_t kSize>
void TransposeStaged(const CopyPlane& tile, const std::byte* source, std::byte* destination) {
  constexpr std::size_t kRowBytes = TileBytes(kSize);
  std::array<std::byte, kRowBytes * kRowBytes / kSize> packed;
  for (std::size_t j = 0; j < tile.column.length; ++j) {
    std::memcpy(packed.data() + j * kRowBytes, source + Offset(j, tile.column.source), kRowBytes);
  }
  CopyPlane staged = tile;
  staged.column.source = kRowBytes;
  TransposeTile<kSize>(staged, packed.data(), destination);
}

/// Whether a tile is a row of pixels in the destination, and each of their bands is a row in the source.
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
      // Measured to pay for small items only, and where rows are no shorter than cache lines.
      const std::size_t side = TileBytes(kSize) / kSize;
      const bool stage = kSize <= 2 && tile.row.length == side && tile.column.length <= side;
      return stage ? TransposeStaged<kSize>(tile, source, destination)
                   : TransposeTile<kSize>(tile, source, destination);
    }
  }
  CopyByLongerAxis<kSize>(tile, item_size, source, destination);
}

/// Rows and columns of a tile. Where the plane is narrower than a tile, the tile is longer instead.
CopyPlane FirstTile(const CopyPlane& plane, std::size_t item_size) {
  const std::size_t side = std::max<std::size_t>(1, TileBytes(item_size) / item_size);
  CopyPlane tile = plane;
  tile.row.length = std::min(side, plane.row.length);
  tile.column.length = std::min(side * side / tile.row.length, plane.column.length);
  tile.row.length = std::min(side * side / tile.column.length, plane.row.length);
  return tile;
}

/// Tiles follow each other along the source's fastest axis, which measured best.
template <std::size_t kSize>
void CopyByTiles(const CopyPlane& plane, std::size_t item_size, const std::byte* source, std::byte* destination) {
  const CopyPlane first = FirstTile(plane, item_size);
  for (std::size_t j = 0; j < plane.column.length; j += first.column.length) {
    for (std::size_t i = 0; i < plane.row.length; i += first.row.length) {
      CopyPlane tile = plane;
      tile.row.length = std::min(first.row.length, plane.row.length - i);
      tile.column.length = std::min(first.column.length, plane.column.length - j);
      CopyTile<kSize>(tile, item_size, source + Offset(i, plane.row.source) + Offset(j, plane.column.source),
                      destination + Offset(i, plane.row.destination) + Offset(j, plane.column.destination));
    }
  }
}

template <std::size_t kSize>
PlaneKernel KernelOfSize(bool transposed) {
  return transposed ? &CopyByTiles<kSize> : &CopyByRows<kSize>;
}

}  // namespace

PlaneKernel SelectPlaneKernel(bool transposed, std::size_t item_size) {
  switch (item_size) {
    case 1:
      return KernelOfSize<1>(transposed);
    case 2:
      return KernelOfSize<2>(transposed);
    case 3:
      return KernelOfSize<3>(transposed);
    case 4:
      return KernelOfSize<4>(transposed);
    case 6:
      return KernelOfSize<6>(transposed);
    case 8:
      return KernelOfSize<8>(transposed);
    case 12:
      return KernelOfSize<12>(transposed);
    case 16:
      return KernelOfSize<16>(transposed);
    default:
      return KernelOfSize<0>(transposed);
  }
}

}  // namespace zarr
