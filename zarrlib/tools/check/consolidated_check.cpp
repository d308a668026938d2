// SPDX-License-Identifier: MIT
#include "zarrlib/tools/check/consolidated_check.h"

#include <utility>

#include "zarrlib/hierarchy/formats/node_formats.h"
#include "zarrlib/metadata/array_metadata.h"
#include "zarrlib/metadata/document_names.h"
#include "zarrlib/metadata/node_path.h"
#include "zarrlib/store/store_folders.h"

namespace zarr::tools {
namespace {

std::string FormatSorted(const JsonNode& node) {
  return node.IsNull() ? "{}" : JsonNode(node).Dump(JsonNode::Style::kV2);
}

/// Describes the configuration of the sharding codec that determines the locations of inner chunks.
std::string DescribeInnerChunks(const ArrayMetadata& array) {
  std::string text;
  for (const CodecSpec& spec : array.codecs) {
    const bool object = spec.configuration.IsObject();
    const auto shape = object ? spec.configuration.Find("chunk_shape") : std::nullopt;
    text += spec.name + (shape ? shape->Dump() : "") + " ";
  }
  return text;
}

std::optional<std::string> CompareArrays(const ArrayMetadata& listed, const ArrayMetadata& stored) {
  if (auto difference = FindDifference(listed, stored)) return difference;
  const std::string codecs[] = {DescribeInnerChunks(listed), DescribeInnerChunks(stored)};
  if (codecs[0] != codecs[1]) return "codecs " + codecs[0] + "and " + codecs[1];
  if (listed.dimension_names != stored.dimension_names) return "dimension names that are not equal";
  if (FormatSorted(listed.attributes) != FormatSorted(stored.attributes)) return "attributes that are not equal";
  return std::nullopt;
}

bool EndsIn(std::string_view key, std::string_view name) {
  return key == name || (key.ends_with(name) && key[key.size() - name.size() - 1] == '/');
}

/// Throws Error if a document does not match its name.
void CheckIsValid(std::string_view name, const JsonNode& document) {
  document.GetMembers();
  if (EndsIn(name, kV2Array)) ParseArrayV2(document, std::nullopt);
  if (!EndsIn(name, kV3Document)) return;
  if (GetNodeTypeV3(document) == "array") {
    ParseArrayV3(document);
  } else {
    ParseGroupV3(document);
  }
}

}  // namespace

ConsolidatedCheck::ConsolidatedCheck(const Store& store, std::string_view group, bool v3)
    : store_(&store), group_(group), v3_(v3), key_(JoinKey(group, v3 ? kV3Document : kV2Consolidated)) {
  Bytes text;
  if (!store.Get(key_, &text, nullptr, GetLimit(Limit::kText))) return;
  if (v3) {
    consolidated_ = ParseRootOfV3(std::move(text), store.name(), key_).consolidated;
  } else if (!IsOfParquetReferences(AsText(text))) {
    consolidated_ = ConsolidatedMetadata::FromTextOfV2(std::move(text), store.name(), key_);
  }
}

std::optional<ConsolidatedCheck> ConsolidatedCheck::Make(const Store& store, std::string_view group, bool v3) {
  ConsolidatedCheck check(store, group, v3);
  return check.consolidated_ ? std::optional(std::move(check)) : std::nullopt;
}

bool ConsolidatedCheck::Names(std::string_view path) const {
  std::string_view rest = path.substr(group_.size());
  if (rest.starts_with('/')) rest.remove_prefix(1);
  if (rest.empty()) return true;  // the group itself
  const auto has = [&](std::string_view name) { return consolidated_->Has(JoinKey(rest, name)); };
  return v3_ ? has(kV3Document) : has(kV2Array) || has(kV2Group);
}

std::vector<ConsolidatedCheck::Difference> ConsolidatedCheck::Compare() const {
  std::vector<Difference> differences;
  for (const std::string& name : consolidated_->GetKeys()) {
    if (v3_ && name == kV3Document) continue;  // the group's own document, which contains the consolidated metadata
    if (auto difference = CompareOne(name, JoinKey(group_, name))) differences.push_back(*std::move(difference));
  }
  return differences;
}

std::optional<ConsolidatedCheck::Difference> ConsolidatedCheck::CompareOne(const std::string& name,
                                                                           const std::string& key) const {
  bool readable = false;
  try {
    const auto text = store_->GetText(key);
    if (!text) {
      // Without attributes there need not be a document of them; zarr-python 3 lists it all the same.
      const bool says_nothing = EndsIn(name, kV2Attributes) && FormatSorted(*consolidated_->Find(name)) == "{}";
      return says_nothing ? std::nullopt : std::optional(Difference{key, "", false});
    }
    const JsonNode stored = JsonNode::Parse(*text, store_->name(), key);
    CheckIsValid(name, stored);
    readable = true;
    auto what = FindDifferenceOf(name, *consolidated_->Find(name), stored);
    if (what) return Difference{key, *std::move(what)};
  } catch (const Error& error) {
    return Difference{key, error.message(), readable};
  }
  return std::nullopt;
}

/// Compares the meaning of two documents, not their spelling, because writers do not copy documents byte for byte.
std::optional<std::string> ConsolidatedCheck::FindDifferenceOf(const std::string& name, const JsonNode& listed,
                                                               const JsonNode& stored) const {
  if (FormatSorted(listed) == FormatSorted(stored)) return std::nullopt;
  if (EndsIn(name, kV2Array)) {
    return CompareArrays(ParseArrayV2(listed, std::nullopt), ParseArrayV2(stored, std::nullopt));
  }
  if (EndsIn(name, kV2Group)) return std::nullopt;
  if (!v3_) return "attributes that are not equal";
  const std::string types[] = {GetNodeTypeV3(listed), GetNodeTypeV3(stored)};
  if (types[0] != types[1]) return "node types " + types[0] + ", " + types[1];
  if (types[0] == "array") return CompareArrays(ParseArrayV3(listed), ParseArrayV3(stored));
  const bool same = FormatSorted(ParseGroupV3(listed).attributes) == FormatSorted(ParseGroupV3(stored).attributes);
  return same ? std::nullopt : std::optional<std::string>("attributes that are not equal");
}

bool IsNothingLost(const Store& store, const ConsolidatedCheck::Difference& difference) {
  if (!difference.what.empty()) return difference.readable;
  const std::string folder(ParentPath(difference.key));
  if (folder.empty()) return false;
  const auto entries = ListEntries(store, folder + "/");
  return entries && entries->empty();
}

}  // namespace zarr::tools
