// SPDX-License-Identifier: MIT
#include <algorithm>
#include <exception>
#include <utility>

#include "zarrlib/hierarchy/consolidated_changes.h"
#include "zarrlib/hierarchy/formats/node_formats.h"
#include "zarrlib/hierarchy/formats/node_formats_of_versions.h"
#include "zarrlib/hierarchy/hierarchy.h"
#include "zarrlib/hierarchy/nczarr.h"
#include "zarrlib/hierarchy/node_documents.h"
#include "zarrlib/hierarchy/removal/node_removal.h"
#include "zarrlib/hierarchy/waiting_attributes.h"
#include "zarrlib/json/json_edit.h"
#include "zarrlib/metadata/consolidated.h"
#include "zarrlib/metadata/document_names.h"
#include "zarrlib/metadata/node_path.h"
#include "zarrlib/store/store_folders.h"

namespace zarr {
namespace {

JsonNode ObjectOr(const JsonNode& attributes) {
  if (attributes.IsNull()) return JsonNode::MakeObject({});
  if (!attributes.IsObject()) attributes.FailExpected("an object");
  return attributes;
}

/// Throws for changes after which the array could not be opened.
void CheckCanBeRead(const Store& store, std::string_view path, const ArrayMetadata& changed,
                    const std::vector<DocumentChange>& changes) {
  for (const DocumentChange& change : changes) {
    if (!change.content || change.name != GetArrayDocumentName(changed.zarr_format)) continue;
    const std::string key = JoinKey(path, change.name);
    const std::string text = DumpDocument(change.name, *change.content);
    ParseArray(JsonNode::Parse(text, store.name(), key), changed.zarr_format);
  }
}

ArrayMetadata MakeChanged(ArrayMetadata stored, const ArrayMetadata& before, const ArrayMetadata& after,
                          const Store& store) {
  if (!(after.shape == before.shape)) {
    if (!(stored.shape == before.shape)) {
      throw Error(ErrorKind::kInvalidArgument, store.name(), stored.document.key(), "/shape",
                  FormatExpectedGot(ToString(before.shape) + ", as when it was opened", ToString(stored.shape)));
    }
    stored.shape = after.shape;
    stored.chunk_grid = after.chunk_grid;
  }
  if (!(after.fill_value == before.fill_value)) stored.fill_value = after.fill_value;
  if (after.dimension_names != before.dimension_names) stored.dimension_names = after.dimension_names;
  stored.attributes =
      ApplyDifference(ObjectOr(stored.attributes), ObjectOr(before.attributes), ObjectOr(after.attributes));
  return stored;
}

/// Throws Error(read_only) for an array that is only read.
void CheckChangeable(const ArrayMetadata& metadata) {
  if (!metadata.read_only.empty()) metadata.document.Fail(ErrorKind::kReadOnly, metadata.read_only);
}

}  // namespace

// --- making ------------------------------------------------------------------------------------------------------

std::shared_ptr<Hierarchy> Hierarchy::MakeNew(std::shared_ptr<Store> store, ZarrFormat format,
                                              const HierarchyOptions& options) {
  FinishRemovals(*store);
  // On a network one listing may tell that there is none of them.
  if (store->info().is_on_network()) store->List("");
  for (const std::string_view name : kRootDocuments) {
    if (!store->Exists(name)) continue;
    throw Error(ErrorKind::kInvalidArgument, store->name(), std::string(name), "", "there is a Zarr store already");
  }
  CheckNothingAt(*store, "");
  const auto hierarchy = Make(std::move(store), options);
  hierarchy->made_in_empty_place_ = hierarchy->store_->info().lists;
  hierarchy->made_at_ = std::chrono::steady_clock::now();
  hierarchy->SetFormat(GetNodeFormat(format));
  hierarchy->CheckWritable();
  if (hierarchy->IsOnNetwork() && options.may_wait) hierarchy->documents_->Defer();
  return hierarchy;
}

std::shared_ptr<Hierarchy> Hierarchy::Create(std::shared_ptr<Store> store, ZarrFormat format,
                                             const JsonNode& root_attributes, const HierarchyOptions& options) {
  const GroupMetadata group{format, ObjectOr(root_attributes), std::nullopt};
  const std::vector<MetadataDocument> documents = MakeDocuments(group);
  auto hierarchy = MakeNew(std::move(store), format, options);
  hierarchy->all_documents_ = std::make_shared<ConsolidatedMetadata>();
  // A store that cannot list its nodes later has to remember them.
  if (!hierarchy->store_->info().lists) hierarchy->documents_->SetConsolidated(hierarchy->all_documents_);
  hierarchy->PutDocuments("", documents);
  return hierarchy;
}

std::shared_ptr<Hierarchy> Hierarchy::CreateRootArray(std::shared_ptr<Store> store, const ArrayMetadata& root,
                                                      const HierarchyOptions& options) {
  const std::vector<MetadataDocument> documents = MakeDocuments(root);
  auto hierarchy = MakeNew(std::move(store), root.zarr_format, options);
  hierarchy->PutDocuments("", documents);
  try {
    hierarchy->Reopen("");
  } catch (...) {
    hierarchy->TakeBackDocuments("", documents);
    throw;
  }
  return hierarchy;
}

void Hierarchy::CreateGroup(std::string_view path, const JsonNode& attributes) {
  const std::lock_guard lock(change_mutex_);
  CheckWritable();
  CheckNew(path);
  WarnOfReserved(path);
  const auto documents = MakeDocuments(GroupMetadata{format(), ObjectOr(attributes), std::nullopt});
  PutDocuments(path, documents);
  try {
    NoteCreated(path);
    without_own_.insert(std::string(path));
  } catch (...) {
    ForgetCreated(path);
    TakeBackDocuments(path, documents);
    throw;
  }
}

std::shared_ptr<const Array> Hierarchy::CreateArray(std::string_view path, const ArrayMetadata& metadata) {
  const std::lock_guard lock(change_mutex_);
  CheckWritable();
  CheckNew(path);
  WarnOfReserved(path);
  if (metadata.zarr_format != format()) {
    throw Error(ErrorKind::kInvalidArgument, store_->name(), std::string(path), "",
                "the array is not of the format of the store");
  }
  const std::vector<MetadataDocument> documents = MakeDocuments(metadata);
  PutDocuments(path, documents);
  try {
    NoteCreated(path);
    return Reopen(path);
  } catch (...) {
    ForgetCreated(path);
    TakeBackDocuments(path, documents);
    ForgetArrays(path);
    throw;
  }
}

void Hierarchy::NoteCreated(std::string_view path) {
  const std::lock_guard lock(mutex_);
  created_.emplace_back(path);
  created_names_.emplace(path);
}

void Hierarchy::ForgetCreated(std::string_view path) {
  const std::lock_guard lock(mutex_);
  if (created_names_.erase(std::string(path)) > 0) std::erase(created_, path);
}

bool Hierarchy::IsOnNetwork() const {
  return store_->info().is_on_network();
}

bool Hierarchy::IsAlone() const {
  return IsOnNetwork() && made_in_empty_place_ && std::chrono::steady_clock::now() - made_at_ < options_.alone_for;
}

bool Hierarchy::HasMade(std::string_view path) const {
  const std::lock_guard lock(mutex_);
  return created_names_.contains(std::string(path));
}

bool Hierarchy::IsBeingMade(std::string_view path) const {
  if (!documents_->deferring()) return false;
  const std::lock_guard lock(mutex_);
  return made_in_empty_place_ || created_names_.contains(std::string(path));
}

std::vector<std::string> Hierarchy::CreatedNodes() const {
  std::vector<std::string> nodes;
  {
    const std::lock_guard lock(mutex_);
    nodes = created_;
  }
  std::erase_if(nodes, [this](const std::string& path) { return !Probe(path); });
  return nodes;
}

std::optional<std::vector<std::string>> Hierarchy::CreatedSince(std::size_t count) const {
  const std::lock_guard lock(mutex_);
  if (created_.size() < count) return std::nullopt;
  return std::vector<std::string>(created_.begin() + static_cast<std::ptrdiff_t>(count), created_.end());
}

void Hierarchy::CheckWritable() const {
  if (!store_->info().writes) {
    throw Error(ErrorKind::kReadOnly, store_->name(), "", "", "the store takes no writes");
  }
  const std::string_view reason = format_->read_only();
  if (!reason.empty()) throw Error(ErrorKind::kReadOnly, store_->name(), "", "", std::string(reason));
}

void Hierarchy::CheckNew(std::string_view path) const {
  CheckKey(path);
  const auto fail = [&](std::string message) {
    throw Error(ErrorKind::kInvalidArgument, store_->name(), std::string(path), "", std::move(message));
  };
  if (!IsNewNodeName(NodeName(path)) || NodeName(path).starts_with(kTemporaryPrefix)) fail("this is no name of a node");
  if (Probe(ParentPath(path)) != NodeKind::kGroup) fail("expected a group to put it into, got none");
  const bool is_free = IsFree(path);
  if (!is_free && Probe(path)) fail("there is a node already");
  CheckFormat(ParentPath(path));
  CheckLists(ParentPath(path));
  if (!is_free && !IsAlone()) CheckNothingAt(*store_, path);
}

void Hierarchy::WarnOfReserved(std::string_view path) {
  if (!IsReservedNodeName(NodeName(path)) || format_->version() != ZarrFormat::kV3 || !options_.warn) return;
  if (std::exchange(warned_of_reserved_, true)) return;
  const Error reserved(
      ErrorKind::kInvalidArgument, store_->name(), std::string(path), "",
      "Zarr v3 reserves names of nodes that begin with \"__\"; zarr-python reads them, others may not");
  options_.warn({ArrayWarning::Kind::kTolerated, reserved.what()});
}

void Hierarchy::CheckLists(std::string_view group) const {
  if (!made_in_empty_place_) CheckNoNczarrLists(*documents_, GetFormat(group).version(), group);
}

void Hierarchy::CheckFormat(std::string_view path) const {
  CheckFormat(path, GetFormat(path));
}

void Hierarchy::CheckFormat(std::string_view path, const NodeFormat& format) const {
  const bool waits = made_in_empty_place_ && documents_->deferring() && !IsOnNetwork();
  if (!waits && !IsAlone()) CheckOneFormat(*store_, path, format.version());
}

// --- changing ----------------------------------------------------------------------------------------------------

const NodeFormat& Hierarchy::GetFormat(std::string_view path) const {
  for (const NodeFormat* format : formats_) {
    if (format->FindKind(*documents_, path)) return *format;
  }
  return *format_;
}

void Hierarchy::SetAttributes(std::string_view path, const JsonNode& attributes) {
  EditAttributes(path, [&](const JsonNode&) { return attributes; });
}

void Hierarchy::EditAttributes(std::string_view path, const std::function<JsonNode(const JsonNode& stored)>& change) {
  const std::lock_guard lock(change_mutex_);
  EditStored(path, change);
}

Hierarchy::FoundNode Hierarchy::FindChangeable(std::string_view path) const {
  CheckWritable();
  for (const NodeFormat* format : formats_) {
    if (const auto kind = format->FindKind(*documents_, path)) return {*kind, format};
  }
  const auto kind = Probe(path);
  if (!kind) throw Error(ErrorKind::kNotFound, store_->name(), std::string(path), "", "expected a node, got none");
  return {*kind, format_};
}

void Hierarchy::EditStored(std::string_view path, const std::function<JsonNode(const JsonNode& stored)>& change) {
  const FoundNode node = FindChangeable(path);
  DropOwnConsolidated(path);
  const auto locked = LockAndRefresh(path, *node.format);
  CheckFormat(path, *node.format);
  EditLocked(path, change);
}

void Hierarchy::EditLocked(std::string_view path, const std::function<JsonNode(const JsonNode& stored)>& change) {
  const FoundNode node = FindChangeable(path);
  if (node.kind == NodeKind::kGroup) {
    const JsonNode stored = ObjectOr(ReadGroup(path).attributes);
    const JsonNode attributes = ObjectOr(change(waiting_attributes_->ApplyTo(path, stored)));
    if (AreWrittenAlike(attributes, stored)) {
      NoteIfOutOfStep(path);
    } else {
      ApplyChanges(path, node.format->ChangeGroupAttributes(*documents_, path, attributes));
    }
  } else {
    auto metadata = FindStoredArray(path);
    if (!metadata) FailMissing(path, "an array");
    CheckChangeable(*metadata);
    const JsonNode stored = ObjectOr(metadata->attributes);
    metadata->attributes = ObjectOr(change(waiting_attributes_->ApplyTo(path, stored)));
    if (AreWrittenAlike(metadata->attributes, stored)) {
      DropSnapshot(std::string(path));
      NoteIfOutOfStep(path);
    } else {
      ChangeSnapshot(path, [&] { ApplyChanges(path, node.format->ChangeArrayAttributes(*metadata)); });
    }
  }
  waiting_attributes_->Drop(path);
}

void Hierarchy::ChangeAttributesLater(std::string_view path, const std::function<void(JsonChanges& changes)>& add) {
  const std::lock_guard lock(change_mutex_);
  if (!waiting_attributes_->Has(path) && !HasMade(path)) {
    const FoundNode node = FindChangeable(path);
    CheckFormat(path, *node.format);
    if (node.kind == NodeKind::kArray) CheckChangeable(OpenArray(path)->metadata());
  }
  const auto get_known = [&] {
    return HasOpened(path) || Probe(path) == NodeKind::kArray ? OpenArray(path)->metadata().attributes
                                                              : OpenGroup(path).attributes;
  };
  waiting_attributes_->Add(path, get_known, add);
  DropSnapshot(std::string(path));
}

void Hierarchy::PutAttributes() {
  const std::lock_guard lock(change_mutex_);
  ForWaiting([this](const std::string& path) { EditStored(path, std::identity()); });
}

void Hierarchy::PutMade() {
  const std::unique_lock lock(change_mutex_, std::try_to_lock);
  if (!lock) return;
  ForWaiting([this](const std::string& path) {
    if (IsBeingMade(path)) EditLocked(path, std::identity());  // in memory, where nobody else changes it
  });
  documents_->Commit();
}

void Hierarchy::ForWaiting(const std::function<void(const std::string& path)>& put) {
  std::exception_ptr first;
  for (const std::string& path : waiting_attributes_->GetPaths()) {
    try {
      put(path);
    } catch (...) {
      if (!first) first = std::current_exception();
    }
  }
  if (first) std::rethrow_exception(first);
}

void Hierarchy::DropSnapshot(const std::string& path) {
  const std::lock_guard lock(mutex_);
  arrays_.erase(path);
}

void Hierarchy::ChangeSnapshot(std::string_view path, const std::function<void()>& change) {
  const std::string name(path);
  try {
    change();
  } catch (...) {
    // The change may have been stored all the same, or in part.
    DropSnapshot(name);
    ForgetCachedArrays(*store_, name);
    throw;
  }
  DropSnapshot(name);
}

std::shared_ptr<const Array> Hierarchy::OpenPresentArray(std::string_view path) {
  const std::lock_guard lock(change_mutex_);
  if (!IsBeingMade(path)) documents_->Refresh(path, GetFormat(path).node_documents());
  return Reopen(path);
}

std::shared_ptr<const Array> Hierarchy::UpdateArray(std::string_view path, const ArrayMetadata& metadata) {
  return UpdateArray(path, OpenPresentArray(path)->metadata(), metadata);
}

std::shared_ptr<const Array> Hierarchy::UpdateArray(std::string_view path, const ArrayMetadata& before,
                                                    const ArrayMetadata& after) {
  const std::lock_guard lock(change_mutex_);
  CheckWritable();
  // What could not be read of either would pass for a change.
  for (const ArrayMetadata* metadata : {&before, &after}) CheckChangeable(*metadata);
  if (after.zarr_format != before.zarr_format) {
    throw Error(ErrorKind::kInvalidArgument, store_->name(), std::string(path), "",
                "an array's format is not changed by an update");
  }
  DropOwnConsolidated(path);
  ChangeSnapshot(path, [&] {
    if (ChangeStoredArray(path, before, after)) SaveInStep(path, true);
  });
  return OpenArray(path);
}

bool Hierarchy::ChangeStoredArray(std::string_view path, const ArrayMetadata& before, const ArrayMetadata& after) {
  const auto locked = LockAndRefresh(path, GetFormat(path));
  const ArrayMetadata stored = ReadArrayMetadata(path);
  CheckChangeable(stored);
  CheckFormat(path);
  const ArrayMetadata changed = MakeChanged(stored, before, after, *store_);
  const bool is_resized = !(changed.shape == stored.shape);
  if (is_resized || changed.dimension_names != stored.dimension_names) CheckLists(ParentPath(path));
  const NodeFormat& format = GetNodeFormat(changed.zarr_format);
  const auto changes = format.ChangeArray(*documents_, path, changed);
  // A document that says the same in other words is not put: only a change is worth a file of another writer.
  if (changes != format.ChangeArray(*documents_, path, stored)) {
    CheckCanBeRead(*store_, path, changed, changes);
    ApplyChanges(path, changes);
    waiting_attributes_->Drop(path);  // `stored` has them
  } else {
    NoteIfOutOfStep(path);
  }
  if (!HaveSameContent(stored, ReadArrayMetadata(path))) ForgetCachedArrays(*store_, path);
  return is_resized;
}

void Hierarchy::PutDocuments(std::string_view path, const std::vector<MetadataDocument>& documents) {
  DropOwnConsolidated(path);
  // The first document makes the node one: of several processes that make it at once, one succeeds. On a network none
  // keeps others out, so that they may as well wait.
  PutFirst(path, documents.front());
  try {
    for (std::size_t i = 1; i < documents.size(); ++i) {
      PutDocument(path, documents[i].name, documents[i].content, IsOnNetwork());
    }
  } catch (...) {
    TakeBackDocuments(path, documents);
    throw;
  }
}

/// The error of the change is the one to be told.
void Hierarchy::TakeBackDocuments(std::string_view path, const std::vector<MetadataDocument>& documents) {
  const auto is_one = [&](std::string_view key) {
    return std::ranges::any_of(documents, [&](const auto& document) { return key == JoinKey(path, document.name); });
  };
  try {
    for (const MetadataDocument& document : documents) Note(JoinKey(path, document.name), std::nullopt);
    documents_->Forget(path);
    // Also removes the folder, which would be in the way of another attempt.
    EraseChosen(*store_, path.empty() ? std::string() : std::string(path) + "/",
                [&](std::string_view key, EntryKind) { return is_one(key) ? Choice::kErase : Choice::kKeep; });
  } catch (const std::exception&) {
    // The store takes no writes.
  }
}

void Hierarchy::PutFirst(std::string_view path, const MetadataDocument& document) {
  const std::string key = JoinKey(path, document.name);
  const std::string text = DumpDocument(document.name, document.content);
  // On a network a condition needs a further request, and does not keep others out.
  const bool is_near = store_->info().lists && !IsOnNetwork();
  if (!is_near) return PutDocument(path, document.name, document.content, IsOnNetwork());
  const JsonNode content = JsonNode::Parse(text, store_->name(), key);
  if (!store_->SetIfAbsent(key, AsBytes(text))) {
    throw Error(ErrorKind::kInvalidArgument, store_->name(), key, "", "there is a node already");
  }
  try {
    documents_->parsed().Keep(key, text, content);
    documents_->Adopt(path, document.name, content);
    Note(key, content);
  } catch (...) {
    TakeBackDocuments(path, {document});
    throw;
  }
}

void Hierarchy::Note(const std::string& key, const std::optional<JsonNode>& document) {
  if (all_documents_) document ? all_documents_->Set(key, *document) : all_documents_->Erase(key);
  unsaved_->Set(key, document);
  changed_ = true;
}

void Hierarchy::ApplyChanges(std::string_view path, const std::vector<DocumentChange>& changes) {
  for (const DocumentChange& change : changes) {
    if (change.content) {
      PutDocument(path, change.name, *change.content, IsBeingMade(path));
    } else {
      EraseDocument(path, change.name);
    }
  }
}

void Hierarchy::PutDocument(std::string_view path, std::string_view name, const JsonNode& content, bool may_wait) {
  const std::string key = JoinKey(path, name);
  const bool strips = !path.empty() && name == kV3Document;
  const std::string text = DumpDocument(name, strips ? WithoutConsolidated(content) : content);
  // A root's document that holds the consolidated metadata is put with them, lest they get lost.
  const bool holds_others = key == format_->root_document() && HasStoredConsolidated();
  // A document that waits has no place in the store yet, where another state of it is.
  const bool waits = may_wait && !holds_others && documents_->deferring();
  const JsonNode document = JsonNode::Parse(text, store_->name(), waits ? "" : key);
  if (!holds_others) may_wait ? documents_->PutOrDefer(key, document, text) : documents_->Put(key, document, text);
  Note(key, document);
  if (holds_others) {
    SaveConsolidated(true);
    changed_ = !all_documents_;  // those that are not in use are made anew by `WriteConsolidated`
  }
  if (key == format_->root_document()) documents_->SetRoot(name, document);
}

void Hierarchy::EraseDocument(std::string_view path, std::string_view name) {
  const std::string key = JoinKey(path, name);
  documents_->Erase(key, IsBeingMade(path));
  Note(key, std::nullopt);
}

std::shared_ptr<const Array> Hierarchy::Reopen(std::string_view path) {
  DropSnapshot(std::string(path));
  return OpenArray(path);
}

}  // namespace zarr
