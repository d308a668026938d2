// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "zarrlib/base/shape.h"
#include "zarrlib/grid/chunk_axis.h"
#include "zarrlib/json/json_node.h"

namespace zarr {

/// A chunk, and the elements of it that a selection takes.
struct ChunkOverlap {
  Shape grid_index;
  Shape encoded_shape;  ///< The shape that the codecs see: every edge in full length.
  Box live;             ///< The chunk's elements inside the array, in array coordinates.
  Shape first;          ///< The first selected element, counted from the chunk's origin.
  Shape count;          ///< The number of selected elements along each axis.
  Shape output;         ///< The place of the first selected element in the selection.
  bool whole = false;   ///< Whether all live elements are selected.
};

/// An array cut into chunks: one ChunkAxis for each dimension. In a regular grid each axis has one run.
class ChunkGrid {
 public:
  enum class Kind { kRegular, kRectilinear };

  ChunkGrid() = default;
  ChunkGrid(Kind kind, std::vector<ChunkAxis> axes);

  static ChunkGrid MakeRegular(const Shape& array_shape, const Shape& chunk_shape);
  /// Parses the `chunk_grid` of v3. Throws Error at the member that is wrong.
  static ChunkGrid FromV3(const Shape& array_shape, const JsonNode& node);

  Kind kind() const { return kind_; }
  std::size_t rank() const { return axes_.size(); }
  const ChunkAxis& axis(std::size_t i) const { return axes_[i]; }
  /// The number of chunks along each axis.
  Shape grid_shape() const;
  /// The edge lengths, if all live chunks have the same.
  std::optional<Shape> uniform_chunk_shape() const;
  /// The longest edge along each axis.
  Shape max_chunk_shape() const;

 private:
  Kind kind_ = Kind::kRegular;
  std::vector<ChunkAxis> axes_;
};

/// The chunks that a selection meets, numbered in C order of their grid index. An axis with step 1 is not expanded: the
/// constructor does one look-up for each axis, and so does `At`. Refers to the grid, which must outlive it. The
/// selection must lie inside the array. Throws Error(limit_exceeded) for more than 2^64 - 1 chunks.
class ChunkRange {
 public:
  ChunkRange(const ChunkGrid& grid, const Selection& selection);
  std::uint64_t count() const { return count_; }
  ChunkOverlap At(std::uint64_t number) const;

 private:
  const ChunkGrid* grid_;
  Selection selection_;
  Shape first_;  // grid index of the first chunk
  Shape shape_;  // number of chunks along each axis
  std::vector<std::vector<std::uint64_t>>
      strided_;  // for axes with a step: the indices of the chunks; empty if all chunks are met
  std::uint64_t count_ = 0;
};

}  // namespace zarr
