// SPDX-License-Identifier: MIT
#include "zarrlib/hierarchy/editing/consolidated_file.h"

#include <algorithm>
#include <utility>

#include "zarrlib/hierarchy/editing/collect_documents.h"
#include "zarrlib/hierarchy/editing/node_locks.h"
#include "zarrlib/hierarchy/editing/store_making.h"
#include "zarrlib/hierarchy/formats/node_format.h"
#include "zarrlib/hierarchy/hierarchy.h"
#include "zarrlib/hierarchy/node_documents.h"
#include "zarrlib/hierarchy/removal/node_tree.h"
#include "zarrlib/hierarchy/store_root.h"
#include "zarrlib/hierarchy/stored_document.h"
#include "zarrlib/json/json_edit.h"
#include "zarrlib/metadata/consolidated.h"
#include "zarrlib/metadata/document_names.h"
#include "zarrlib/metadata/node_path.h"
#include "zarrlib/store/broken_value.h"
#include "zarrlib/store/repeated_change.h"
#include "zarrlib/store/store_locks.h"

namespace zarr {
namespace {

/// Returns true if `first` has all documents of `second`, which are all below `path`, and no others there.
bool SayTheSameBelow(const ConsolidatedMetadata& first, const ConsolidatedMetadata& second, std::string_view path) {
  std::vector<std::string> keys = first.GetKeys();
  std::erase_if(
      keys, [&](std::string_view key) { return !key.starts_with(path) || !key.substr(path.size()).starts_with('/'); });
  return keys == second.GetKeys() && std::all_of(keys.begin(), keys.end(), [&](const std::string& key) {
           return first.Find(key) == second.Find(key);
         });
}

}  // namespace

void ConsolidatedFile::NoteState() const {
  const std::string_view key = parts_.root.format->consolidated_key();
  VersionStamp stamp;
  if (HasConditions(parts_.store) && MayBeShared()) parts_.store.GetStamp(key, &stamp, Freshness::kNow);
}

bool ConsolidatedFile::IsOnNetwork() const {
  return parts_.store.info().is_on_network();
}

std::shared_ptr<void> ConsolidatedFile::LockRoot() const {
  const NodeFormat& format = parts_.root.GetFormat(parts_.documents, "");
  return parts_.locks.LockDocuments({GetLockKey(parts_.store, parts_.documents, format, "")});
}

bool ConsolidatedFile::IsMadeHere() const {
  return IsOnNetwork() && documents_ && parts_.making.made_in_empty_place() &&
         (is_wanted_ || parts_.nodes.consolidated());
}

void ConsolidatedFile::Note(const std::string& key, const std::optional<JsonNode>& document) {
  if (documents_ && !unsaved_.documents().contains(key)) bases_[key] = documents_->Find(key);
  if (documents_) document ? documents_->Set(key, *document) : documents_->Erase(key);
  unsaved_.Set(key, document);
  is_changed_ = true;
}

void ConsolidatedFile::ForgetNode(std::string_view path) {
  if (documents_) documents_->EraseNode(path);
  unsaved_.EraseNode(path);
}

bool ConsolidatedFile::IsFirst() const {
  const auto names = parts_.root.format->group_documents();
  return HasConditions(parts_.store) && !names.empty() && parts_.documents.waiting().IsNew(std::string(names.front()));
}

void ConsolidatedFile::SaveIfFirst() {
  if (IsFirst() && IsMadeHere()) Save();
}

void ConsolidatedFile::Save() {
  if (!is_changed_ && (parts_.nodes.consolidated() || is_put_ || !is_wanted_)) return;
  if (!parts_.nodes.consolidated() && !is_wanted_ && !IsStored()) return;
  // A store that is an array, or does not have a root document, has no consolidated metadata.
  if (!documents_ &&
      (!parts_.root.format->has_groups() || parts_.root.is_implied || parts_.nodes.Probe("") != NodeKind::kGroup))
    return;
  CheckWritable(parts_.store, *parts_.root.format);
  CheckRootIsThere();
  if (documents_) return Merge();
  RepeatWhileOutrun([this] { BuildOnce(); });
}

void ConsolidatedFile::BuildOnce() {
  // The stored consolidated metadata were not used: they are built again.
  const auto locked = LockRoot();
  NoteState();
  parts_.documents.Refresh("", parts_.root.format->node_documents());
  if (!parts_.making.made_in_empty_place()) parts_.documents.DropKept();
  auto documents = std::make_shared<ConsolidatedMetadata>();
  Collect("", documents.get());
  if (const StoredConsolidated stored = ReadStored(); stored.documents)
    KeepAttributes(*stored.documents, documents.get());
  PutAll(*documents);
  documents_ = std::move(documents);
}

void ConsolidatedFile::Drop() {
  const auto locked = LockRoot();
  if (!IsStored()) return;
  // A failed removal may have taken effect.
  is_wanted_ = true;
  is_changed_ = true;
  RepeatWhileOutrun([this] { parts_.root.format->DropConsolidated(parts_.store, ""); });
}

void ConsolidatedFile::DropIfPossible() {
  try {
    Drop();
  } catch (const std::exception&) {
    // There is no way to repair a store that rejects writes.
  }
}

void ConsolidatedFile::NoteIfOutOfStep(std::string_view path) {
  // In a remote store a lookup costs a request. A copy writes the consolidated metadata at the end.
  if (IsOnNetwork() || !parts_.root.format->has_groups() || parts_.documents.waiting().deferring()) return;
  const StoredConsolidated stored = ReadStored();
  if (!stored.documents) return;
  for (const std::string_view name : parts_.root.format->node_documents()) {
    const std::string key = JoinKey(path, name);
    if (key == parts_.root.format->consolidated_key()) continue;
    const auto document = parts_.documents.Read(path, name);
    if (document != stored.documents->Find(key)) Note(key, document);
  }
}

bool ConsolidatedFile::IsStored() const {
  const std::string_view key = parts_.root.format->consolidated_key();
  if (key.empty()) return false;
  if (key != parts_.root.format->root_document()) {
    return parts_.store.Exists(key, MayBeShared() ? Freshness::kNow : Freshness::kKnown);
  }
  return MayBeShared() ? ReadStored().documents != nullptr : parts_.root.holds_consolidated;
}

bool ConsolidatedFile::MayBeShared() const {
  const StoreInfo info = parts_.store.info();
  if (!info.is_on_network()) return info.lists;
  // Where nothing of others may get lost, a store that others can find is shared.
  const bool is_stored = !parts_.documents.waiting().HasOwn("");
  return !parts_.making.IsAlone() || (HasConditions(parts_.store) && is_stored);
}

void ConsolidatedFile::SaveWithRoot() {
  MergeOnce(true);
  is_changed_ = !documents_;  // unused ones are built again by `Save`
}

void ConsolidatedFile::Merge() {
  RepeatWhileOutrun([this] { MergeOnce(false); });
}

void ConsolidatedFile::MergeOnce(bool with_root) {
  CheckWritable(parts_.store, *parts_.root.format);
  const auto locked = LockRoot();
  const std::shared_ptr<ConsolidatedMetadata> merged = MakeMerged(with_root);
  PutAll(*merged);
  if (documents_ && documents_ != merged) Adopt(*merged);
}

std::shared_ptr<ConsolidatedMetadata> ConsolidatedFile::MakeMerged(bool with_root) {
  StoredConsolidated stored;
  if (MayBeShared()) stored = ReadStored();
  if (stored.documents) {
    RefreshUnsaved(with_root ? JsonNode() : stored.root, stored.documents.get());
    unsaved_.ApplyTo(stored.documents.get());
    return stored.documents;
  }
  // Other processes may have changed nodes that this hierarchy has created: the store, which has all changes, is then
  // read.
  const bool may_differ = !parts_.documents.waiting().deferring() || HasConditions(parts_.store);
  const bool is_shared = MayBeShared() && (may_differ || !KnowsAllIn(""));
  auto documents = is_shared || !documents_ ? std::make_shared<ConsolidatedMetadata>() : documents_;
  if (documents != documents_) {
    if (!parts_.making.made_in_empty_place()) parts_.documents.DropKept();
    Collect("", documents.get());
    if (HasConditions(parts_.store)) {
      // What is known of them in memory may be older.
      RefreshUnsaved(with_root ? JsonNode() : stored.root, nullptr);
      unsaved_.ApplyTo(documents.get());
    }
  }
  if (!stored.root.IsNull() && !with_root) documents->Set(parts_.root.format->consolidated_key(), stored.root);
  return documents;
}

bool ConsolidatedFile::KnowsAllIn(std::string_view group) const {
  if (!documents_ || parts_.documents.waiting().IsRefused("")) return false;
  if (IsOnNetwork()) return true;  // each lookup is a request
  const std::vector<std::string> known = documents_->GetChildren(group);
  const auto names = parts_.documents.ListNames(*parts_.root.format, group);
  if (names && !std::ranges::all_of(*names, [&](const std::string& name) {
        return std::ranges::binary_search(known, name) || !parts_.nodes.Probe(JoinKey(group, name));
      }))
    return false;
  return std::ranges::all_of(known, [&](const std::string& name) {
    const std::string path = JoinKey(group, name);
    const auto document = documents_->Find(JoinKey(path, kV3Document));
    const bool is_array = document ? GetNodeTypeV3(*document) == "array" : documents_->Has(JoinKey(path, kV2Array));
    return is_array || KnowsAllIn(path);
  });
}

bool ConsolidatedFile::IsOnlyChangedHere(const std::string& key, const ConsolidatedMetadata* stored) const {
  const auto base = bases_.find(key);
  return stored && base != bases_.end() && stored->Find(key) == base->second;
}

void ConsolidatedFile::RefreshUnsaved(const JsonNode& root, const ConsolidatedMetadata* stored) {
  // In a remote store each lookup is a request, and without conditions nothing excludes other processes anyway.
  const WaitingDocuments& waiting = parts_.documents.waiting();
  const bool is_safe = IsOnNetwork() ? HasConditions(parts_.store) : !waiting.deferring() || waiting.IsRefused("");
  if (!is_safe || !MayBeShared()) return;
  const std::map<std::string, std::optional<JsonNode>> documents = unsaved_.documents();
  for (const auto& [key, document] : documents) {
    if (key == parts_.root.format->consolidated_key()) {
      if (!root.IsNull()) unsaved_.Set(key, root);
      continue;
    }
    if (IsOnNetwork() && !waiting.IsRefused("") && IsOnlyChangedHere(key, stored)) continue;
    const auto now =
        ReadDocument(parts_.store, key, GetLimit(Limit::kDocument), &parts_.documents.parsed(), Freshness::kNow);
    if (now) {
      unsaved_.Set(key, now->content);
    } else if (document && IsGone(std::string(SplitKey(key).first))) {
      unsaved_.Set(key, std::nullopt);
    }
  }
}

bool ConsolidatedFile::IsGone(const std::string& path) const {
  return std::ranges::none_of(
      kNodeDocuments, [&](std::string_view name) { return parts_.store.Exists(JoinKey(path, name), Freshness::kNow); });
}

void ConsolidatedFile::KeepAttributes(const ConsolidatedMetadata& listed, ConsolidatedMetadata* documents,
                                      std::optional<std::string_view> but) const {
  const auto unsaved = unsaved_.documents();
  for (const std::string& key : listed.GetKeys()) {
    const auto [path, name] = SplitKey(key);
    if (name != kV2Attributes || documents->Has(key) || unsaved.contains(key) || path == but) continue;
    for (const std::string_view other : {kV2Array, kV2Group}) {
      const std::string node = JoinKey(path, other);
      const auto now = documents->Find(node);
      const auto then = listed.Find(node);
      if (!now || !then) continue;
      // Those of an array that others have replaced are not the new one's.
      const bool is_alike = unsaved.contains(node) || FindMember(*now, "shape") == FindMember(*then, "shape");
      if (is_alike) documents->Set(key, *listed.Find(key));
    }
  }
}

void ConsolidatedFile::Adopt(const ConsolidatedMetadata& merged) {
  for (const std::string& key : merged.GetKeys()) {
    if (!documents_->Has(key)) documents_->Set(key, *merged.Find(key));
  }
  for (const std::string& key : documents_->GetKeys()) {
    if (!merged.Has(key)) documents_->Erase(key);
  }
}

void ConsolidatedFile::PutAll(const ConsolidatedMetadata& documents) {
  const std::string_view key = parts_.root.format->consolidated_key();
  const auto root = documents.Find(key);
  const std::string text =
      DumpDocument(key, parts_.root.format->MakeConsolidated(documents, root.value_or(JsonNode())));
  if (!IsFirst()) {
    parts_.store.Set(key, AsBytes(text));
  } else if (!parts_.store.WriteIfSame(key, AsBytes(text), nullptr)) {
    throw Error(ErrorKind::kInvalidArgument, parts_.store.name(), std::string(key), "",
                "there is a Zarr store already");
  }
  parts_.documents.waiting().Settle(std::string(key));
  unsaved_.Clear();
  bases_.clear();
  is_changed_ = false;
  is_put_ = true;
  parts_.root.holds_consolidated = key == parts_.root.format->root_document();
}

void ConsolidatedFile::CheckRootIsThere() const {
  // In a remote store a lookup costs a request. A copy may still have the root in memory.
  if (IsOnNetwork() || parts_.root.is_implied || parts_.documents.waiting().deferring()) return;
  const auto is_there = [&](std::string_view name) { return parts_.store.Exists(name, Freshness::kNow); };
  if (std::ranges::any_of(parts_.root.format->node_documents(), is_there) ||
      is_there(parts_.root.format->consolidated_key()))
    return;
  throw Error(ErrorKind::kIo, parts_.store.name(), "", "", "the store is not there any more");
}

void ConsolidatedFile::SaveInStep(std::string_view path, bool is_there) {
  if (!parts_.root.format->has_groups()) return;
  if (parts_.nodes.consolidated()) return Merge();
  RepeatWhileOutrun([&] { SaveInStepOnce(path, is_there); });
}

void ConsolidatedFile::SaveInStepOnce(std::string_view path, bool is_there) {
  const auto locked = LockRoot();
  StoredConsolidated stored = ReadStored();
  if (!stored.documents) return;
  ConsolidatedMetadata wanted;
  if (is_there) CollectStored(path, &wanted);
  if (is_there) KeepAttributes(*stored.documents, &wanted);
  // Writes only if the two differ: when a change is undone, the store may reject all writes.
  if (Replace(path, wanted, stored.documents.get())) PutStored(stored);
}

void ConsolidatedFile::SaveChangedElsewhere(const std::vector<std::string>& paths) {
  if (parts_.root.format->has_groups()) RepeatWhileOutrun([&] { SaveChangedElsewhereOnce(paths); });
}

void ConsolidatedFile::SaveChangedElsewhereOnce(const std::vector<std::string>& paths) {
  const auto locked = LockRoot();
  const StoredConsolidated stored = ReadStored();
  if (!stored.documents) return;
  bool is_changed = false;
  for (const std::string& path : paths) {
    ConsolidatedMetadata wanted;
    CollectStored(path, &wanted);
    // Those of the node itself may have been removed on purpose.
    KeepAttributes(*stored.documents, &wanted, path);
    is_changed |= Replace(path, wanted, stored.documents.get());
  }
  if (is_changed) PutStored(stored);
}

void ConsolidatedFile::CollectStored(std::string_view path, ConsolidatedMetadata* documents) const {
  if (HasConditions(parts_.store))
    parts_.documents.Refresh(path, parts_.root.GetFormat(parts_.documents, path).node_documents());
  Collect(path, documents);
}

bool ConsolidatedFile::Replace(std::string_view path, const ConsolidatedMetadata& wanted,
                               ConsolidatedMetadata* stored) {
  if (SayTheSameBelow(*stored, wanted, path)) return false;
  stored->EraseNode(path);
  for (const std::string& key : wanted.GetKeys()) stored->Set(key, *wanted.Find(key));
  return true;
}

void ConsolidatedFile::PutStored(const StoredConsolidated& stored) {
  const std::string_view key = parts_.root.format->consolidated_key();
  parts_.store.Set(key,
                   AsBytes(DumpDocument(key, parts_.root.format->MakeConsolidated(*stored.documents, stored.root))));
}

StoredConsolidated ConsolidatedFile::ReadStored() const {
  const std::string_view key = parts_.root.format->consolidated_key();
  return ReadUnbroken(parts_.store, key, [&]() -> StoredConsolidated {
    Bytes text;
    if (!parts_.store.Get(key, &text, nullptr, GetLimit(Limit::kText), Freshness::kNow)) return {};
    return parts_.root.format->ParseConsolidated(std::move(text), parts_.store.name(), key);
  });
}

std::vector<MetadataDocument> ConsolidatedFile::Find(std::string_view path) const {
  std::vector<MetadataDocument> found;
  if (!documents_) return found;
  for (const std::string& key : documents_->GetKeys()) {
    if (key.starts_with(std::string(path) + "/")) found.push_back({key, *documents_->Find(key)});
  }
  if (!found.empty()) return found;
  for (auto& [key, document] : NodeTree::Read(parts_.store, path).GetDocuments())
    found.push_back({key, std::move(document)});
  return found;
}

void ConsolidatedFile::Take(std::string_view path) {
  ForgetNode(path);
  is_changed_ = true;
  SaveInStep(path, false);
}

void ConsolidatedFile::Put(const std::vector<MetadataDocument>& taken, std::string_view from, std::string_view to) {
  for (const MetadataDocument& document : taken) {
    Note(std::string(to) + document.name.substr(from.size()), document.content);
  }
  is_changed_ = true;
  SaveInStep(to, true);
}

void ConsolidatedFile::Restate(const std::vector<MetadataDocument>& taken, std::string_view from,
                               std::span<const std::string_view> paths) {
  try {
    for (const std::string_view path : paths) {
      for (const MetadataDocument& document : taken) {
        const std::string key = std::string(path) + document.name.substr(from.size());
        if (parts_.store.Exists(key, Freshness::kNow)) Note(key, document.content);
      }
      SaveInStep(path, true);
    }
  } catch (const std::exception&) {
    DropIfPossible();
  }
}

void ConsolidatedFile::Collect(std::string_view path, ConsolidatedMetadata* documents) const {
  CollectDocuments(parts_.nodes, parts_.documents, *parts_.root.format, path, documents);
}

bool IsListed(const Store& store, const NodeFormat& format, const std::string& key) {
  const std::string_view consolidated = format.consolidated_key();
  if (consolidated.empty() || consolidated == format.root_document()) return false;
  const auto text = store.GetText(consolidated, GetLimit(Limit::kText), Freshness::kNow);
  return text && text->find('"' + key + '"') != std::string::npos;
}

}  // namespace zarr
