// SPDX-License-Identifier: MIT
#include <algorithm>

#include "zarrlib/metadata/codec_names.h"
#include "zarrlib/metadata/document_parts.h"

namespace zarr {
namespace {

struct Compression {
  std::string name;
  JsonNode options;
};

JsonNode GetMemberOr(const JsonNode& object, std::string_view name, JsonNode value) {
  const auto member = object.Find(name);
  return member && !member->IsNull() ? *member : value;
}

/// Replaces the shuffle -1, which zarr 1.x does not support, by the value that numcodecs uses for it.
JsonNode MakeBloscOptions(const JsonNode& blosc, const DataType& type) {
  JsonNode shuffle = blosc.At("shuffle");
  if (shuffle == JsonNode::MakeInteger(-1)) shuffle = JsonNode::MakeInteger(type.size == 1 ? 2 : 1);
  return JsonNode::MakeObject({{"clevel", blosc.At("clevel")}, {"cname", blosc.At("cname")}, {"shuffle", shuffle}});
}

/// Makes all four members, as zarr 1.x writes them.
JsonNode MakeLzmaOptions(const JsonNode& lzma) {
  const JsonNode preset = lzma.Find("filters").value_or(JsonNode()).IsNull() ? JsonNode::MakeInteger(1) : JsonNode();
  return JsonNode::MakeObject({{"check", GetMemberOr(lzma, "check", JsonNode::MakeInteger(0))},
                               {"filters", GetMemberOr(lzma, "filters", {})},
                               {"format", GetMemberOr(lzma, "format", JsonNode::MakeInteger(1))},
                               {"preset", GetMemberOr(lzma, "preset", preset)}});
}

Compression MakeCompression(const ArrayMetadata& array) {
  const std::vector<CodecSpec> codecs = GetCodecsBehindOrder(array);
  if (codecs.empty()) return {"none", {}};
  if (codecs.size() > 1) FailUnsupported(array, "/compression", "v1 has no filters, but one compressor");
  const JsonNode codec = ConvertCodecToV2(codecs[0]);
  const std::string id = codec.At("id").AsString();
  if (id == "blosc") return {id, MakeBloscOptions(codec, array.data_type)};
  if (id == "zlib" || id == "bz2") return {id, codec.At("level")};
  if (id == "lzma") return {id, MakeLzmaOptions(codec)};
  FailUnsupported(array, "/compression", FormatExpectedGot("blosc, zlib, bz2, lzma or none", id));
}

void CheckKeys(const ArrayMetadata& array) {
  const ChunkKeyEncoding& keys = array.chunk_key_encoding;
  const bool kind = keys.kind == ChunkKeyEncoding::Kind::kV1 || keys.kind == ChunkKeyEncoding::Kind::kV2;
  if (!kind || keys.separator != '.') FailUnsupported(array, "/chunk_key_encoding", "v1 has chunk keys \"0.0\" only");
}

/// Returns true if the array keeps the codecs of its document.
bool KeepsCodecs(const ArrayMetadata& array, const JsonNode& document) {
  if (document.IsNull()) return false;
  return AreSameCodecs(ParseArrayV1(document, std::nullopt, ZarrFormat::kV1).codecs, array.codecs);
}

JsonNode MakeV1FillValue(const ArrayMetadata& array, const JsonNode& document) {
  if (!document.IsNull()) {
    const ArrayMetadata before = ParseArrayV1(document, std::nullopt, ZarrFormat::kV1);
    const bool same = before.data_type == array.data_type && before.fill_value == array.fill_value;
    if (same) return document.Find("fill_value").value_or(JsonNode());
  }
  return RunAtMember(array, "/fill_value", [&] { return MakeFillValueV1(array.fill_value, array.data_type); });
}

JsonMembers MakeV1CodecMembers(const ArrayMetadata& array) {
  const Compression compression = RunAtMember(array, "/compression", [&] { return MakeCompression(array); });
  const bool order_f = IsOrderF(array) && array.shape.size() > 1;
  // zarr 1.x uses the declared order only with blosc.
  if (order_f && compression.name != "blosc") {
    FailUnsupported(array, "/order", "v1 stores chunks in order F with blosc only");
  }
  return {{"compression", JsonNode::MakeString(compression.name)},
          {"compression_opts", compression.options},
          {"order", JsonNode::MakeString(order_f ? "F" : "C")}};
}

}  // namespace

/// Omits the names of dimensions: v1 does not have a member for them.
std::vector<MetadataDocument> MakeDocumentsV1(const ArrayMetadata& array) {
  const JsonNode document = GetOwnDocument(array);
  if (array.shape.empty() && document.IsNull()) FailUnsupported(array, "/shape", "v1 has no arrays without dimensions");
  if (array.data_type.variable()) FailUnsupported(array, "/dtype", "v1 has no types of variable length");
  CheckKeys(array);
  JsonMembers members = {{"zarr_format", JsonNode::MakeInteger(1)},
                         {"shape", MakeShapeJson(array.shape)},
                         {"chunks", MakeRegularChunksJson(array)},
                         {"dtype", RunAtMember(array, "/dtype", [&] { return MakeDataTypeV2(array.data_type); })},
                         {"fill_value", MakeV1FillValue(array, document)}};
  if (!KeepsCodecs(array, document)) {
    const JsonMembers codecs = MakeV1CodecMembers(array);
    members.insert(members.end(), codecs.begin(), codecs.end());
  }
  return {{"meta", CopyWithMembers(document, members)}, {"attrs", MakeAttributesObject(array.attributes)}};
}

}  // namespace zarr
