// SPDX-License-Identifier: MIT
#include "zarrlib/store/icechunk/commit/node_document.h"

#include <algorithm>

#include "zarrlib/base/error.h"
#include "zarrlib/base/shape.h"
#include "zarrlib/grid/chunk_grid.h"
#include "zarrlib/json/json_node.h"
#include "zarrlib/store/store.h"

namespace zarr {
namespace {

void ReadNames(const JsonNode& document, NodeDocument* result) {
  const std::optional<JsonNode> names = document.Find("dimension_names");
  if (!names || !names->IsArray()) return;
  for (std::size_t i = 0; i < std::min(names->size(), result->dimensions.size()); ++i) {
    const JsonNode name = (*names)[i];
    if (name.IsString()) result->dimensions[i].name = name.AsString();
  }
}

}  // namespace

NodeDocument ParseNodeDocument(ByteSpan document) {
  const JsonNode root = JsonNode::Parse(AsText(document), "", "");
  const std::optional<JsonNode> format = root.IsObject() ? root.Find("zarr_format") : std::nullopt;
  const std::optional<JsonNode> type = format ? root.Find("node_type") : std::nullopt;
  const bool is_v3 = type && type->IsString() && format->IsInteger() && format->AsUint64() == 3;
  NodeDocument result;
  result.is_array = is_v3 && type->AsString() == "array";
  if (!is_v3 || (!result.is_array && type->AsString() != "group")) {
    throw Error(ErrorKind::kUnsupported,
                FormatExpectedGot("the document of an array or a group of Zarr v3", QuoteKey(AsText(document))));
  }
  if (!result.is_array) return result;
  Shape shape;
  const JsonNode lengths = root.At("shape");
  for (std::size_t i = 0; i < lengths.size(); ++i) shape.push_back(lengths[i].AsUint64());
  const ChunkGrid grid = ChunkGrid::FromV3(shape, root.At("chunk_grid"));
  const Shape chunks = grid.grid_shape();
  const Shape longest = grid.max_chunk_shape();
  for (std::size_t i = 0; i < shape.size(); ++i) {
    if (chunks[i] > UINT32_MAX) {
      throw Error(ErrorKind::kLimitExceeded, FormatExpectedGot("at most 4294967295 chunks in a dimension, which is "
                                                               "all that Icechunk can store",
                                                               std::to_string(chunks[i])));
    }
    result.dimensions.push_back({shape[i], longest[i], static_cast<std::uint32_t>(chunks[i]), std::nullopt});
  }
  ReadNames(root, &result);
  return result;
}

}  // namespace zarr
