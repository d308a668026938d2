// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "zarrlib/base/shape.h"
#include "zarrlib/grid/chunk_axis.h"
#include "zarrlib/json/json_node.h"

namespace zarr {

/// A chunk, and its elements that belong to a selection.
struct ChunkOverlap {
  Shape grid_index;
  Shape encoded_shape;  ///< The shape that the codecs process: every edge in full length.
  Box live;             ///< The chunk's elements inside the array, in array coordinates.
  Shape first;          ///< The first selected element, relative to the chunk's origin.
  Shape count;          ///< The number of selected elements along each axis.
  Shape output;         ///< The position of the first selected element in the selection.
  bool whole = false;   ///< True if all live elements are selected.
};

/// The division of an array into chunks: one ChunkAxis per dimension. In a regular grid each axis has one run.
class ChunkGrid {
 public:
  enum class Kind { kRegular, kRectilinear };

  ChunkGrid() = default;
  ChunkGrid(Kind kind, std::vector<ChunkAxis> axes);

  static ChunkGrid MakeRegular(const Shape& array_shape, const Shape& chunk_shape);
  /// Parses the `chunk_grid` of v3. Throws Error at the member that is invalid.
  static ChunkGrid FromV3(const Shape& array_shape, const JsonNode& node);

  Kind kind() const { return kind_; }
  std::size_t rank() const { return axes_.size(); }
  const ChunkAxis& axis(std::size_t i) const { return axes_[i]; }
  /// Returns the number of chunks along each axis.
  Shape grid_shape() const;
  /// Returns the edge lengths if they are the same for all live chunks, otherwise nullopt.
  std::optional<Shape> uniform_chunk_shape() const;
  /// Returns the longest edge along each axis.
  Shape max_chunk_shape() const;

 private:
  Kind kind_ = Kind::kRegular;
  std::vector<ChunkAxis> axes_;
};

/// The chunks that intersect a selection, numbered in C order of their grid index. An axis with step 1 is not expanded:
/// the constructor does one lookup per axis, and so does `At`. Refers to the grid, which must outlive it. The selection
/// must lie inside the array. Throws Error(limit_exceeded) for more than 2^64 - 1 chunks.
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
      strided_;  // for axes with a step: the indices of the chunks; empty if all chunks are used
  std::uint64_t count_ = 0;
};

}  // namespace zarr
