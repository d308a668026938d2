#include "zarrlib/array/migration.h"

#include <algorithm>
#include <optional>
#include <string_view>

#include "zarrlib/array/node_documents.h"
#include "zarrlib/metadata/consolidated.h"

namespace zarr {
namespace {

std::optional<JsonNode> Fetch(const Store& store, std::string_view path, std::string_view name) {
  const std::string key = JoinKey(path, name);
  const auto text = store.GetText(key);
  if (!text) return std::nullopt;
  return JsonNode::Parse(*text, store.name(), key);
}

/// `meta` of a v1 array; nothing for what is called so by chance.
std::optional<JsonNode> FetchV1(const Store& store) {
  try {
    auto meta = Fetch(store, "", kV1Array);
    if (meta && LooksLikeV1(*meta)) return meta;
  } catch (const Error& error) {
    if (error.kind() != ErrorKind::kIo && error.kind() != ErrorKind::kCorrupt) throw;
  }
  return std::nullopt;
}

// --- the nodes ----------------------------------------------------------------------------------------------------

/// What stands at a path.
struct Node {
  std::string path;
  bool v2_array = false;
  bool v2_group = false;  ///< Or a folder of nodes without metadata of its own.
  bool v3 = false;
};

Node NodeAt(const Store& store, const std::string& path) {
  const auto has = [&](std::string_view name) { return store.Exists(JoinKey(path, name)); };
  Node node{path, has(kV2Array), false, has(kV3Document)};
  node.v2_group = !node.v2_array && has(kV2Group);
  return node;
}

bool IsArray(const Store& store, const Node& node) {
  if (node.v2_array) return true;
  return node.v3 && NodeTypeOfV3(*Fetch(store, node.path, kV3Document)) == "array";
}

/// Appends the nodes at and below `path`, children first. Returns whether there are any.
bool AddNodes(const Store& store, const std::string& path, std::vector<Node>* nodes) {
  Node node = NodeAt(store, path);
  bool found = node.v2_array || node.v2_group || node.v3;
  if (!IsArray(store, node)) {
    const auto listing = store.List(path.empty() ? "" : path + "/");
    for (const std::string& name : listing->prefixes) {
      if (AddNodes(store, JoinKey(path, name), nodes)) found = node.v2_group = true;
    }
  }
  if (found) nodes->push_back(std::move(node));
  return found;
}

std::string_view ParentOf(std::string_view key) {
  const std::size_t slash = key.rfind('/');
  return slash == std::string_view::npos ? std::string_view() : key.substr(0, slash);
}

std::vector<Node> NodesOf(const Store& store) {
  std::vector<Node> nodes;
  if (store.capabilities().list) {
    AddNodes(store, "", &nodes);
    return nodes;
  }
  std::vector<std::string> paths = {""};
  if (const auto consolidated = Fetch(store, "", kV2Consolidated)) {
    for (const std::string& key : ConsolidatedMetadata::FromV2(*consolidated)->Keys())
      paths.emplace_back(ParentOf(key));
  }
  std::sort(paths.rbegin(), paths.rend());  // children first
  paths.erase(std::unique(paths.begin(), paths.end()), paths.end());
  for (const std::string& path : paths) nodes.push_back(NodeAt(store, path));
  return nodes;
}

// --- documents ----------------------------------------------------------------------------------------------------

/// Zarr v3 core, "Node names".
void CheckName(const Store& store, const Node& node) {
  const std::string_view name = std::string_view(node.path).substr(ParentOf(node.path).size());
  const std::string_view bare = name.starts_with('/') ? name.substr(1) : name;
  if (!bare.starts_with("__") && bare != kV3Document) return;
  throw Error(ErrorKind::kUnsupported, store.name(), node.path, "", "v3 has no nodes of that name");
}

class Planner {
 public:
  Planner(const Store& store, ZarrFormat to) : store_(store), to_(to) {}

  void AddArray(const std::string& path, const ArrayMetadata& array) {
    ++plan_.array_count;
    for (const MetadataDocument& document : DocumentsOf(ConvertTo(to_, array))) Add(path, document);
  }

  void AddGroup(const std::string& path, const GroupMetadata& group) {
    ++plan_.group_count;
    GroupMetadata converted = group;
    converted.zarr_format = to_;
    if (path.empty() && store_.Exists(kV2Consolidated)) converted.consolidated = Consolidated();
    for (const MetadataDocument& document : DocumentsOf(converted)) Add(path, document);
  }

  void AddNode(const Node& node) {
    try {
      if (!node.path.empty()) CheckName(store_, node);
      const auto attributes = Fetch(store_, node.path, kV2Attributes);
      if (node.v2_array) return AddArray(node.path, ArrayFromV2(*Fetch(store_, node.path, kV2Array), attributes));
      const auto zgroup = Fetch(store_, node.path, kV2Group);
      AddGroup(node.path, zgroup ? GroupFromV2(*zgroup, attributes) : GroupMetadata{ZarrFormat::kV2, {}, std::nullopt});
    } catch (const Error& error) {
      if (error.kind() != ErrorKind::kUnsupported) throw;
      plan_.refused.push_back(error.At(store_.name(), node.path));
    }
  }

  void AddV1(const JsonNode& meta) {
    try {
      AddArray("", ArrayFromV1(meta, Fetch(store_, "", kV1Attributes), ZarrFormat::kV1));
    } catch (const Error& error) {
      if (error.kind() != ErrorKind::kUnsupported) throw;
      plan_.refused.push_back(error.At(store_.name(), kV1Array));
    }
  }

  /// A node that has its new metadata, which count among the consolidated ones.
  void Keep(const std::string& path) { done_.emplace_back(path, *Fetch(store_, path, kV3Document)); }

  MigrationPlan Finish() { return std::move(plan_); }

 private:
  void Add(const std::string& path, const MetadataDocument& document) {
    const auto style = to_ == ZarrFormat::kV3 ? JsonNode::Style::kV3 : JsonNode::Style::kV2;
    plan_.documents.push_back({JoinKey(path, document.name), document.content.Dump(style)});
    if (to_ == ZarrFormat::kV3) done_.emplace_back(path, document.content);
  }

  JsonNode Consolidated() const {
    auto members = done_;
    std::sort(members.begin(), members.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
    return JsonNode::MakeObject(members);
  }

  const Store& store_;
  ZarrFormat to_;
  MigrationPlan plan_;
  std::vector<std::pair<std::string, JsonNode>> done_;  // the new documents, by path
};

}  // namespace

MigrationPlan PlanMigration(const Store& store, ZarrFormat to) {
  if (to != ZarrFormat::kV2 && to != ZarrFormat::kV3) {
    throw Error(ErrorKind::kInvalidArgument, "metadata are migrated to v2 or v3");
  }
  Planner planner(store, to);
  const std::vector<Node> nodes = NodesOf(store);
  const bool has_v2 = std::any_of(nodes.begin(), nodes.end(), [](const Node& n) { return n.v2_array || n.v2_group; });
  if (has_v2 && to == ZarrFormat::kV3) {
    for (const Node& node : nodes) node.v3 ? planner.Keep(node.path) : planner.AddNode(node);
    return planner.Finish();
  }
  const bool has_v3 = std::any_of(nodes.begin(), nodes.end(), [](const Node& n) { return n.v3; });
  const auto meta = has_v2 || has_v3 ? std::nullopt : FetchV1(store);
  if (meta) {
    planner.AddV1(*meta);
  } else if (!has_v2 && !has_v3) {
    throw Error(ErrorKind::kNotFound, store.name(), "", "", "expected a store of Zarr v1 or v2, got none");
  }
  return planner.Finish();
}

void Migrate(Store* store, const MigrationPlan& plan) {
  if (!plan.refused.empty()) throw plan.refused.front();
  for (const auto& [key, text] : plan.documents) store->Set(key, AsBytes(text));
}

std::vector<std::string> OldMetadata(const Store& store) {
  std::vector<std::string> keys;
  const auto add = [&](std::string_view path, std::string_view name) {
    if (store.Exists(JoinKey(path, name))) keys.push_back(JoinKey(path, name));
  };
  const std::vector<Node> nodes = NodesOf(store);
  const bool any_v3 = std::any_of(nodes.begin(), nodes.end(), [](const Node& node) { return node.v3; });
  if (any_v3) add("", kV2Consolidated);
  for (const Node& node : nodes) {
    if (!any_v3) break;
    if (!node.v3) {
      throw Error(ErrorKind::kInvalidArgument, store.name(), node.path, "", "the node has no metadata of v3 yet");
    }
    for (const std::string_view name : {kV2Array, kV2Group, kV2Attributes}) add(node.path, name);
  }
  const bool newer = std::any_of(nodes.begin(), nodes.end(), [](const Node& n) { return n.path.empty(); });
  if (newer && FetchV1(store)) {
    keys.emplace_back(kV1Array);
    add("", kV1Attributes);
  }
  return keys;
}

std::vector<std::string> DeleteOldMetadata(Store* store) {
  const std::vector<std::string> keys = OldMetadata(*store);
  for (const std::string& key : keys) store->Erase(key);
  return keys;
}

}  // namespace zarr
