// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "zarrlib/metadata/array_metadata.h"

/// Code shared by the parsers of all formats.
namespace zarr {

/// Parses a list of at most kMaxRank non-negative integers.
Shape ParseShape(const JsonNode& node);
/// Parses the `chunks` of v1 and v2.
ChunkGrid ParseRegularGrid(const Shape& array_shape, const JsonNode& chunks);
/// Parses attributes, which must be an object; returns null if there are none.
JsonNode ParseAttributes(const std::optional<JsonNode>& node);
/// Makes the codec for order F: a transpose that reverses `rank` axes. Errors about it point to `place`.
CodecSpec ReverseAxes(const JsonNode& place, std::size_t rank);

// v2_reader
/// Parses a codec in the form of numcodecs: {"id": ..., ...}.
CodecSpec ParseNumcodecsForm(const JsonNode& node);
/// Finds the type of "|O": the first filter that encodes objects determines it.
void ResolveObjectType(const std::vector<CodecSpec>& codecs, DataType* type);
/// Parses xarray's attribute, for formats that do not store names of dimensions.
std::vector<std::optional<std::string>> ParseXarrayDimensions(const JsonNode& attributes, std::size_t rank);

}  // namespace zarr
