#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "zarrlib/base/shape.h"
#include "zarrlib/grid/chunk_axis.h"
#include "zarrlib/json/json_node.h"

namespace zarr {

/// A chunk, and the part of it that a selection takes.
struct ChunkOverlap {
  Shape grid_index;
  Shape encoded_shape;  ///< What the codecs see: every edge in full.
  Box live;             ///< The chunk's elements within the array, in array coordinates.
  Shape first;          ///< The first selected element, counted from the chunk's origin.
  Shape count;          ///< Selected elements per axis.
  Shape output;         ///< Where the first selected element stands in the selection.
  bool whole = false;   ///< All live elements are selected.
};

/// An array cut into chunks: one axis per dimension, each on its own. A regular grid is that of one run per axis.
class ChunkGrid {
 public:
  enum class Kind { kRegular, kRectilinear };

  ChunkGrid() = default;
  ChunkGrid(Kind kind, std::vector<ChunkAxis> axes);

  static ChunkGrid Regular(const Shape& array_shape, const Shape& chunk_shape);
  /// Reads v3's `chunk_grid`. Throws Error at the member that is wrong.
  static ChunkGrid FromV3(const Shape& array_shape, const JsonNode& node);

  Kind kind() const { return kind_; }
  std::size_t rank() const { return axes_.size(); }
  const ChunkAxis& axis(std::size_t i) const { return axes_[i]; }
  /// Chunks per axis.
  Shape grid_shape() const;
  /// The edge lengths if all live chunks agree on them.
  std::optional<Shape> uniform_chunk_shape() const;
  /// The longest edge per axis.
  Shape max_chunk_shape() const;

 private:
  Kind kind_ = Kind::kRegular;
  std::vector<ChunkAxis> axes_;
};

/// The chunks from which a selection takes elements, numbered in C order of their grid index. Along an axis with step 1
/// nothing is expanded: making it costs a look-up per axis, `At` one more. Refers to the grid.
/// The selection must lie within the array. Throws Error(limit_exceeded) for more than 2^64 - 1 chunks.
class ChunkRange {
 public:
  ChunkRange(const ChunkGrid& grid, const Selection& selection);
  std::uint64_t count() const { return count_; }
  ChunkOverlap At(std::uint64_t number) const;

 private:
  const ChunkGrid* grid_;
  Selection selection_;
  Shape first_;                                      // grid index of the first chunk
  Shape shape_;                                      // chunks per axis
  std::vector<std::vector<std::uint64_t>> strided_;  // for axes with a step: the chunks' indices; empty if all are
  std::uint64_t count_ = 0;
};

}  // namespace zarr
