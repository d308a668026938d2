// SPDX-License-Identifier: MIT
#include "driver/overviews/level_metadata.h"

#include <algorithm>

#include "driver/cf/value_attributes.h"
#include "driver/dataset/attribute_names.h"
#include "driver/io/block_size.h"
#include "zarrlib/hierarchy/stale_regions.h"
#include "zarrlib/json/json_edit.h"
#include "zarrlib/metadata/codec_names.h"

namespace gdal_zarr {
namespace {

using zarr::ArrayMetadata;
using zarr::CodecSpec;
using zarr::JsonNode;
using zarr::Shape;

constexpr const char* kInnerShape = "chunk_shape";
constexpr std::uint64_t kSmallestEdge = 64;
constexpr std::uint64_t kLargestUnevenEdge = 2048;

/// Attributes that name arrays of the base's size, or apply only to the base's values.
constexpr const char* kAttributesOfBase[] = {
    kCoordinatesAttribute, "ancillary_variables",         "cell_measures", "bounds", "actual_range",
    "statistics",          zarr::kStaleOverviewsAttribute};

bool IsOfBase(const std::string& name) {
  return IsStatistic(name) || std::any_of(std::begin(kAttributesOfBase), std::end(kAttributesOfBase),
                                          [&name](const char* other) { return name == other; });
}

bool IsSharded(const ArrayMetadata& array) {
  return std::any_of(array.codecs.begin(), array.codecs.end(),
                     [](const CodecSpec& c) { return c.name == zarr::kShardingName; });
}

/// Returns the shape of inner chunks if it can be changed freely: there is neither a transpose before the sharding
/// codec, nor another sharding codec in it.
std::optional<Shape> FindInnerShape(const ArrayMetadata& array) {
  if (array.codecs.empty() || array.codecs[0].name != zarr::kShardingName) return std::nullopt;
  const JsonNode& configuration = array.codecs[0].configuration;
  for (const JsonNode& codec : configuration.At("codecs").GetItems()) {
    const std::string name = codec.IsString() ? codec.AsString() : codec.At("name").AsString();
    if (name == zarr::kShardingName) return std::nullopt;
  }
  Shape inner;
  for (const JsonNode& edge : configuration.At(kInnerShape).GetItems()) inner.push_back(edge.AsUint64());
  return inner;
}

/// Returns the edges of a regular grid similar to the base's.
Shape GetRegularEdges(const OverviewBase& base) {
  const ArrayMetadata& array = base.array.array().metadata();
  Shape edges;
  for (std::size_t i = 0; i < array.shape.size(); ++i) {
    const zarr::ChunkAxis& axis = array.chunk_grid.axis(i);
    std::uint64_t edge = axis.uniform() ? axis.max_edge() : FindPrevailingEdge(axis);
    const bool horizontal = i == base.axes.x || i == base.axes.y;
    // The edge of a shard is not clamped, because inner chunks must divide it.
    if (!axis.uniform() && horizontal && !IsSharded(array)) edge = std::clamp(edge, kSmallestEdge, kLargestUnevenEdge);
    edges.push_back(edge);
  }
  return edges;
}

void SetGrid(const OverviewBase& base, ArrayMetadata* level) {
  Shape edges = GetRegularEdges(base);
  std::optional<Shape> inner = FindInnerShape(*level);
  const bool fixed = IsSharded(*level) && !inner;
  for (std::size_t i = 0; i < edges.size() && !fixed; ++i) {
    const std::uint64_t extent = std::max<std::uint64_t>(level->shape[i], 1);
    std::uint64_t longest = extent;
    if (inner) {
      std::uint64_t& part = (*inner)[i];
      part = std::min(part, extent);
      longest = (extent + part - 1) / part * part;
    }
    edges[i] = std::min(edges[i], longest);
  }
  level->chunk_grid = zarr::ChunkGrid::MakeRegular(level->shape, edges);
  if (!inner) return;
  std::vector<JsonNode> lengths;
  for (const std::uint64_t length : *inner) lengths.push_back(JsonNode::MakeUnsigned(length));
  JsonNode& configuration = level->codecs[0].configuration;
  configuration = CopyWithMember(configuration, kInnerShape, JsonNode::MakeArray(lengths));
}

}  // namespace

Shape ComputeLevelShape(const OverviewBase& base, int factor) {
  Shape shape = base.array.array().shape();
  const auto divisor = static_cast<std::uint64_t>(factor);
  for (const std::size_t i : {base.axes.x, base.axes.y}) {
    shape[i] = (shape[i] + divisor - 1) / divisor;
  }
  return shape;
}

JsonNode MakeLevelAttributes(const JsonNode& attributes) {
  JsonNode result = attributes;
  if (!attributes.IsObject()) return result;
  for (const auto& [name, value] : attributes.GetMembers()) {
    if (IsOfBase(name)) result = CopyWithoutMember(result, name);
  }
  return result;
}

ArrayMetadata MakeLevelMetadata(const OverviewBase& base, const Shape& shape) {
  ArrayMetadata level = base.array.array().metadata();
  level.document = JsonNode();
  level.warnings.clear();
  level.shape = shape;
  level.attributes = MakeLevelAttributes(level.attributes);
  SetGrid(base, &level);
  return level;
}

}  // namespace gdal_zarr
