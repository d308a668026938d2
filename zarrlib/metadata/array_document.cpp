// SPDX-License-Identifier: MIT
#include <algorithm>
#include <utility>

#include "zarrlib/metadata/document_names.h"
#include "zarrlib/metadata/document_parts.h"
#include "zarrlib/metadata/metadata_parts.h"

namespace zarr {
namespace {

/// Returns true if `spec` is the transpose that reverses the axes.
bool IsReversal(const CodecSpec& spec, std::size_t rank) {
  if (spec.name != "transpose") return false;
  const JsonNode order = spec.configuration.At("order");
  if (order.IsString()) return order.AsString() == "F";
  return order == ReverseAxes({}, rank).configuration.At("order");
}

bool IsIdentity(const CodecSpec& spec) {
  if (spec.name != "transpose") return false;
  const JsonNode order = spec.configuration.At("order");
  if (order.IsString()) return order.AsString() == "C";
  for (std::size_t i = 0; i < order.size(); ++i) {
    if (order[i].AsUint64() != i) return false;
  }
  return true;
}

int GetVersionNumber(ZarrFormat format) {
  return static_cast<int>(format);
}

}  // namespace

ArrayMetadata ParseArray(const JsonNode& document, ZarrFormat format, const MetadataOptions& options) {
  switch (format) {
    case ZarrFormat::kV3:
      return ParseArrayV3(document);
    case ZarrFormat::kV2:
      return ParseArrayV2(document, std::nullopt);
    default:
      return ParseArrayV1(document, std::nullopt, format, options);
  }
}

std::vector<MetadataDocument> MakeDocuments(const ArrayMetadata& array) {
  array.Validate();
  switch (array.zarr_format) {
    case ZarrFormat::kV1:
      return MakeDocumentsV1(array);
    case ZarrFormat::kV2:
      return MakeDocumentsV2(array);
    case ZarrFormat::kV3:
      return MakeDocumentsV3(array);
    default:
      FailUnsupported(
          array, "", "metadata are written in v1, v2 or v3, and not in the format " + GetFormatName(array.zarr_format));
  }
}

std::vector<MetadataDocument> MakeDocuments(const GroupMetadata& group) {
  const JsonNode attributes = MakeAttributesObject(group.attributes);
  const JsonNode format = JsonNode::MakeInteger(GetVersionNumber(group.zarr_format));
  if (group.zarr_format == ZarrFormat::kV2) {
    std::vector<MetadataDocument> documents = {
        {std::string(kV2Group), JsonNode::MakeObject({{"zarr_format", format}})}};
    if (attributes.size() > 0) documents.push_back({std::string(kV2Attributes), attributes});
    return documents;
  }
  if (group.zarr_format != ZarrFormat::kV3) throw Error(ErrorKind::kUnsupported, "v1 has no groups");
  JsonMembers members = {
      {"zarr_format", format}, {"node_type", JsonNode::MakeString("group")}, {"attributes", attributes}};
  if (group.consolidated) {
    members.emplace_back("consolidated_metadata",
                         JsonNode::MakeObject({{"kind", JsonNode::MakeString("inline")},
                                               {"must_understand", JsonNode::MakeBoolean(false)},
                                               {"metadata", *group.consolidated}}));
  }
  return {{std::string(kV3Document), JsonNode::MakeObject(members)}};
}

JsonNode MakeNamedConfiguration(std::string_view name, const JsonMembers& configuration) {
  return JsonNode::MakeObject(
      {{"name", JsonNode::MakeString(name)}, {"configuration", JsonNode::MakeObject(configuration)}});
}

JsonNode MakeShapeJson(const Shape& shape) {
  std::vector<JsonNode> items;
  for (const std::uint64_t length : shape) items.push_back(JsonNode::MakeUnsigned(length));
  return JsonNode::MakeArray(items);
}

JsonNode MakeRegularChunksJson(const ArrayMetadata& array) {
  if (!array.chunk_grid.uniform_chunk_shape()) {
    FailUnsupported(array, "/chunks", "chunks of different shapes, which only v3 has");
  }
  return MakeShapeJson(array.chunk_grid.max_chunk_shape());
}

bool IsOrderF(const ArrayMetadata& array) {
  return !array.codecs.empty() && IsReversal(array.codecs[0], array.shape.size());
}

std::vector<CodecSpec> GetCodecsBehindOrder(const ArrayMetadata& array) {
  std::vector<CodecSpec> codecs = array.codecs;
  if (IsOrderF(array)) codecs.erase(codecs.begin());
  std::erase_if(codecs, [](const CodecSpec& spec) { return IsIdentity(spec) || spec.name == "bytes"; });
  return codecs;
}

bool AreSameCodecs(const std::vector<CodecSpec>& a, const std::vector<CodecSpec>& b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](const CodecSpec& x, const CodecSpec& y) {
    return x.name == y.name && x.configuration == y.configuration;
  });
}

JsonNode CopyWithMembers(const JsonNode& document, const JsonMembers& members) {
  JsonMembers result;
  const auto find = [&](const std::string& name) {
    return std::find_if(members.begin(), members.end(), [&](const auto& member) { return member.first == name; });
  };
  if (document.IsObject()) {
    for (auto& [name, value] : document.GetMembers()) {
      const auto changed = find(name);
      result.emplace_back(name, changed == members.end() ? value : changed->second);
    }
  }
  for (const auto& member : members) {
    if (!document.IsObject() || !document.Has(member.first)) result.push_back(member);
  }
  return JsonNode::MakeObject(result, document);
}

JsonNode GetOwnDocument(const ArrayMetadata& array) {
  if (!array.document.IsObject()) return {};
  const auto format = array.document.Find("zarr_format");
  const bool own = format && *format == JsonNode::MakeInteger(GetVersionNumber(array.zarr_format));
  return own ? array.document : JsonNode();
}

JsonNode MakeAttributesObject(const JsonNode& attributes) {
  if (attributes.IsNull()) return JsonNode::MakeObject({});
  if (!attributes.IsObject()) attributes.FailExpected("an object");
  return attributes;
}

void FailUnsupported(const ArrayMetadata& array, std::string_view pointer, std::string message) {
  throw Error(ErrorKind::kUnsupported, array.document.store(), array.document.key(), std::string(pointer),
              std::move(message));
}

}  // namespace zarr
