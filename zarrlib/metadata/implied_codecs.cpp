// SPDX-License-Identifier: MIT
#include "zarrlib/metadata/implied_codecs.h"

#include <algorithm>
#include <iterator>

#include "zarrlib/json/json_edit.h"
#include "zarrlib/metadata/document_parts.h"

namespace zarr {
namespace {

constexpr std::string_view kCodecsOfKnownWriters[] = {"transpose", "gzip", "blosc"};

JsonNode MakeLittleEndianBytes() {
  return MakeNamedConfiguration("bytes", {{"endian", JsonNode::MakeString("little")}});
}

/// Inserts "bytes" after the array-to-array codecs.
JsonNode InsertBytes(const JsonNode& list, const std::vector<CodecSpec>& codecs) {
  std::vector<JsonNode> items = list.GetItems();
  const auto behind = std::find_if(codecs.begin(), codecs.end(), [](const auto& c) { return c.name != "transpose"; });
  items.insert(items.begin() + (behind - codecs.begin()), MakeLittleEndianBytes());
  return JsonNode::MakeArray(items, list);
}

JsonNode MakeListJson(const JsonNode& list, const std::vector<CodecSpec>& codecs) {
  std::vector<JsonNode> items = list.GetItems();
  for (std::size_t i = 0; i < items.size(); ++i) {
    if (codecs[i].name == "sharding_indexed") {
      items[i] = CopyWithMember(items[i], "configuration", codecs[i].configuration);
    }
  }
  return JsonNode::MakeArray(items, list);
}

void AddToShard(const JsonNode& document, CodecSpec* shard, std::vector<std::string>* warnings) {
  const auto list = shard->configuration.Find("codecs");
  if (!list || !list->IsArray()) return;
  std::vector<CodecSpec> inner = ParseCodecsV3(*list);
  if (!document.Has("dimension_names") || !IsBytesImplied(document, inner)) {
    const std::size_t before = warnings->size();
    AddImpliedInnerCodecs(document, &inner, warnings);
    if (warnings->size() == before) return;
    shard->configuration = CopyWithMember(shard->configuration, "codecs", MakeListJson(*list, inner));
    return;
  }
  warnings->push_back(list->pointer() + ": no array-to-bytes codec; \"bytes\" is assumed");
  shard->configuration = CopyWithMember(shard->configuration, "codecs", InsertBytes(*list, inner));
  if (shard->configuration.Has("index_codecs")) return;
  warnings->push_back(shard->configuration.pointer() + ": no index_codecs; \"bytes\" and \"crc32c\" are assumed");
  const JsonNode of_index = JsonNode::MakeArray({MakeLittleEndianBytes(), MakeNamedConfiguration("crc32c", {})});
  shard->configuration = CopyWithMember(shard->configuration, "index_codecs", of_index);
}

}  // namespace

bool IsBytesImplied(const JsonNode& document, const std::vector<CodecSpec>& codecs) {
  if (codecs.empty()) return true;
  const auto shape = document.Find("shape");
  const bool has_dimensions = shape && shape->IsArray() && shape->size() > 0;
  if (!document.Find("dimension_names") && has_dimensions) return false;
  return std::all_of(codecs.begin(), codecs.end(), [](const CodecSpec& codec) {
    return std::find(std::begin(kCodecsOfKnownWriters), std::end(kCodecsOfKnownWriters), codec.name) !=
           std::end(kCodecsOfKnownWriters);
  });
}

void AddImpliedInnerCodecs(const JsonNode& document, std::vector<CodecSpec>* codecs,
                           std::vector<std::string>* warnings) {
  for (CodecSpec& codec : *codecs) {
    if (codec.name == "sharding_indexed") AddToShard(document, &codec, warnings);
  }
}

}  // namespace zarr
