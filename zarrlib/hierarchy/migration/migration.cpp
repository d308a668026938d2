// SPDX-License-Identifier: MIT
#include "zarrlib/hierarchy/migration/migration.h"

#include <algorithm>
#include <map>
#include <optional>
#include <string_view>

#include "zarrlib/array/write/array_replacement.h"
#include "zarrlib/hierarchy/formats/node_formats.h"
#include "zarrlib/hierarchy/migration/old_nodes.h"
#include "zarrlib/json/json_edit.h"
#include "zarrlib/metadata/document_names.h"
#include "zarrlib/metadata/node_path.h"

namespace zarr {

namespace {

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

/// A file that is there already may have been changed since an earlier migration.
void CopySideFile(Store* store, const MigrationPlan::SideFile& file) {
  Bytes content;
  if (!store->Exists(file.to) && store->Get(file.from, &content)) store->Set(file.to, content);
}

/// Checks the name against Zarr v3 core, "Node names".
void CheckName(const Store& store, const OldNode& node) {
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

  void AddNode(const OldNode& node) {
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
      AddArray("", ParseArrayV1(meta, FetchDocument(store_, "", kV1Attributes), ZarrFormat::kV1));
    } catch (const Error& error) {
      if (error.kind() != ErrorKind::kUnsupported) throw;
      plan_.refused.push_back(error.At(store_.name(), kV1Array));
    }
  }

  void LeaveOut(std::vector<std::string> v1_arrays) { plan_.v1_arrays = std::move(v1_arrays); }

  /// Records a node that already has its new document, for the consolidated metadata: also its own, if they
  /// lack nodes.
  void Keep(const std::string& path) {
    const JsonNode document = *FetchDocument(store_, path, kV3Document);
    NoteDone(path, document);
    if (!document.Has(kConsolidatedMember)) return;
    GroupMetadata group = ParseGroupV3(document);
    if (!group.consolidated || !group.consolidated->IsObject()) return;
    const JsonNode made = MakeConsolidated(path);
    const auto is_listed = [&](const auto& member) { return group.consolidated->Has(member.first); };
    if (std::ranges::all_of(made.GetMembers(), is_listed)) return;
    group.consolidated = made;
    const JsonNode consolidated = MakeDocuments(group).front().content.At(kConsolidatedMember);
    const JsonNode changed = CopyWithMember(document, kConsolidatedMember, consolidated);
    plan_.documents.push_back({JoinKey(path, kV3Document), changed.Dump(JsonNode::Style::kV3)});
  }

  MigrationPlan Finish() { return std::move(plan_); }

 private:
  void CheckPlace(const OldNode& node) const {
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
  OldNodes nodes = FindOldNodes(old);
  planner.LeaveOut(std::move(nodes.v1_arrays));
  if (nodes.has_v2() && to == ZarrFormat::kV3) {
    for (const OldNode& node : nodes.all) node.v3 ? planner.Keep(node.path) : planner.AddNode(node);
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

}  // namespace zarr
