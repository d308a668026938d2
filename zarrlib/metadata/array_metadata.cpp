// SPDX-License-Identifier: MIT
#include "zarrlib/metadata/array_metadata.h"

#include "zarrlib/metadata/document_names.h"
#include "zarrlib/metadata/metadata_parts.h"

namespace zarr {

std::string GetFormatName(ZarrFormat format) {
  if (format == ZarrFormat::kV0) return "before v1";
  if (format == ZarrFormat::kV3Draft) return "v3 (draft)";
  return "v" + std::to_string(static_cast<int>(format));
}

std::string_view GetArrayDocumentName(ZarrFormat format) {
  switch (format) {
    case ZarrFormat::kV0:
      return kV0Array;
    case ZarrFormat::kV1:
      return kV1Array;
    case ZarrFormat::kV2:
      return kV2Array;
    case ZarrFormat::kV3Draft:
      return kV3DraftArray;
    case ZarrFormat::kV3:
      break;
  }
  return kV3Document;
}

void ArrayMetadata::Validate() const {
  if (chunk_grid.rank() != shape.size()) {
    document.Fail(ErrorKind::kCorrupt, FormatExpectedGot(std::to_string(shape.size()) + " dimensions of the chunk grid",
                                                         std::to_string(chunk_grid.rank())));
  }
  if (!dimension_names.empty() && dimension_names.size() != shape.size()) {
    document.Fail(ErrorKind::kCorrupt, FormatExpectedGot(std::to_string(shape.size()) + " dimension names",
                                                         std::to_string(dimension_names.size())));
  }
}

Shape ParseShape(const JsonNode& node) {
  if (!node.IsArray()) node.FailExpected("a list of integers");
  if (node.size() > kMaxRank) {
    node.Fail(ErrorKind::kLimitExceeded,
              FormatExpectedGot("at most " + std::to_string(kMaxRank) + " dimensions", std::to_string(node.size())));
  }
  Shape shape;
  for (const JsonNode& length : node.GetItems()) shape.push_back(length.AsUint64());
  return shape;
}

ChunkGrid ParseRegularGrid(const Shape& array_shape, const JsonNode& chunks) {
  if (!chunks.IsArray() || chunks.size() != array_shape.size()) {
    chunks.FailExpected("a list of " + std::to_string(array_shape.size()) + " integers");
  }
  const Shape chunk_shape = ParseShape(chunks);
  for (std::size_t i = 0; i < chunk_shape.size(); ++i) {
    if (chunk_shape[i] == 0) chunks[i].FailExpected("a positive integer");
  }
  return ChunkGrid::MakeRegular(array_shape, chunk_shape);
}

CodecSpec ReverseAxes(const JsonNode& place, std::size_t rank) {
  std::vector<JsonNode> order;
  for (std::size_t i = rank; i-- > 0;) order.push_back(JsonNode::MakeUnsigned(i, place));
  return {"transpose", JsonNode::MakeObject({{"order", JsonNode::MakeArray(order, place)}}, place)};
}

JsonNode ParseAttributes(const std::optional<JsonNode>& node) {
  if (!node || node->IsNull()) return {};
  if (!node->IsObject()) node->FailExpected("an object");
  return *node;
}

}  // namespace zarr
