// SPDX-License-Identifier: MIT
#include "zarrlib/hierarchy/spelled_out.h"

#include <string>
#include <utility>
#include <vector>

#include "zarrlib/base/error.h"
#include "zarrlib/json/json_edit.h"
#include "zarrlib/metadata/chunk_key_encoding.h"

namespace zarr {
namespace {

/// Returns {name, configuration} for a name, and an object without an empty configuration.
JsonNode SpellOutExtension(const JsonNode& node) {
  if (node.IsString()) return JsonNode::MakeObject({{"name", node}}, node);
  const auto configuration = FindMember(node, "configuration");
  const bool is_empty = configuration && configuration->IsObject() && configuration->size() == 0;
  return is_empty ? CopyWithoutMember(node, "configuration") : node;
}

JsonNode SpellOutCodecs(const JsonNode& codecs) {
  if (!codecs.IsArray()) return codecs;
  std::vector<JsonNode> items;
  for (const JsonNode& codec : codecs.GetItems()) items.push_back(SpellOutExtension(codec));
  return JsonNode::MakeArray(items, codecs);
}

JsonNode SpellOutKeys(const JsonNode& encoding) {
  try {
    const std::string separator(1, ChunkKeyEncoding::FromV3(encoding).separator);
    const JsonNode node = SpellOutExtension(encoding);
    const JsonNode configuration = FindMember(node, "configuration").value_or(JsonNode::MakeObject({}));
    return CopyWithMember(node, "configuration",
                          CopyWithMember(configuration, "separator", JsonNode::MakeString(separator)));
  } catch (const Error&) {
    return encoding;
  }
}

bool IsDefault(const std::string& name, const JsonNode& value) {
  const bool is_empty = (value.IsObject() || value.IsArray()) && value.size() == 0;
  if (name == "attributes" || name == "storage_transformers") return is_empty;
  if (name == "filters") return value.IsNull();
  return name == "dimension_separator" && value.IsString() && value.AsString() == ".";
}

JsonNode SpellOutMember(const std::string& name, const JsonNode& value) {
  if (name == "chunk_key_encoding") return SpellOutKeys(value);
  if (name == "codecs") return SpellOutCodecs(value);
  return name == "data_type" || name == "chunk_grid" ? SpellOutExtension(value) : value;
}

}  // namespace

JsonNode SpellOut(const JsonNode& document) {
  if (!document.IsObject() || !document.Has("zarr_format")) return document;
  JsonMembers members;
  for (const auto& [name, value] : document.GetMembers()) {
    if (!IsDefault(name, value)) members.emplace_back(name, SpellOutMember(name, value));
  }
  return JsonNode::MakeObject(members, document);
}

}  // namespace zarr
