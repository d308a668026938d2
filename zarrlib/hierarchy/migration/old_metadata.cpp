// SPDX-License-Identifier: MIT
#include <algorithm>
#include <optional>
#include <string_view>

#include "zarrlib/array/write/array_replacement.h"
#include "zarrlib/hierarchy/formats/node_formats.h"
#include "zarrlib/hierarchy/migration/migration.h"
#include "zarrlib/hierarchy/migration/old_nodes.h"
#include "zarrlib/json/json_edit.h"
#include "zarrlib/metadata/consolidated.h"
#include "zarrlib/metadata/document_names.h"
#include "zarrlib/metadata/node_path.h"
#include "zarrlib/store/store_folders.h"

namespace zarr {

namespace {

/// Adds the files that GDAL has put next to an old document, and that have a copy.
void AddOldSideFiles(const Store& store, const std::string& path, std::string_view old, std::string_view newer,
                     std::vector<std::string>* keys) {
  std::vector<MigrationPlan::SideFile> files;
  AddSideFiles(store, path, old, newer, &files);
  for (const MigrationPlan::SideFile& file : files) {
    if (store.Exists(file.to)) keys->push_back(file.from);
  }
}

[[noreturn]] void FailDifference(const Store& store, std::string_view path, std::string_view name,
                                 const std::string& difference) {
  throw Error(
      ErrorKind::kInvalidArgument, store.name(), JoinKey(path, name), "",
      "the newer metadata of the node differ (" + difference + "): nothing is removed; remove the wrong ones by hand");
}

/// Checks attributes, apart from the names of dimensions, which not all formats have there.
void CheckSameAttributes(const Store& store, std::string_view path, std::string_view name, const JsonNode& old,
                         const JsonNode& newer) {
  const auto format = [](const JsonNode& attributes) {
    const JsonNode object = attributes.IsObject() ? attributes : JsonNode::MakeObject({});
    return CopyWithoutMember(object, kXarrayDimensions).Dump(JsonNode::Style::kV2);
  };
  if (format(old) != format(newer)) FailDifference(store, path, name, "attributes that are not equal");
}

/// Checks that the newer metadata of an array say all that the old ones do.
void CheckSame(const Store& store, std::string_view path, std::string_view name, const ArrayMetadata& old,
               const ArrayMetadata& newer) {
  if (const auto difference = FindDifference(old, newer)) FailDifference(store, path, name, *difference);
  const ArrayMetadata converted = ConvertTo(newer.zarr_format, old);
  if (const auto difference = FindReplacement(converted, newer)) FailDifference(store, path, name, *difference);
  if (!old.dimension_names.empty() && old.dimension_names != newer.dimension_names)
    FailDifference(store, path, name, "dimension names that are not equal");
  CheckSameAttributes(store, path, name, old.attributes, newer.attributes);
}

/// Adds the consolidated metadata of a group below the root if they can be read, and all nodes in them have newer
/// metadata.
void AddOldConsolidated(const Store& store, const std::string& group, std::vector<std::string>* keys) {
  if (group.empty()) return;  // those of the root always go
  try {
    const auto document = FetchDocument(store, group, kV2Consolidated);
    if (!document) return;
    const auto names = ConsolidatedMetadata::FromV2(*document)->GetKeys();
    const bool is_done = std::ranges::all_of(names, [&](const std::string& name) {
      return store.Exists(JoinKey(ParentPath(JoinKey(group, name)), kV3Document));
    });
    if (is_done) keys->push_back(JoinKey(group, kV2Consolidated));
  } catch (const Error& error) {
    if (error.kind() == ErrorKind::kIo) throw;  // otherwise this is another file of that name, and stays
  }
}

std::optional<ArrayMetadata> FindNewestArray(const Store& store, const OldNode& node) {
  if (node.v3) {
    const JsonNode document = *FetchDocument(store, node.path, kV3Document);
    return GetNodeTypeV3(document) == "array" ? std::optional(ParseArrayV3(document)) : std::nullopt;
  }
  if (!node.v2_array) return std::nullopt;
  return ParseArrayV2(*FetchDocument(store, node.path, kV2Array), FetchDocument(store, node.path, kV2Attributes));
}

/// Adds the v2 documents of a node that has v3 documents.
void AddOldOfV2(const OldDocuments& old, const OldNode& node, std::vector<std::string>* keys) {
  if (!node.v2()) return;
  const Store& store = old.store();
  const std::string_view name = node.v2_array ? kV2Array : kV2Group;
  const auto newer = FindNewestArray(store, node);
  if (node.v2_array != newer.has_value())
    FailDifference(store, node.path, name, "one is an array, the other one a group");
  const JsonNode document = *old.Find(node.path, name);
  const auto attributes = old.Find(node.path, kV2Attributes);
  if (newer) {
    CheckSame(store, node.path, name, ParseArrayV2(document, attributes), *newer);
    AddOldSideFiles(store, node.path, kV2Array, kV3Document, keys);
  } else {
    const GroupMetadata group = ParseGroupV3(*FetchDocument(store, node.path, kV3Document));
    CheckSameAttributes(store, node.path, name, ParseGroupV2(document, attributes).attributes, group.attributes);
    AddOldConsolidated(store, node.path, keys);
  }
  for (const std::string_view own : {kV2Array, kV2Group, kV2Attributes}) {
    const std::string key = JoinKey(node.path, own);
    if (store.Exists(key)) keys->push_back(key);
  }
}

/// Returns true if `attrs` is a document with attributes, and not an unrelated file of that name.
bool HasV1Attributes(const Store& store) {
  try {
    const auto attributes = FetchDocument(store, "", kV1Attributes);
    return attributes && attributes->IsObject();
  } catch (const Error& error) {
    const bool is_folder = error.kind() == ErrorKind::kIo && GetEntryKind(store, kV1Attributes) == EntryKind::kFolder;
    if (!is_folder && error.kind() != ErrorKind::kCorrupt) throw;
    return false;
  }
}

/// Adds the v1 documents of a root array that has newer ones, but not unrelated files of the same names.
void AddOldOfV1(const Store& store, const OldNode& root, std::vector<std::string>* keys) {
  const auto meta = FetchV1(store, "");
  const auto newer = meta ? FindNewestArray(store, root) : std::nullopt;
  if (!newer) return;
  const bool has_attributes = HasV1Attributes(store);
  const auto attributes = has_attributes ? FetchDocument(store, "", kV1Attributes) : std::nullopt;
  CheckSame(store, "", kV1Array, ParseArrayV1(*meta, attributes, ZarrFormat::kV1), *newer);
  AddOldSideFiles(store, "", kV1Array, root.v3 ? kV3Document : kV2Array, keys);
  keys->emplace_back(kV1Array);
  if (has_attributes) keys->emplace_back(kV1Attributes);
}

}  // namespace

std::vector<std::string> FindOldMetadata(const Store& store) {
  CheckNoDraft(store);
  std::vector<std::string> keys;
  const OldDocuments old(store);
  const OldNodes nodes = FindOldNodes(old);
  if (nodes.has_v3()) {
    if (store.Exists(kV2Consolidated)) keys.emplace_back(kV2Consolidated);
    for (const OldNode& node : nodes.all) {
      if (node.outside) continue;
      if (!node.v3) {
        throw Error(ErrorKind::kInvalidArgument, store.name(), node.path, "", "the node has no metadata of v3 yet");
      }
      AddOldOfV2(old, node, &keys);
    }
  }
  if (!nodes.all.empty() && nodes.all.back().path.empty()) AddOldOfV1(store, nodes.all.back(), &keys);
  return keys;
}

std::vector<std::string> DeleteOldMetadata(Store* store) {
  std::vector<std::string> keys = FindOldMetadata(*store);
  // The documents that make a path an old node are removed last, so that an interrupted removal can be found and
  // completed.
  for (auto key = keys.rbegin(); key != keys.rend(); ++key) store->Erase(*key);
  return keys;
}

}  // namespace zarr
