// SPDX-License-Identifier: MIT
#include "zarrlib/hierarchy/migration/old_nodes.h"

#include <algorithm>
#include <utility>

#include "zarrlib/hierarchy/formats/node_formats.h"
#include "zarrlib/hierarchy/stored_document.h"
#include "zarrlib/metadata/document_names.h"
#include "zarrlib/metadata/node_path.h"
#include "zarrlib/store/linked_groups.h"
#include "zarrlib/store/store_folders.h"

namespace zarr {
namespace {

OldNode MakeNode(const OldDocuments& old, const std::string& path) {
  OldNode node;
  node.path = path;
  node.v3 = old.store().Exists(JoinKey(path, kV3Document));
  node.v2_array = old.Has(path, kV2Array);
  node.v2_group = !node.v2_array && old.Has(path, kV2Group);
  node.outside = LeadsOut(old.store(), path);
  return node;
}

bool IsArray(const Store& store, const OldNode& node) {
  if (node.v2_array) return true;
  return node.v3 && GetNodeTypeV3(*FetchDocument(store, node.path, kV3Document)) == "array";
}

/// Adds the nodes at and below `path` that the store lists. A folder without metadata is not a node, and its content
/// does not belong to the store.
void AddListed(const OldDocuments& old, const std::string& path, LinkedGroups* links, OldNodes* nodes) {
  if (!path.empty() && !links->IsShown(old.store(), path)) return;
  const OldNode node = MakeNode(old, path);
  if (!node.v2() && !node.v3 && !(path.empty() && old.consolidated())) {
    if (!path.empty() && FetchV1(old.store(), path)) nodes->v1_arrays.push_back(path);
    return;
  }
  nodes->all.push_back(node);
  if (IsArray(old.store(), node) || (node.outside && !node.v3)) return;
  const auto listing = old.store().List(path.empty() ? "" : path + "/");
  if (!listing) {
    throw Error(ErrorKind::kUnsupported, old.store().name(), path, "",
                "this folder cannot be listed, so that the nodes in it are not known");
  }
  for (const std::string& name : listing->prefixes) AddListed(old, JoinKey(path, name), links, nodes);
}

/// Adds a node of the consolidated metadata and its parents.
void AddNamed(const OldDocuments& old, std::string_view path, OldNodes* nodes) {
  nodes->all.push_back(MakeNode(old, std::string(path)));
  while (!path.empty()) {
    path = ParentPath(path);
    nodes->all.push_back(MakeNode(old, std::string(path)));
  }
}

}  // namespace

std::optional<JsonNode> FetchDocument(const Store& store, std::string_view path, std::string_view name) {
  const std::string key = JoinKey(path, name);
  auto document = ReadDocument(store, key, GetLimit(Limit::kText));
  return document ? std::optional(std::move(document->content)) : std::nullopt;
}

OldDocuments::OldDocuments(const Store& store) : store_(store) {
  const auto text = store.GetText(kV2Consolidated, GetLimit(Limit::kText));
  if (text && IsOfParquetReferences(*text)) {
    throw Error(ErrorKind::kUnsupported, store.name(), std::string(kV2Consolidated), "",
                "references to chunks in other files are not migrated");
  }
  if (text) consolidated_ = ConsolidatedMetadata::FromV2(JsonNode::Parse(*text, store.name(), kV2Consolidated));
}

bool OldDocuments::Has(std::string_view path, std::string_view name) const {
  return (consolidated_ && consolidated_->Find(JoinKey(path, name))) || store_.Exists(JoinKey(path, name));
}

std::optional<JsonNode> OldDocuments::Find(std::string_view path, std::string_view name) const {
  auto document = FetchDocument(store_, path, name);
  return document || !consolidated_ ? document : consolidated_->Find(JoinKey(path, name));
}

std::vector<std::string> OldDocuments::GetPaths() const {
  std::vector<std::string> paths = {""};
  if (!consolidated_) return paths;
  for (const std::string& key : consolidated_->GetKeys()) {
    const bool node = key.ends_with(kV2Array) || key.ends_with(kV2Group);
    if (node) paths.emplace_back(ParentPath(key));
  }
  return paths;
}

bool OldNodes::has_v2() const {
  return std::ranges::any_of(all, &OldNode::v2);
}

bool OldNodes::has_v3() const {
  return std::ranges::any_of(all, &OldNode::v3);
}

OldNodes FindOldNodes(const OldDocuments& old) {
  OldNodes nodes;
  LinkedGroups links;
  if (old.store().info().lists) AddListed(old, "", &links, &nodes);
  if (old.consolidated()) {
    for (const std::string& path : old.GetPaths()) AddNamed(old, path, &nodes);
  }
  auto& all = nodes.all;
  std::stable_sort(all.begin(), all.end(), [](const OldNode& a, const OldNode& b) { return a.path > b.path; });
  const auto same = [](const OldNode& a, const OldNode& b) { return a.path == b.path; };
  all.erase(std::unique(all.begin(), all.end(), same), all.end());
  return nodes;
}

void CheckNoDraft(const Store& store) {
  if (!HoldsV3Draft(store)) return;
  throw Error(ErrorKind::kUnsupported, store.name(), std::string(kV3Document), "",
              "a store of the draft of v3 is migrated to v3 in another folder: zarrkit migrate STORE --to v3 --output "
              "NEW_STORE");
}

void AddSideFiles(const Store& store, std::string_view path, std::string_view old, std::string_view newer,
                  std::vector<MigrationPlan::SideFile>* files) {
  if (!store.info().lists_cheaply()) return;
  const auto listing = store.List(path.empty() ? "" : std::string(path) + "/");
  for (const std::string& name : listing ? listing->keys : std::vector<std::string>()) {
    const bool is_side_file =
        name.starts_with(std::string(old) + ".") && (name.ends_with(".aux.xml") || name.ends_with(".ovr"));
    if (is_side_file) {
      files->push_back({JoinKey(path, name), JoinKey(path, std::string(newer) + name.substr(old.size()))});
    }
  }
}

}  // namespace zarr
