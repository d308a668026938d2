#include <algorithm>

#include "zarrlib/metadata/codec_names.h"
#include "zarrlib/metadata/document_parts.h"

namespace zarr {
namespace {

struct Compression {
  std::string name;
  JsonNode options;
};

JsonNode MemberOr(const JsonNode& object, std::string_view name, JsonNode value) {
  const auto member = object.Find(name);
  return member && !member->IsNull() ? *member : value;
}

/// -1, which zarr 1.x does not know, is what numcodecs makes of it.
JsonNode BloscOptions(const JsonNode& blosc, const DataType& type) {
  JsonNode shuffle = blosc.At("shuffle");
  if (shuffle == JsonNode::MakeInteger(-1)) shuffle = JsonNode::MakeInteger(type.size == 1 ? 2 : 1);
  return JsonNode::MakeObject({{"clevel", blosc.At("clevel")}, {"cname", blosc.At("cname")}, {"shuffle", shuffle}});
}

/// As zarr 1.x writes them: all four.
JsonNode LzmaOptions(const JsonNode& lzma) {
  const JsonNode preset = lzma.Find("filters").value_or(JsonNode()).IsNull() ? JsonNode::MakeInteger(1) : JsonNode();
  return JsonNode::MakeObject({{"check", MemberOr(lzma, "check", JsonNode::MakeInteger(0))},
                               {"filters", MemberOr(lzma, "filters", {})},
                               {"format", MemberOr(lzma, "format", JsonNode::MakeInteger(1))},
                               {"preset", MemberOr(lzma, "preset", preset)}});
}

Compression CompressionOf(const ArrayMetadata& array) {
  const std::vector<CodecSpec> codecs = CodecsBehindOrder(array);
  if (codecs.empty()) return {"none", {}};
  if (codecs.size() > 1) FailUnsupported(array, "/compression", "v1 has no filters, but one compressor");
  const JsonNode codec = CodecForV2(codecs[0]);
  const std::string id = codec.At("id").AsString();
  if (id == "blosc") return {id, BloscOptions(codec, array.data_type)};
  if (id == "zlib" || id == "bz2") return {id, codec.At("level")};
  if (id == "lzma") return {id, LzmaOptions(codec)};
  FailUnsupported(array, "/compression", ExpectedGot("blosc, zlib, bz2, lzma or none", id));
}

void CheckKeys(const ArrayMetadata& array) {
  const ChunkKeyEncoding& keys = array.chunk_key_encoding;
  const bool kind = keys.kind == ChunkKeyEncoding::Kind::kV1 || keys.kind == ChunkKeyEncoding::Kind::kV2;
  if (!kind || keys.separator != '.') FailUnsupported(array, "/chunk_key_encoding", "v1 has chunk keys \"0.0\" only");
}

/// Whether the array is written as it was read: its codecs are those that its document says.
bool KeepsCodecs(const ArrayMetadata& array, const JsonNode& document) {
  if (document.IsNull()) return false;
  return SameCodecs(ArrayFromV1(document, std::nullopt, ZarrFormat::kV1).codecs, array.codecs);
}

JsonNode FillValueOf(const ArrayMetadata& array, const JsonNode& document) {
  if (!document.IsNull()) {
    const ArrayMetadata before = ArrayFromV1(document, std::nullopt, ZarrFormat::kV1);
    const bool same = before.data_type == array.data_type && before.fill_value == array.fill_value;
    if (same) return document.Find("fill_value").value_or(JsonNode());
  }
  return AtMember(array, "/fill_value", [&] { return FillValueToV1(array.fill_value, array.data_type); });
}

JsonMembers CodecMembers(const ArrayMetadata& array) {
  const Compression compression = AtMember(array, "/compression", [&] { return CompressionOf(array); });
  const bool order_f = IsOrderF(array) && array.shape.size() > 1;
  // zarr 1.x gives no codec but blosc the elements in the order that it declares.
  if (order_f && compression.name != "blosc") {
    FailUnsupported(array, "/order", "v1 stores chunks in order F with blosc only");
  }
  return {{"compression", JsonNode::MakeString(compression.name)},
          {"compression_opts", compression.options},
          {"order", JsonNode::MakeString(order_f ? "F" : "C")}};
}

}  // namespace

/// Names of dimensions are left out: v1 has no place for them.
std::vector<MetadataDocument> DocumentsOfV1(const ArrayMetadata& array) {
  const JsonNode document = OwnDocument(array);
  if (array.shape.empty() && document.IsNull()) FailUnsupported(array, "/shape", "v1 has no arrays without dimensions");
  if (array.data_type.variable()) FailUnsupported(array, "/dtype", "v1 has no types of variable length");
  CheckKeys(array);
  JsonMembers members = {{"zarr_format", JsonNode::MakeInteger(1)},
                         {"shape", ShapeToJson(array.shape)},
                         {"chunks", RegularChunksToJson(array)},
                         {"dtype", AtMember(array, "/dtype", [&] { return DataTypeToV2(array.data_type); })},
                         {"fill_value", FillValueOf(array, document)}};
  if (!KeepsCodecs(array, document)) {
    const JsonMembers codecs = CodecMembers(array);
    members.insert(members.end(), codecs.begin(), codecs.end());
  }
  return {{"meta", WithMembers(document, members)}, {"attrs", AttributesObject(array.attributes)}};
}

}  // namespace zarr
