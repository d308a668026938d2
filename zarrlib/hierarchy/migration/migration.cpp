// SPDX-License-Identifier: MIT
#include "zarrlib/hierarchy/migration/migration.h"

#include <algorithm>
#include <map>
#include <optional>
#include <string_view>

#include "zarrlib/array/write/array_replacement.h"
#include "zarrlib/hierarchy/formats/node_formats.h"
#include "zarrlib/hierarchy/stored_document.h"
#include "zarrlib/json/json_edit.h"
#include "zarrlib/metadata/consolidated.h"
#include "zarrlib/metadata/document_names.h"
#include "zarrlib/metadata/node_path.h"
#include "zarrlib/store/linked_groups.h"
#include "zarrlib/store/store_folders.h"

namespace zarr {
namespace {

std::optional<JsonNode> Fetch(const Store& store, std::string_view path, std::string_view name) {
  const std::string key = JoinKey(path, name);
  auto document = ReadDocument(store, key, GetLimit(Limit::kText));
  return document ? std::optional(std::move(document->content)) : std::nullopt;
}

/// The old documents of a store: its own ones, or the consolidated ones if it does not have any.
class OldDocuments {
 public:
  explicit OldDocuments(const Store& store) : store_(store) {
    const auto text = store.GetText(kV2Consolidated, GetLimit(Limit::kText));
    if (text && IsOfParquetReferences(*text)) {
      throw Error(ErrorKind::kUnsupported, store.name(), std::string(kV2Consolidated), "",
                  "references to chunks in other files are not migrated");
    }
    if (text) consolidated_ = ConsolidatedMetadata::FromV2(JsonNode::Parse(*text, store.name(), kV2Consolidated));
  }

  const Store& store() const { return store_; }
  bool consolidated() const { return consolidated_ != nullptr; }
  bool Has(std::string_view path, std::string_view name) const {
    return (consolidated_ && consolidated_->Find(JoinKey(path, name))) || store_.Exists(JoinKey(path, name));
  }
  std::optional<JsonNode> Find(std::string_view path, std::string_view name) const {
    auto document = Fetch(store_, path, name);
    return document || !consolidated_ ? document : consolidated_->Find(JoinKey(path, name));
  }
  /// Returns the paths of the nodes in the consolidated metadata.
  std::vector<std::string> GetPaths() const {
    std::vector<std::string> paths = {""};
    if (!consolidated_) return paths;
    for (const std::string& key : consolidated_->GetKeys()) {
      const bool node = key.ends_with(kV2Array) || key.ends_with(kV2Group);
      if (node) paths.emplace_back(ParentPath(key));
    }
    return paths;
  }

 private:
  const Store& store_;
  std::shared_ptr<const ConsolidatedMetadata> consolidated_;
};

// --- the nodes ----------------------------------------------------------------------------------------------------

struct Node {
  std::string path;
  bool v2_array = false;
  bool v2_group = false;
  bool v3 = false;
  bool outside = false;  ///< True if it is reached through a link out of the store.

  bool v2() const { return v2_array || v2_group; }
};

Node MakeNode(const OldDocuments& old, const std::string& path) {
  Node node;
  node.path = path;
  node.v3 = old.store().Exists(JoinKey(path, kV3Document));
  node.v2_array = old.Has(path, kV2Array);
  node.v2_group = !node.v2_array && old.Has(path, kV2Group);
  node.outside = LeadsOut(old.store(), path);
  return node;
}

bool IsArray(const Store& store, const Node& node) {
  if (node.v2_array) return true;
  return node.v3 && GetNodeTypeV3(*Fetch(store, node.path, kV3Document)) == "array";
}

struct Nodes {
  std::vector<Node> all;  ///< A node precedes the group that contains it.
  std::vector<std::string> v1_arrays;

  bool HasAny(bool (*wanted)(const Node&)) const { return std::any_of(all.begin(), all.end(), wanted); }
  bool has_v2() const {
    return HasAny([](const Node& node) { return node.v2(); });
  }
  bool has_v3() const {
    return HasAny([](const Node& node) { return node.v3; });
  }
};

/// Adds the nodes at and below `path` that the store lists. A folder without metadata is not a node, and its content
/// does not belong to the store.
void AddListed(const OldDocuments& old, const std::string& path, LinkedGroups* links, Nodes* nodes) {
  if (!path.empty() && !links->IsShown(old.store(), path)) return;
  const Node node = MakeNode(old, path);
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
void AddNamed(const OldDocuments& old, std::string_view path, Nodes* nodes) {
  nodes->all.push_back(MakeNode(old, std::string(path)));
  while (!path.empty()) {
    path = ParentPath(path);
    nodes->all.push_back(MakeNode(old, std::string(path)));
  }
}

Nodes FindNodes(const OldDocuments& old) {
  Nodes nodes;
  LinkedGroups links;
  if (old.store().info().lists) AddListed(old, "", &links, &nodes);
  if (old.consolidated()) {
    for (const std::string& path : old.GetPaths()) AddNamed(old, path, &nodes);
  }
  auto& all = nodes.all;
  std::stable_sort(all.begin(), all.end(), [](const Node& a, const Node& b) { return a.path > b.path; });
  const auto same = [](const Node& a, const Node& b) { return a.path == b.path; };
  all.erase(std::unique(all.begin(), all.end(), same), all.end());
  return nodes;
}

/// Lists the stores directly in this folder, for a user who specified their parent folder.
std::string FindStores(const Store& store) {
  constexpr std::size_t kNamed = 5;
  std::string text;
  std::size_t count = 0;
  const auto listing = store.List("");
  for (std::size_t i = 0; listing && i < listing->prefixes.size() && count <= kNamed; ++i) {
    const std::string& name = listing->prefixes[i];
    const auto has = [&](std::string_view document) { return store.Exists(JoinKey(name, document)); };
    const bool v1 = !has(kV3Document) && !has(kV2Array) && !has(kV2Group) && !has(kV2Consolidated);
    if (v1 && !FetchV1(store, name)) continue;
    if (++count <= kNamed) text += (count == 1 ? "" : ", ") + name + (v1 ? " (v1)" : "");
  }
  return count > kNamed ? text + ", ..." : text;
}

[[noreturn]] void FailNoStore(const Store& store) {
  if (store.Exists(kV0Array)) {
    throw Error(ErrorKind::kUnsupported, store.name(), std::string(kV0Array), "",
                "the layout before Zarr v1 is read, and not migrated");
  }
  std::string message = "expected a store of Zarr v1 or v2, got none";
  const std::string stores = FindStores(store);
  if (!stores.empty()) message += "; stores are migrated one by one, and in it there are " + stores;
  throw Error(ErrorKind::kNotFound, store.name(), "", "", message);
}

/// The draft of v3 uses the key of v3's root document for its entry point: the two cannot be in one store.
void CheckNoDraft(const Store& store) {
  if (!HoldsV3Draft(store)) return;
  throw Error(ErrorKind::kUnsupported, store.name(), std::string(kV3Document), "",
              "a store of the draft of v3 is migrated to v3 in another folder: zarrkit migrate STORE --to v3 --output "
              "NEW_STORE");
}

// --- GDAL's files ---------------------------------------------------------------------------------------------------

/// Adds the files that GDAL has put next to an array's old document, and their names next to the new one. They are on
/// local disks only; elsewhere, a listing with the chunks may take many requests.
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

/// A file that is there already may have been changed since an earlier migration.
void CopySideFile(Store* store, const MigrationPlan::SideFile& file) {
  Bytes content;
  if (!store->Exists(file.to) && store->Get(file.from, &content)) store->Set(file.to, content);
}

/// Adds the files that GDAL has put next to an old document, and that have a copy.
void AddOldSideFiles(const Store& store, const std::string& path, std::string_view old, std::string_view newer,
                     std::vector<std::string>* keys) {
  std::vector<MigrationPlan::SideFile> files;
  AddSideFiles(store, path, old, newer, &files);
  for (const MigrationPlan::SideFile& file : files) {
    if (store.Exists(file.to)) keys->push_back(file.from);
  }
}

// --- documents ----------------------------------------------------------------------------------------------------

/// Checks the name against Zarr v3 core, "Node names".
void CheckName(const Store& store, const Node& node) {
  const std::string_view name = std::string_view(node.path).substr(ParentPath(node.path).size());
  const std::string_view bare = name.starts_with('/') ? name.substr(1) : name;
  if (bare != kV3Document) return;
  throw Error(ErrorKind::kUnsupported, store.name(), node.path, "", "v3 has no nodes of that name");
}

class Planner {
 public:
  Planner(const OldDocuments& old, ZarrFormat to) : old_(old), store_(old.store()), to_(to) {}

  void AddArray(const std::string& path, const ArrayMetadata& array) {
    ++plan_.array_count;
    AddSideFiles(store_, path, array.zarr_format == ZarrFormat::kV2 ? kV2Array : kV1Array,
                 to_ == ZarrFormat::kV3 ? kV3Document : kV2Array, &plan_.side_files);
    const std::vector<MetadataDocument> documents = MakeDocuments(ConvertTo(to_, array));
    // The first document makes the path a node; once it exists, the node counts as migrated.
    for (auto document = documents.rbegin(); document != documents.rend(); ++document) Add(path, *document);
  }

  void AddGroup(const std::string& path, const GroupMetadata& group) {
    ++plan_.group_count;
    GroupMetadata converted = group;
    converted.zarr_format = to_;
    if (path.empty() ? old_.consolidated() : store_.Exists(JoinKey(path, kV2Consolidated)))
      converted.consolidated = MakeConsolidated(path);
    for (const MetadataDocument& document : MakeDocuments(converted)) Add(path, document);
  }

  void AddNode(const Node& node) {
    try {
      if (!node.path.empty()) CheckName(store_, node);
      CheckPlace(node);
      const auto attributes = old_.Find(node.path, kV2Attributes);
      if (node.v2_array) return AddArray(node.path, ParseArrayV2(*old_.Find(node.path, kV2Array), attributes));
      const auto zgroup = old_.Find(node.path, kV2Group);
      AddGroup(node.path,
               zgroup ? ParseGroupV2(*zgroup, attributes) : GroupMetadata{ZarrFormat::kV2, {}, std::nullopt});
    } catch (const Error& error) {
      if (error.kind() != ErrorKind::kUnsupported) throw;
      plan_.refused.push_back(error.At(store_.name(), node.path));
    }
  }

  void AddV1(const JsonNode& meta) {
    try {
      AddArray("", ParseArrayV1(meta, Fetch(store_, "", kV1Attributes), ZarrFormat::kV1));
    } catch (const Error& error) {
      if (error.kind() != ErrorKind::kUnsupported) throw;
      plan_.refused.push_back(error.At(store_.name(), kV1Array));
    }
  }

  void LeaveOut(std::vector<std::string> v1_arrays) { plan_.v1_arrays = std::move(v1_arrays); }

  /// Records a node that already has its new document, for the consolidated metadata.
  void Keep(const std::string& path) { NoteDone(path, *Fetch(store_, path, kV3Document)); }

  MigrationPlan Finish() { return std::move(plan_); }

 private:
  void CheckPlace(const Node& node) const {
    if (!node.outside) return;
    throw Error(ErrorKind::kUnsupported, store_.name(), node.path, "",
                "this is a link out of the store: the metadata behind it can only be changed through their own store");
  }

  void Add(const std::string& path, const MetadataDocument& document) {
    const auto style = to_ == ZarrFormat::kV3 ? JsonNode::Style::kV3 : JsonNode::Style::kV2;
    plan_.documents.push_back({JoinKey(path, document.name), document.content.Dump(style)});
    if (to_ == ZarrFormat::kV3) NoteDone(path, document.content);
  }

  void NoteDone(const std::string& path, const JsonNode& document) {
    done_.emplace(path, CopyWithoutMember(document, kConsolidatedMember));
  }

  /// Makes those of a group, whose nodes are done.
  JsonNode MakeConsolidated(const std::string& group) const {
    std::vector<std::pair<std::string, JsonNode>> members;
    const std::string prefix = group.empty() ? group : group + "/";
    for (const auto& [path, document] : done_) {
      if (path.starts_with(prefix) && path != group) members.emplace_back(path.substr(prefix.size()), document);
    }
    return JsonNode::MakeObject(members);
  }

  const OldDocuments& old_;
  const Store& store_;
  ZarrFormat to_;
  MigrationPlan plan_;
  std::map<std::string, JsonNode> done_;  // the new documents, by path
};

}  // namespace

MigrationPlan PlanMigration(const Store& store, ZarrFormat to) {
  if (to != ZarrFormat::kV2 && to != ZarrFormat::kV3) {
    throw Error(ErrorKind::kInvalidArgument, "metadata are migrated to v2 or v3");
  }
  CheckNoDraft(store);
  const OldDocuments old(store);
  Planner planner(old, to);
  Nodes nodes = FindNodes(old);
  planner.LeaveOut(std::move(nodes.v1_arrays));
  if (nodes.has_v2() && to == ZarrFormat::kV3) {
    for (const Node& node : nodes.all) node.v3 ? planner.Keep(node.path) : planner.AddNode(node);
    return planner.Finish();
  }
  const auto meta = nodes.has_v2() || nodes.has_v3() ? std::nullopt : FetchV1(store, "");
  if (meta) {
    planner.AddV1(*meta);
  } else if (nodes.has_v3() && to == ZarrFormat::kV2) {
    throw Error(ErrorKind::kInvalidArgument, store.name(), "", "", "metadata of v3 are not taken back to v2");
  } else if (nodes.all.empty()) {
    FailNoStore(store);
  }
  return planner.Finish();
}

void Migrate(Store* store, const MigrationPlan& plan) {
  if (!plan.refused.empty()) throw plan.refused.front();
  for (const MigrationPlan::SideFile& file : plan.side_files) CopySideFile(store, file);
  for (const auto& [key, text] : plan.documents) store->Set(key, AsBytes(text));
}

namespace {

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
    const auto document = Fetch(store, group, kV2Consolidated);
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

std::optional<ArrayMetadata> FindNewestArray(const Store& store, const Node& node) {
  if (node.v3) {
    const JsonNode document = *Fetch(store, node.path, kV3Document);
    return GetNodeTypeV3(document) == "array" ? std::optional(ParseArrayV3(document)) : std::nullopt;
  }
  if (!node.v2_array) return std::nullopt;
  return ParseArrayV2(*Fetch(store, node.path, kV2Array), Fetch(store, node.path, kV2Attributes));
}

/// Adds the v2 documents of a node that has v3 documents.
void AddOldOfV2(const OldDocuments& old, const Node& node, std::vector<std::string>* keys) {
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
    const GroupMetadata group = ParseGroupV3(*Fetch(store, node.path, kV3Document));
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
    const auto attributes = Fetch(store, "", kV1Attributes);
    return attributes && attributes->IsObject();
  } catch (const Error& error) {
    if (error.kind() != ErrorKind::kIo && error.kind() != ErrorKind::kCorrupt) throw;
    return false;
  }
}

/// Adds the v1 documents of a root array that has newer ones, but not unrelated files of the same names.
void AddOldOfV1(const Store& store, const Node& root, std::vector<std::string>* keys) {
  const auto meta = FetchV1(store, "");
  const auto newer = meta ? FindNewestArray(store, root) : std::nullopt;
  if (!newer) return;
  const bool has_attributes = HasV1Attributes(store);
  const auto attributes = has_attributes ? Fetch(store, "", kV1Attributes) : std::nullopt;
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
  const Nodes nodes = FindNodes(old);
  if (nodes.has_v3()) {
    if (store.Exists(kV2Consolidated)) keys.emplace_back(kV2Consolidated);
    for (const Node& node : nodes.all) {
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
