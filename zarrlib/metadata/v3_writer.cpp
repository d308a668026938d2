// SPDX-License-Identifier: MIT
#include "zarrlib/metadata/codec_names.h"
#include "zarrlib/metadata/document_names.h"
#include "zarrlib/metadata/document_parts.h"

namespace zarr {
namespace {

/// Makes an axis of the rectilinear grid: an integer if all edges are equal, otherwise the edges, with repeated ones as
/// pairs.
JsonNode MakeAxisJson(const ChunkAxis& axis) {
  const auto runs = axis.runs();
  // An integer would lose declared chunks beyond the extent.
  if (runs.size() == 1 && runs[0].count == axis.chunk_count()) return JsonNode::MakeUnsigned(runs[0].edge);
  std::vector<JsonNode> edges;
  for (const ChunkRun& run : runs) {
    const JsonNode edge = JsonNode::MakeUnsigned(run.edge);
    edges.push_back(run.count == 1 ? edge : JsonNode::MakeArray({edge, JsonNode::MakeUnsigned(run.count)}));
  }
  return JsonNode::MakeArray(edges);
}

JsonNode MakeGridJson(const ChunkGrid& grid) {
  if (grid.kind() == ChunkGrid::Kind::kRegular) {
    return MakeNamedConfiguration("regular", {{"chunk_shape", MakeShapeJson(grid.max_chunk_shape())}});
  }
  std::vector<JsonNode> axes;
  for (std::size_t i = 0; i < grid.rank(); ++i) axes.push_back(MakeAxisJson(grid.axis(i)));
  return MakeNamedConfiguration(
      "rectilinear", {{"kind", JsonNode::MakeString("inline")}, {"chunk_shapes", JsonNode::MakeArray(axes)}});
}

JsonNode MakeKeysJson(const ArrayMetadata& array) {
  const ChunkKeyEncoding& keys = array.chunk_key_encoding;
  if (keys.kind == ChunkKeyEncoding::Kind::kV0) {
    FailUnsupported(array, "/chunk_key_encoding", "v3 has no keys such as those of the format before v1");
  }
  JsonMembers members = {{"separator", JsonNode::MakeString(std::string_view(&keys.separator, 1))}};
  if (keys.kind != ChunkKeyEncoding::Kind::kDefault) return MakeNamedConfiguration("v2", members);
  if (keys.suffix.empty()) return MakeNamedConfiguration("default", members);
  members.emplace_back("suffix", JsonNode::MakeString(keys.suffix));
  return MakeNamedConfiguration(kSuffixName, members);
}

/// Keeps the spelling of the document if it denotes the array's data type.
JsonNode MakeDataType(const ArrayMetadata& array, const JsonNode& document) {
  if (!document.IsNull()) {
    JsonNode node = document.At("data_type");
    if (DataType::FromV3(node) == array.data_type) return node;
  }
  return RunAtMember(array, "/data_type", [&] { return MakeDataTypeV3(array.data_type); });
}

JsonNode MakeV3FillValue(const ArrayMetadata& array, const JsonNode& document) {
  if (!document.IsNull() && DataType::FromV3(document.At("data_type")) == array.data_type) {
    JsonNode node = document.At("fill_value");
    std::vector<std::string> mistakes;
    const bool is_same = !node.IsNull() && ParseFillValueV3(node, array.data_type, &mistakes) == array.fill_value;
    if (is_same && mistakes.empty()) return node;
    if (array.data_type.kind == DataType::Kind::kUnknown) return node;
  }
  return RunAtMember(array, "/fill_value", [&] { return MakeFillValueV3(array.fill_value, array.data_type); });
}

JsonNode MakeCodecs(const ArrayMetadata& array, const JsonNode& document) {
  if (!document.IsNull() && !array.implicit_bytes &&
      AreSameCodecs(ParseCodecsV3(document.At("codecs")), array.codecs)) {
    return document.At("codecs");
  }
  return RunAtMember(array, "/codecs",
                     [&] { return MakeCodecListJson(ConvertCodecsToV3(array.codecs, array.data_type)); });
}

JsonNode MakeNamesJson(const std::vector<std::optional<std::string>>& names) {
  std::vector<JsonNode> items;
  for (const auto& name : names) items.push_back(name ? JsonNode::MakeString(*name) : JsonNode());
  return JsonNode::MakeArray(items);
}

}  // namespace

std::vector<MetadataDocument> MakeDocumentsV3(const ArrayMetadata& array) {
  const JsonNode document = GetOwnDocument(array);
  JsonMembers members = {
      {"zarr_format", JsonNode::MakeInteger(3)},
      {"node_type", JsonNode::MakeString("array")},
      {"shape", MakeShapeJson(array.shape)},
      {"data_type", MakeDataType(array, document)},
      {"chunk_grid", MakeGridJson(array.chunk_grid)},
      {"chunk_key_encoding", MakeKeysJson(array)},
      {"fill_value", MakeV3FillValue(array, document)},
      {"codecs", MakeCodecs(array, document)},
      {"attributes", MakeAttributesObject(array.attributes)},
  };
  if (!array.dimension_names.empty()) members.emplace_back("dimension_names", MakeNamesJson(array.dimension_names));
  JsonNode content = CopyWithMembers(document, members);
  if (array.dimension_names.empty() && content.Has("dimension_names")) {
    JsonMembers rest = content.GetMembers();
    std::erase_if(rest, [](const auto& member) { return member.first == "dimension_names"; });
    content = JsonNode::MakeObject(rest, content);
  }
  return {{std::string(kV3Document), content}};
}

}  // namespace zarr
