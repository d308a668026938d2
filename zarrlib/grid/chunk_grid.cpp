// SPDX-License-Identifier: MIT
#include "zarrlib/grid/chunk_grid.h"

#include <algorithm>
#include <string>
#include <utility>

namespace zarr {
namespace {

std::vector<ChunkAxis> ParseRegularAxes(const Shape& array_shape, const JsonNode& configuration) {
  const JsonNode chunk_shape = configuration.At("chunk_shape");
  if (!chunk_shape.IsArray() || chunk_shape.size() != array_shape.size()) {
    chunk_shape.FailExpected("a list of " + std::to_string(array_shape.size()) + " integers");
  }
  std::vector<ChunkAxis> axes;
  for (std::size_t i = 0; i < array_shape.size(); ++i) {
    const JsonNode edge = chunk_shape[i];
    if (!edge.IsInteger() || edge.AsDouble() < 1) edge.FailExpected("a positive integer");
    axes.push_back(ChunkAxis::MakeRegular(array_shape[i], edge.AsUint64()));
  }
  return axes;
}

std::vector<ChunkAxis> ParseRectilinearAxes(const Shape& array_shape, const JsonNode& configuration) {
  // "kind" is required and can have only one value; a document without it can only mean that value.
  if (const auto kind = configuration.Find("kind"); kind && kind->AsString() != "inline") {
    kind->Fail(ErrorKind::kUnsupported, FormatExpectedGot("\"inline\"", kind->GetExcerpt()));
  }
  const JsonNode chunk_shapes = configuration.At("chunk_shapes");
  if (!chunk_shapes.IsArray() || chunk_shapes.size() != array_shape.size()) {
    chunk_shapes.FailExpected("a list with one entry for each of " + std::to_string(array_shape.size()) +
                              " dimensions");
  }
  std::vector<ChunkAxis> axes;
  for (std::size_t i = 0; i < array_shape.size(); ++i)
    axes.push_back(ChunkAxis::FromJson(array_shape[i], chunk_shapes[i]));
  return axes;
}

/// Returns the chunks along an axis that hold every `step`-th element of a selection.
std::vector<std::uint64_t> FindStridedChunks(const ChunkAxis& axis, std::uint64_t start, std::uint64_t count,
                                             std::uint64_t step) {
  std::vector<std::uint64_t> chunks;
  for (std::uint64_t k = 0; k < count;) {
    const ChunkSpan span = axis.Locate(start + k * step);
    chunks.push_back(span.index);
    k += (span.start + span.live - 1 - (start + k * step)) / step + 1;
  }
  return chunks;
}

}  // namespace

ChunkGrid::ChunkGrid(Kind kind, std::vector<ChunkAxis> axes) : kind_(kind), axes_(std::move(axes)) {}

ChunkGrid ChunkGrid::MakeRegular(const Shape& array_shape, const Shape& chunk_shape) {
  std::vector<ChunkAxis> axes;
  for (std::size_t i = 0; i < array_shape.size(); ++i)
    axes.push_back(ChunkAxis::MakeRegular(array_shape[i], chunk_shape[i]));
  return {Kind::kRegular, std::move(axes)};
}

ChunkGrid ChunkGrid::FromV3(const Shape& array_shape, const JsonNode& node) {
  if (!node.IsObject()) node.FailExpected("an object with a name and a configuration");
  const JsonNode name = node.At("name");
  const bool regular = name.AsString() == "regular";
  if (!regular && name.AsString() != "rectilinear") {
    name.Fail(ErrorKind::kUnsupported, FormatExpectedGot("\"regular\" or \"rectilinear\"", name.GetExcerpt()));
  }
  const JsonNode configuration = node.At("configuration");
  return {regular ? Kind::kRegular : Kind::kRectilinear,
          regular ? ParseRegularAxes(array_shape, configuration) : ParseRectilinearAxes(array_shape, configuration)};
}

Shape ChunkGrid::grid_shape() const {
  Shape shape(rank());
  for (std::size_t i = 0; i < rank(); ++i) shape[i] = axes_[i].chunk_count();
  return shape;
}

std::optional<Shape> ChunkGrid::uniform_chunk_shape() const {
  for (const ChunkAxis& axis : axes_) {
    if (!axis.uniform()) return std::nullopt;
  }
  return max_chunk_shape();
}

Shape ChunkGrid::max_chunk_shape() const {
  Shape shape(rank());
  for (std::size_t i = 0; i < rank(); ++i) shape[i] = axes_[i].max_edge();
  return shape;
}

ChunkRange::ChunkRange(const ChunkGrid& grid, const Selection& selection)
    : grid_(&grid), selection_(selection), first_(grid.rank()), shape_(grid.rank()), strided_(grid.rank()) {
  for (std::size_t i = 0; i < grid.rank(); ++i) {
    const ChunkAxis& axis = grid.axis(i);
    if (selection.count[i] == 0) {
      shape_[i] = 0;
    } else if (selection.step[i] > 1 && selection.count[i] > 1) {
      strided_[i] = FindStridedChunks(axis, selection.start[i], selection.count[i], selection.step[i]);
      shape_[i] = strided_[i].size();
    } else {
      first_[i] = axis.Locate(selection.start[i]).index;
      shape_[i] = axis.Locate(selection.start[i] + selection.count[i] - 1).index - first_[i] + 1;
    }
  }
  const auto count = ComputeCheckedProduct(shape_);
  if (!count) throw Error(ErrorKind::kLimitExceeded, "a selection of more than 2^64 chunks");
  count_ = *count;
}

ChunkOverlap ChunkRange::At(std::uint64_t number) const {
  const std::size_t rank = grid_->rank();
  ChunkOverlap overlap{Shape(rank), Shape(rank), {Shape(rank), Shape(rank)}, Shape(rank), Shape(rank),
                       Shape(rank), true};
  for (std::size_t i = rank; i-- > 0;) {
    const std::uint64_t position = number % shape_[i];
    number /= shape_[i];
    const ChunkSpan span = grid_->axis(i).At(strided_[i].empty() ? first_[i] + position : strided_[i][position]);
    const std::uint64_t start = selection_.start[i];
    const std::uint64_t step = selection_.step[i];
    // The first selected element in the chunk, and the first one after the chunk.
    const std::uint64_t from = span.start <= start ? 0 : (span.start - start - 1) / step + 1;
    const std::uint64_t until = std::min(selection_.count[i], (span.start + span.live - 1 - start) / step + 1);
    overlap.grid_index[i] = span.index;
    overlap.encoded_shape[i] = span.encoded;
    overlap.live.origin[i] = span.start;
    overlap.live.shape[i] = span.live;
    overlap.first[i] = start + from * step - span.start;
    overlap.count[i] = until - from;
    overlap.output[i] = from;
    overlap.whole = overlap.whole && overlap.count[i] == span.live;
  }
  return overlap;
}

}  // namespace zarr
