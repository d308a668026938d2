// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "zarrlib/array/array.h"
#include "zarrlib/base/shape.h"
#include "zarrlib/tools/map/png.h"

namespace zarr::tools {

/// The chunks of a plane of an array: of its last two axes, at one index along the others. An array of one axis has one
/// row.
struct ChunkMap {
  /// The part of a chunk (in shards, of an inner chunk) along an axis, in elements from the start of the plane.
  struct Span {
    std::uint64_t begin = 0;
    std::uint64_t length = 0;
    bool begins_shard = false;  ///< True if a chunk or shard begins here, and not only an inner chunk.
  };
  enum class State : unsigned char { kPresent, kMissing, kDamaged };
  struct Cell {
    State state = State::kPresent;
    std::string error;  ///< The reason why a damaged chunk cannot be decoded.
  };

  std::vector<Span> rows;
  std::vector<Span> columns;
  std::vector<Cell> cells;  ///< One for each row and column, in C order.
  bool is_sharded = false;

  /// A small picture of the values: the smallest are black and the largest white; missing and damaged elements, NaN and
  /// the fill value are transparent. Empty if the values are not real numbers.
  std::vector<GreyPixel> pixels;
  std::size_t pixel_columns = 0;

  std::uint64_t Count(State state) const;
};

/// Checks for each chunk of a plane whether it is stored and can be decoded. `region` has one element along all axes
/// but the last two. Decodes all chunks, using memory for one chunk per thread. `progress`, if set, is called with the
/// completed fraction of the work; it must return true. Throws Error: invalid_argument for an array without axes,
/// limit_exceeded for more than 40,000 chunks, and the errors of the store.
ChunkMap MapChunks(const Array& array, const Box& region, const std::function<bool(double)>& progress = {});

}  // namespace zarr::tools
