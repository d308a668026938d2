// SPDX-License-Identifier: MIT
#include "zarrlib/hierarchy/migration/migration_undo.h"

#include <algorithm>
#include <set>
#include <string_view>

#include "zarrlib/hierarchy/formats/node_formats.h"
#include "zarrlib/hierarchy/migration/migration.h"
#include "zarrlib/metadata/document_names.h"
#include "zarrlib/metadata/node_path.h"
#include "zarrlib/store/store_folders.h"

namespace zarr {
namespace {

/// A store without the documents of the newer format. Read-only.
class OlderStore final : public Store {
 public:
  OlderStore(const Store& store, ZarrFormat newer) : Store(store.name()), store_(store), newer_(newer) {}

  StoreInfo info() const override {
    StoreInfo info = store_.info();
    info.writes = false;
    return info;
  }
  bool Read(const ReadRequest& request) const override { return !IsHidden(request.key) && store_.Read(request); }
  std::optional<Listing> List(std::string_view prefix, const ListOptions& options) const override {
    auto listing = store_.List(prefix, options);
    if (listing) std::erase_if(listing->keys, [&](const std::string& name) { return IsHidden(name); });
    return listing;
  }
  bool Write(std::string_view key, ByteSpan, WriteIf) override { Refuse(key); }
  void EraseAll(std::span<const std::string> keys) override {
    for (const std::string& key : keys) Refuse(key);
  }
  /// Used for the links in them: listing entries shows the hidden documents.
  StoreFolders* folders() const override { return store_.folders(); }

 private:
  bool IsHidden(std::string_view key) const {
    const std::string_view name = NodeName(key);
    if (newer_ == ZarrFormat::kV3) return name == kV3Document;
    return name == kV2Array || name == kV2Group || name == kV2Attributes;
  }
  [[noreturn]] void Refuse(std::string_view key) const {
    throw Error(ErrorKind::kReadOnly, name(), std::string(key), "", "this view is only read");
  }

  const Store& store_;
  ZarrFormat newer_;
};

/// Returns the text of a document in a fixed format, without consolidated metadata, which are redundant.
std::string Normalize(const JsonNode& document) {
  std::vector<std::pair<std::string, JsonNode>> members = document.GetMembers();
  std::erase_if(members, [](const auto& member) { return member.first == kConsolidatedMember; });
  return JsonNode::MakeObject(members).Dump(JsonNode::Style::kV2);
}

JsonNode ParseStored(const Store& store, const std::string& key) {
  return JsonNode::Parse(store.GetText(key, GetLimit(Limit::kText)).value_or(""), store.name(), key);
}

/// Checks that a newer document equals the result of migrating the old metadata.
void CheckSaysTheSame(const Store& store, const MigrationPlan::Document& planned) {
  const JsonNode expected = JsonNode::Parse(planned.text, store.name(), planned.key);
  if (Normalize(ParseStored(store, planned.key)) == Normalize(expected)) return;
  throw Error(ErrorKind::kInvalidArgument, store.name(), planned.key, "",
              "this document does not say what the old metadata say: nothing is removed");
}

/// Checks that no group has a node with only v3 metadata, which the old metadata do not describe.
void CheckAllHaveOld(const Store& store, const std::set<std::string>& planned) {
  for (const std::string& key : planned) {
    const std::string group(ParentPath(key));
    const auto listing = store.List(group.empty() ? "" : group + "/");
    for (const std::string& name : listing ? listing->prefixes : std::vector<std::string>()) {
      const std::string node = JoinKey(group, name);
      const auto linked = FindFolder(store, node);
      if (linked && linked->is_link && linked->links > 1) continue;  // the plan has another path of the same folder
      const std::string document = JoinKey(node, kV3Document);
      if (planned.contains(document) || !store.Exists(document)) continue;
      throw Error(ErrorKind::kInvalidArgument, store.name(), document, "",
                  "the node has no old metadata: nothing is removed, because readers of the old format would miss it; "
                  "move its folder out of the store first");
    }
  }
}

/// Returns true for a file of GDAL's that is still the copy of an older one. One that has been changed since stays.
bool IsCopy(const Store& store, const MigrationPlan::SideFile& file) {
  Bytes old;
  Bytes newer;
  return store.Get(file.from, &old) && store.Get(file.to, &newer) && old == newer;
}

/// Returns the newest format for which there are any metadata.
ZarrFormat FindNewest(const Store& store) {
  const bool is_v1 = !store.Exists(kV2Group) && !store.Exists(kV3Document) && FetchV1(store, "").has_value();
  return is_v1 && store.Exists(kV2Array) ? ZarrFormat::kV2 : ZarrFormat::kV3;
}

}  // namespace

std::vector<std::string> FindNewMetadata(const Store& store) {
  if (HoldsV3Draft(store)) {
    throw Error(ErrorKind::kUnsupported, store.name(), "", "",
                "a store of the draft of v3 is migrated to another folder");
  }
  const ZarrFormat newest = FindNewest(store);
  const MigrationPlan plan = PlanMigration(OlderStore(store, newest), newest);
  if (!plan.refused.empty()) throw plan.refused.front();
  std::vector<std::string> keys;
  std::set<std::string> planned;
  for (auto document = plan.documents.rbegin(); document != plan.documents.rend(); ++document) {
    planned.insert(document->key);
    if (!store.Exists(document->key)) continue;
    CheckSaysTheSame(store, *document);
    keys.push_back(document->key);
  }
  if (newest == ZarrFormat::kV3) CheckAllHaveOld(store, planned);
  if (keys.empty()) {
    throw Error(ErrorKind::kNotFound, store.name(), "", "",
                "there are no metadata that a migration has written beside others");
  }
  for (const MigrationPlan::SideFile& file : plan.side_files) {
    if (IsCopy(store, file)) keys.push_back(file.to);
  }
  return keys;
}

std::vector<std::string> UndoMigration(Store* store) {
  std::vector<std::string> keys = FindNewMetadata(*store);
  for (const std::string& key : keys) store->Erase(key);
  return keys;
}

}  // namespace zarr
