// SPDX-License-Identifier: MIT
#include "driver/io/block_size.h"

#include <algorithm>
#include <cstdint>
#include <map>

namespace gdal_zarr {
namespace {

constexpr std::uint64_t kSmallestEdge = 64;
constexpr std::uint64_t kLargestUnevenEdge = 2048;
constexpr std::uint64_t kLargestBlock = std::uint64_t{64} << 20;

std::uint64_t FindEdge(const zarr::Array& array, std::size_t dimension) {
  if (const auto edge = zarr::FindEvenChunkEdge(array, dimension)) return *edge;
  return std::clamp(FindPrevailingEdge(array.metadata().chunk_grid.axis(dimension)), kSmallestEdge, kLargestUnevenEdge);
}

std::uint64_t GetBlockLimit() {
  const auto cache = static_cast<std::uint64_t>(std::max<GIntBig>(GDALGetCacheMax64(), 0));
  return std::max<std::uint64_t>(std::min(kLargestBlock, cache / 100), kSmallestEdge * kSmallestEdge);
}

}  // namespace

std::uint64_t FindPrevailingEdge(const zarr::ChunkAxis& axis) {
  std::map<std::uint64_t, std::uint64_t> covered;
  std::uint64_t start = 0;
  for (const zarr::ChunkRun& run : axis.runs()) {
    if (start >= axis.extent()) break;
    const std::uint64_t length = std::min(run.edge * run.count, axis.extent() - start);
    covered[run.edge] += length;
    start += run.edge * run.count;
  }
  const auto most = std::max_element(covered.begin(), covered.end(),
                                     [](const auto& a, const auto& b) { return a.second <= b.second; });
  return most == covered.end() ? 1 : most->first;
}

BlockSize ChooseBlockSize(const zarr::Array& array, std::size_t x_dimension, std::size_t y_dimension,
                          std::size_t item_size) {
  const bool has_y = y_dimension < array.rank();
  const std::uint64_t width = array.rank() > 0 ? array.shape()[x_dimension] : 1;
  const std::uint64_t height = has_y ? array.shape()[y_dimension] : 1;
  std::uint64_t x = std::min(array.rank() > 0 ? FindEdge(array, x_dimension) : 1, width);
  std::uint64_t y = std::min(has_y ? FindEdge(array, y_dimension) : 1, height);
  while (x < kSmallestEdge && y < kSmallestEdge && (x < width || y < height)) {
    x = std::min(2 * x, width);
    y = std::min(2 * y, height);
  }
  const std::uint64_t limit = GetBlockLimit() / std::max<std::size_t>(item_size, 1);
  while (x > limit / std::max<std::uint64_t>(y, 1)) {
    std::uint64_t& larger = x >= y ? x : y;
    larger = (larger + 1) / 2;
  }
  return {static_cast<int>(std::max<std::uint64_t>(x, 1)), static_cast<int>(std::max<std::uint64_t>(y, 1))};
}

}  // namespace gdal_zarr
