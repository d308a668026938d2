#pragma once

#include <optional>

#include "zarrlib/metadata/array_metadata.h"

/// What the parsers of the formats share.
namespace zarr {

/// A list of non-negative integers, at most kMaxRank.
Shape ShapeFromJson(const JsonNode& node);
/// v1's and v2's `chunks`.
ChunkGrid RegularGridFromJson(const Shape& array_shape, const JsonNode& chunks);
/// An object, or null where there is none.
JsonNode AttributesFromJson(const std::optional<JsonNode>& node);
/// Order F: a transpose that reverses `rank` axes, for which `place` in the metadata stands.
CodecSpec ReverseAxes(const JsonNode& place, std::size_t rank);

}  // namespace zarr
