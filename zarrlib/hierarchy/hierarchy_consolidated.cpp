// SPDX-License-Identifier: MIT
#include <algorithm>
#include <utility>

#include "zarrlib/hierarchy/consolidated_changes.h"
#include "zarrlib/hierarchy/formats/node_format.h"
#include "zarrlib/hierarchy/hierarchy.h"
#include "zarrlib/hierarchy/node_documents.h"
#include "zarrlib/hierarchy/removal/node_tree.h"
#include "zarrlib/hierarchy/stored_document.h"
#include "zarrlib/metadata/consolidated.h"
#include "zarrlib/metadata/document_names.h"
#include "zarrlib/metadata/node_path.h"
#include "zarrlib/store/broken_value.h"

namespace zarr {
namespace {

/// Whether the first has those documents of the second, all of which are at or below a path, and no others there.
bool SayTheSameBelow(const ConsolidatedMetadata& first, const ConsolidatedMetadata& second, std::string_view path) {
  std::vector<std::string> keys = first.GetKeys();
  std::erase_if(
      keys, [&](std::string_view key) { return !key.starts_with(path) || !key.substr(path.size()).starts_with('/'); });
  return keys == second.GetKeys() && std::all_of(keys.begin(), keys.end(), [&](const std::string& key) {
           return first.Find(key) == second.Find(key);
         });
}

}  // namespace

void Hierarchy::SetConsolidate(bool consolidate) {
  const std::lock_guard lock(change_mutex_);
  consolidate_ = consolidate;
}

void Hierarchy::DeferChanges() {
  const std::lock_guard lock(change_mutex_);
  documents_->Defer();
}

void Hierarchy::EndDeferring() {
  PutAttributes();
  const std::lock_guard lock(change_mutex_);
  documents_->EndDeferring();
}

void Hierarchy::PutWaiting() {
  PutAttributes();
  const std::lock_guard lock(change_mutex_);
  documents_->Commit();
}

bool Hierarchy::HasWaiting() const {
  return documents_->HasWaiting();
}

void Hierarchy::WriteConsolidated() {
  const std::lock_guard lock(change_mutex_);
  // On a network the root's document is put once: with the consolidated metadata, if it is to hold them. Elsewhere
  // these are merged with what is stored.
  const bool is_made_here = IsOnNetwork() && all_documents_ && made_in_empty_place_ && (consolidate_ || consolidated());
  documents_->Commit(is_made_here ? format_->consolidated_key() : std::string_view());
  SaveChangedConsolidated();
  documents_->Commit();
}

void Hierarchy::SaveChangedConsolidated() {
  if (!changed_ && (consolidated() || consolidated_stored_ || !consolidate_)) return;
  if (!consolidated() && !consolidate_ && !HasStoredConsolidated()) return;
  // A store that is an array, or has no document of its own, has none.
  if (!all_documents_ && (!format_->has_groups() || implied_root_ || Probe("") != NodeKind::kGroup)) return;
  CheckWritable();
  CheckRootIsThere();
  if (all_documents_) return SaveConsolidated();
  // Those that are stored were not to be used: they are made anew.
  const auto locked = LockDocuments({GetLockKey("")});
  documents_->Refresh("", format_->node_documents());
  if (!made_in_empty_place_) documents_->DropKept();
  auto documents = std::make_shared<ConsolidatedMetadata>();
  CollectDocuments("", documents.get());
  PutConsolidated(*documents);
  all_documents_ = std::move(documents);
}

void Hierarchy::DropOwnConsolidated(std::string_view path) {
  for (std::string_view group = ParentPath(path); !group.empty(); group = ParentPath(group)) {
    if (without_own_.contains(group)) continue;
    const auto locked = LockDocuments({GetLockKey(group)});
    format_->DropConsolidated(*store_, group);
    without_own_.emplace(group);
  }
}

void Hierarchy::DropConsolidated() {
  const auto locked = LockDocuments({GetLockKey("")});
  if (!HasStoredConsolidated()) return;
  // A removal that fails may have been made.
  consolidate_ = true;
  changed_ = true;
  format_->DropConsolidated(*store_, "");
}

void Hierarchy::DropConsolidatedIfPossible() {
  try {
    DropConsolidated();
  } catch (const std::exception&) {
    // Nothing can be done for a store that takes no writes.
  }
}

void Hierarchy::NoteIfOutOfStep(std::string_view path) {
  // On a network a look costs a request. A copy puts the consolidated metadata in the end.
  if (IsOnNetwork() || !format_->has_groups() || documents_->deferring()) return;
  const StoredConsolidated stored = ReadStoredConsolidated();
  if (!stored.documents) return;
  for (const std::string_view name : format_->node_documents()) {
    const std::string key = JoinKey(path, name);
    if (key == format_->consolidated_key()) continue;
    const auto document = documents_->Read(path, name);
    if (document != stored.documents->Find(key)) Note(key, document);
  }
}

bool Hierarchy::HasStoredConsolidated() const {
  const std::string_view key = format_->consolidated_key();
  if (key.empty()) return false;
  if (key != format_->root_document()) {
    return store_->Exists(key, MayShareConsolidated() ? Freshness::kNow : Freshness::kKnown);
  }
  return MayShareConsolidated() ? ReadStoredConsolidated().documents != nullptr : root_holds_consolidated_;
}

bool Hierarchy::MayShareConsolidated() const {
  const StoreInfo info = store_->info();
  return info.is_on_network() ? !IsAlone() : info.lists;
}

void Hierarchy::SaveConsolidated(bool with_root) {
  CheckWritable();
  const auto locked = LockDocuments({GetLockKey("")});
  const std::shared_ptr<ConsolidatedMetadata> merged = MergeConsolidated(with_root);
  PutConsolidated(*merged);
  if (all_documents_ && all_documents_ != merged) AdoptConsolidated(*merged);
}

std::shared_ptr<ConsolidatedMetadata> Hierarchy::MergeConsolidated(bool with_root) {
  StoredConsolidated stored;
  if (MayShareConsolidated()) stored = ReadStoredConsolidated();
  if (stored.documents) {
    RefreshUnsaved(with_root ? JsonNode() : stored.root);
    unsaved_->ApplyTo(stored.documents.get());
    return stored.documents;
  }
  // Others may have changed nodes that this hierarchy has made: then the store is read, which has all changes.
  const bool is_shared = MayShareConsolidated() && !documents_->deferring();
  auto documents = is_shared || !all_documents_ ? std::make_shared<ConsolidatedMetadata>() : all_documents_;
  if (documents != all_documents_) {
    if (!made_in_empty_place_) documents_->DropKept();
    CollectDocuments("", documents.get());
  }
  if (!stored.root.IsNull() && !with_root) documents->Set(format_->consolidated_key(), stored.root);
  return documents;
}

void Hierarchy::RefreshUnsaved(const JsonNode& root) {
  // On a network each look is a request, and nobody is kept out anyway.
  const bool is_near = !IsOnNetwork();
  if (!is_near || !MayShareConsolidated() || documents_->deferring()) return;
  const std::map<std::string, std::optional<JsonNode>> documents = unsaved_->documents();
  for (const auto& [key, document] : documents) {
    if (key == format_->consolidated_key()) {
      if (!root.IsNull()) unsaved_->Set(key, root);
      continue;
    }
    const auto now = ReadDocument(*store_, key, GetLimit(Limit::kDocument), &documents_->parsed(), Freshness::kNow);
    if (now) unsaved_->Set(key, now->content);
  }
}

void Hierarchy::AdoptConsolidated(const ConsolidatedMetadata& merged) {
  for (const std::string& key : merged.GetKeys()) {
    if (!all_documents_->Has(key)) all_documents_->Set(key, *merged.Find(key));
  }
  for (const std::string& key : all_documents_->GetKeys()) {
    if (!merged.Has(key)) all_documents_->Erase(key);
  }
}

void Hierarchy::PutConsolidated(const ConsolidatedMetadata& documents) {
  const std::string_view key = format_->consolidated_key();
  const auto root = documents.Find(key);
  store_->Set(key, AsBytes(DumpDocument(key, format_->MakeConsolidated(documents, root.value_or(JsonNode())))));
  documents_->Settle(std::string(key));
  unsaved_->Clear();
  changed_ = false;
  consolidated_stored_ = true;
  root_holds_consolidated_ = key == format_->root_document();
}

void Hierarchy::CheckRootIsThere() const {
  // On a network a look costs a request. A copy may keep the root in memory still.
  if (IsOnNetwork() || implied_root_ || documents_->deferring()) return;
  const auto is_there = [&](std::string_view name) { return store_->Exists(name, Freshness::kNow); };
  if (std::ranges::any_of(format_->node_documents(), is_there) || is_there(format_->consolidated_key())) return;
  throw Error(ErrorKind::kIo, store_->name(), "", "", "the store is not there any more");
}

void Hierarchy::SaveInStep(std::string_view path, bool is_there) {
  if (!format_->has_groups()) return;
  if (consolidated()) return SaveConsolidated();
  const auto locked = LockDocuments({GetLockKey("")});
  StoredConsolidated stored = ReadStoredConsolidated();
  if (!stored.documents) return;
  ConsolidatedMetadata wanted;
  if (is_there) CollectDocuments(path, &wanted);
  // Nothing is put if the two are in step already: when a change is taken back, the store may take no writes at all.
  if (SayTheSameBelow(*stored.documents, wanted, path)) return;
  stored.documents->EraseNode(path);
  for (const std::string& key : wanted.GetKeys()) stored.documents->Set(key, *wanted.Find(key));
  const std::string_view key = format_->consolidated_key();
  store_->Set(key, AsBytes(DumpDocument(key, format_->MakeConsolidated(*stored.documents, stored.root))));
}

StoredConsolidated Hierarchy::ReadStoredConsolidated() const {
  const std::string_view key = format_->consolidated_key();
  return ReadUnbroken(*store_, key, [&]() -> StoredConsolidated {
    Bytes text;
    if (!store_->Get(key, &text, nullptr, GetLimit(Limit::kText), Freshness::kNow)) return {};
    return format_->ParseConsolidated(std::move(text), store_->name(), key);
  });
}

std::vector<MetadataDocument> Hierarchy::FindInConsolidated(std::string_view path) const {
  std::vector<MetadataDocument> found;
  if (!all_documents_) return found;
  for (const std::string& key : all_documents_->GetKeys()) {
    if (key.starts_with(std::string(path) + "/")) found.push_back({key, *all_documents_->Find(key)});
  }
  if (!found.empty()) return found;
  for (auto& [key, document] : NodeTree::Read(*store_, path).GetDocuments())
    found.push_back({key, std::move(document)});
  return found;
}

void Hierarchy::TakeFromConsolidated(std::string_view path) {
  if (all_documents_) all_documents_->EraseNode(path);
  unsaved_->EraseNode(path);
  changed_ = true;
  SaveInStep(path, false);
}

void Hierarchy::PutIntoConsolidated(const std::vector<MetadataDocument>& taken, std::string_view from,
                                    std::string_view to) {
  for (const MetadataDocument& document : taken) {
    Note(std::string(to) + document.name.substr(from.size()), document.content);
  }
  changed_ = true;
  SaveInStep(to, true);
}

void Hierarchy::CollectDocuments(std::string_view path, ConsolidatedMetadata* documents) const {
  for (const std::string_view name : kNodeDocuments) {
    if (const auto document = documents_->Read(path, name)) documents->Set(JoinKey(path, name), *document);
  }
  if (Probe(path) != NodeKind::kGroup) return;
  for (const Child& child : List(path)) CollectDocuments(JoinKey(path, child.name), documents);
}

}  // namespace zarr
