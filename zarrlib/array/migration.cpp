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
  const auto text = store.GetText(key, kMaxTextSize);
  if (!text) return std::nullopt;
  return JsonNode::Parse(*text, store.name(), key);
}

std::string_view ParentOf(std::string_view key) {
  const std::size_t slash = key.rfind('/');
  return slash == std::string_view::npos ? std::string_view() : key.substr(0, slash);
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

/// The old documents of a store: its own, or, where those are gone, those of its consolidated metadata.
class OldDocuments {
 public:
  explicit OldDocuments(const Store& store) : store_(store) {
    const auto consolidated = Fetch(store, "", kV2Consolidated);
    if (consolidated) consolidated_ = ConsolidatedMetadata::FromV2(*consolidated);
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
  /// The nodes of the consolidated metadata.
  std::vector<std::string> Paths() const {
    std::vector<std::string> paths = {""};
    if (!consolidated_) return paths;
    for (const std::string& key : consolidated_->Keys()) paths.emplace_back(ParentOf(key));
    return paths;
  }

 private:
  const Store& store_;
  std::shared_ptr<const ConsolidatedMetadata> consolidated_;
};

// --- the nodes ----------------------------------------------------------------------------------------------------

/// What stands at a path.
struct Node {
  std::string path;
  bool v2_array = false;
  bool v2_group = false;
  bool implied = false;  ///< A folder of nodes without metadata of its own: a group.
  bool v3 = false;
};

Node NodeAt(const OldDocuments& old, const std::string& path) {
  Node node;
  node.path = path;
  node.v3 = old.store().Exists(JoinKey(path, kV3Document));
  node.v2_array = old.Has(path, kV2Array);
  node.v2_group = !node.v2_array && old.Has(path, kV2Group);
  return node;
}

bool IsArray(const Store& store, const Node& node) {
  if (node.v2_array) return true;
  return node.v3 && NodeTypeOfV3(*Fetch(store, node.path, kV3Document)) == "array";
}

/// Appends the nodes at and below `path`, as the store lists them. Returns whether there are any.
bool AddListed(const OldDocuments& old, const std::string& path, std::vector<Node>* nodes) {
  Node node = NodeAt(old, path);
  bool found = node.v2_array || node.v2_group || node.v3;
  if (!IsArray(old.store(), node)) {
    const auto listing = old.store().List(path.empty() ? "" : path + "/");
    for (const std::string& name : listing->prefixes) {
      if (AddListed(old, JoinKey(path, name), nodes)) found = true;
    }
  }
  node.implied = found && !node.v2_array && !node.v2_group && !node.v3;
  if (found) nodes->push_back(std::move(node));
  return found;
}

/// All nodes, each before the one that holds it.
std::vector<Node> NodesOf(const OldDocuments& old) {
  std::vector<Node> nodes;
  if (old.store().capabilities().list) AddListed(old, "", &nodes);
  for (const std::string& path : old.Paths()) {
    const Node node = NodeAt(old, path);
    if (node.v2_array || node.v2_group || node.v3) nodes.push_back(node);
  }
  std::stable_sort(nodes.begin(), nodes.end(), [](const Node& a, const Node& b) { return a.path > b.path; });
  const auto same = [](const Node& a, const Node& b) { return a.path == b.path; };
  nodes.erase(std::unique(nodes.begin(), nodes.end(), same), nodes.end());
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
  Planner(const OldDocuments& old, ZarrFormat to) : old_(old), store_(old.store()), to_(to) {}

  void AddArray(const std::string& path, const ArrayMetadata& array) {
    ++plan_.array_count;
    for (const MetadataDocument& document : DocumentsOf(ConvertTo(to_, array))) Add(path, document);
  }

  void AddGroup(const std::string& path, const GroupMetadata& group) {
    ++plan_.group_count;
    GroupMetadata converted = group;
    converted.zarr_format = to_;
    if (path.empty() && old_.consolidated()) converted.consolidated = Consolidated();
    for (const MetadataDocument& document : DocumentsOf(converted)) Add(path, document);
  }

  void AddNode(const Node& node) {
    try {
      if (!node.path.empty()) CheckName(store_, node);
      const auto attributes = old_.Find(node.path, kV2Attributes);
      if (node.v2_array) return AddArray(node.path, ArrayFromV2(*old_.Find(node.path, kV2Array), attributes));
      const auto zgroup = old_.Find(node.path, kV2Group);
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

  const OldDocuments& old_;
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
  const OldDocuments old(store);
  Planner planner(old, to);
  const std::vector<Node> nodes = NodesOf(old);
  const bool has_v2 = std::any_of(nodes.begin(), nodes.end(), [](const Node& n) { return n.v2_array || n.v2_group; });
  if (has_v2 && to == ZarrFormat::kV3) {
    for (const Node& node : nodes) node.v3 ? planner.Keep(node.path) : planner.AddNode(node);
    return planner.Finish();
  }
  const bool has_v3 = std::any_of(nodes.begin(), nodes.end(), [](const Node& n) { return n.v3; });
  const auto meta = has_v2 || has_v3 ? std::nullopt : FetchV1(store);
  if (meta) {
    planner.AddV1(*meta);
  } else if (has_v3 && to == ZarrFormat::kV2) {
    throw Error(ErrorKind::kInvalidArgument, store.name(), "", "", "metadata of v3 are not taken back to v2");
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
  const std::vector<Node> nodes = NodesOf(OldDocuments(store));
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
