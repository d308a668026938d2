#include "zarrlib/metadata/codec_names.h"
#include "zarrlib/metadata/document_parts.h"

namespace zarr {
namespace {

JsonNode Named(std::string_view name, const JsonMembers& configuration) {
  return JsonNode::MakeObject(
      {{"name", JsonNode::MakeString(name)}, {"configuration", JsonNode::MakeObject(configuration)}});
}

/// An axis of the rectilinear grid: an integer where that says the same, else the edges, repeated ones as pairs.
JsonNode AxisToJson(const ChunkAxis& axis) {
  const auto runs = axis.runs();
  // Chunks beyond the extent, as many as are declared, are not to be lost.
  if (runs.size() == 1 && runs[0].count == axis.chunk_count()) return JsonNode::MakeUnsigned(runs[0].edge);
  std::vector<JsonNode> edges;
  for (const ChunkRun& run : runs) {
    const JsonNode edge = JsonNode::MakeUnsigned(run.edge);
    edges.push_back(run.count == 1 ? edge : JsonNode::MakeArray({edge, JsonNode::MakeUnsigned(run.count)}));
  }
  return JsonNode::MakeArray(edges);
}

JsonNode GridToJson(const ChunkGrid& grid) {
  if (grid.kind() == ChunkGrid::Kind::kRegular) {
    return Named("regular", {{"chunk_shape", ShapeToJson(grid.max_chunk_shape())}});
  }
  std::vector<JsonNode> axes;
  for (std::size_t i = 0; i < grid.rank(); ++i) axes.push_back(AxisToJson(grid.axis(i)));
  return Named("rectilinear", {{"kind", JsonNode::MakeString("inline")}, {"chunk_shapes", JsonNode::MakeArray(axes)}});
}

JsonNode KeysToJson(const ArrayMetadata& array) {
  const ChunkKeyEncoding& keys = array.chunk_key_encoding;
  if (keys.kind == ChunkKeyEncoding::Kind::kV0) {
    FailUnsupported(array, "/chunk_key_encoding", "v3 has no keys such as those of the format before v1");
  }
  return Named(keys.kind == ChunkKeyEncoding::Kind::kDefault ? "default" : "v2",
               {{"separator", JsonNode::MakeString(std::string_view(&keys.separator, 1))}});
}

/// What the document says, if that is what the array has: spellings are kept.
JsonNode DataTypeOf(const ArrayMetadata& array, const JsonNode& document) {
  if (!document.IsNull()) {
    JsonNode node = document.At("data_type");
    if (DataType::FromV3(node) == array.data_type) return node;
  }
  return AtMember(array, "/data_type", [&] { return DataTypeToV3(array.data_type); });
}

JsonNode FillValueOf(const ArrayMetadata& array, const JsonNode& document) {
  if (!document.IsNull() && DataType::FromV3(document.At("data_type")) == array.data_type) {
    JsonNode node = document.At("fill_value");
    if (!node.IsNull() && FillValueFromV3(node, array.data_type) == array.fill_value) return node;
    if (array.data_type.kind == DataType::Kind::kUnknown) return node;
  }
  return AtMember(array, "/fill_value", [&] { return FillValueToV3(array.fill_value, array.data_type); });
}

JsonNode CodecsOf(const ArrayMetadata& array, const JsonNode& document) {
  if (!document.IsNull() && !array.implicit_bytes && SameCodecs(CodecsFromV3(document.At("codecs")), array.codecs)) {
    return document.At("codecs");
  }
  return AtMember(array, "/codecs", [&] { return CodecListToJson(CodecsForV3(array.codecs, array.data_type)); });
}

JsonNode NamesToJson(const std::vector<std::optional<std::string>>& names) {
  std::vector<JsonNode> items;
  for (const auto& name : names) items.push_back(name ? JsonNode::MakeString(*name) : JsonNode());
  return JsonNode::MakeArray(items);
}

}  // namespace

std::vector<MetadataDocument> DocumentsOfV3(const ArrayMetadata& array) {
  const JsonNode document = OwnDocument(array);
  JsonMembers members = {
      {"zarr_format", JsonNode::MakeInteger(3)},
      {"node_type", JsonNode::MakeString("array")},
      {"shape", ShapeToJson(array.shape)},
      {"data_type", DataTypeOf(array, document)},
      {"chunk_grid", GridToJson(array.chunk_grid)},
      {"chunk_key_encoding", KeysToJson(array)},
      {"fill_value", FillValueOf(array, document)},
      {"codecs", CodecsOf(array, document)},
      {"attributes", AttributesObject(array.attributes)},
  };
  if (!array.dimension_names.empty()) members.emplace_back("dimension_names", NamesToJson(array.dimension_names));
  JsonNode content = WithMembers(document, members);
  if (array.dimension_names.empty() && content.Has("dimension_names")) {
    JsonMembers rest = content.Members();
    std::erase_if(rest, [](const auto& member) { return member.first == "dimension_names"; });
    content = JsonNode::MakeObject(rest, content);
  }
  return {{"zarr.json", content}};
}

}  // namespace zarr
