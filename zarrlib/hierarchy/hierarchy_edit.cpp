// SPDX-License-Identifier: MIT
#include <algorithm>
#include <utility>

#include "zarrlib/hierarchy/hierarchy.h"
#include "zarrlib/hierarchy/node_documents.h"
#include "zarrlib/hierarchy/node_format.h"
#include "zarrlib/hierarchy/node_formats.h"
#include "zarrlib/hierarchy/node_removal.h"
#include "zarrlib/metadata/consolidated.h"
#include "zarrlib/metadata/document_names.h"
#include "zarrlib/metadata/node_path.h"

namespace zarr {
namespace {

JsonNode ObjectOr(const JsonNode& attributes) {
  if (attributes.IsNull()) return JsonNode::MakeObject({});
  if (!attributes.IsObject()) attributes.FailExpected("an object");
  return attributes;
}

/// Whether the first has those documents of the second, all of which are at or below a path, and no others there.
bool SayTheSameBelow(const ConsolidatedMetadata& first, const ConsolidatedMetadata& second, std::string_view path) {
  std::vector<std::string> keys = first.GetKeys();
  std::erase_if(keys, [&](const std::string& key) { return !key.starts_with(std::string(path) + "/"); });
  return keys == second.GetKeys() && std::all_of(keys.begin(), keys.end(), [&](const std::string& key) {
           return first.Find(key) == second.Find(key);
         });
}

}  // namespace

// --- making ------------------------------------------------------------------------------------------------------

std::shared_ptr<Hierarchy> Hierarchy::MakeNew(std::shared_ptr<Store> store, ZarrFormat format,
                                              const HierarchyOptions& options) {
  FinishRemovals(*store);
  for (const std::string_view name : kRootDocuments) {
    if (!store->Exists(name)) continue;
    throw Error(ErrorKind::kInvalidArgument, store->name(), std::string(name), "", "there is a Zarr store already");
  }
  CheckNothingAt(*store, "");
  std::shared_ptr<Hierarchy> hierarchy(new Hierarchy(std::move(store), options));
  hierarchy->made_in_empty_place_ = hierarchy->store_->capabilities().list;
  hierarchy->SetFormat(NodeFormat::Get(format));
  hierarchy->CheckWritable();
  return hierarchy;
}

std::shared_ptr<Hierarchy> Hierarchy::Create(std::shared_ptr<Store> store, ZarrFormat format,
                                             const JsonNode& root_attributes, const HierarchyOptions& options) {
  const GroupMetadata group{format, ObjectOr(root_attributes), std::nullopt};
  const std::vector<MetadataDocument> documents = MakeDocuments(group);
  auto hierarchy = MakeNew(std::move(store), format, options);
  hierarchy->all_documents_ = std::make_shared<ConsolidatedMetadata>();
  // A store that cannot list its nodes later has to remember them.
  if (!hierarchy->store_->capabilities().list) hierarchy->documents_->SetConsolidated(hierarchy->all_documents_);
  hierarchy->PutDocuments("", documents);
  return hierarchy;
}

std::shared_ptr<Hierarchy> Hierarchy::CreateRootArray(std::shared_ptr<Store> store, const ArrayMetadata& root,
                                                      const HierarchyOptions& options) {
  const std::vector<MetadataDocument> documents = MakeDocuments(root);
  auto hierarchy = MakeNew(std::move(store), root.zarr_format, options);
  hierarchy->PutDocuments("", documents);
  hierarchy->Reopen("");
  return hierarchy;
}

void Hierarchy::CreateGroup(std::string_view path, const JsonNode& attributes) {
  const std::lock_guard lock(change_mutex_);
  CheckWritable();
  CheckNew(path);
  PutDocuments(path, MakeDocuments(GroupMetadata{format(), ObjectOr(attributes), std::nullopt}));
  without_own_.insert(std::string(path));
  NoteCreated(path);
}

std::shared_ptr<const Array> Hierarchy::CreateArray(std::string_view path, const ArrayMetadata& metadata) {
  const std::lock_guard lock(change_mutex_);
  CheckWritable();
  CheckNew(path);
  if (metadata.zarr_format != format()) {
    throw Error(ErrorKind::kInvalidArgument, store_->name(), std::string(path), "",
                "the array is not of the format of the store");
  }
  const std::vector<MetadataDocument> documents = MakeDocuments(metadata);
  PutDocuments(path, documents);
  NoteCreated(path);
  return Reopen(path);
}

void Hierarchy::NoteCreated(std::string_view path) {
  const std::lock_guard lock(mutex_);
  created_.emplace_back(path);
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

void Hierarchy::CheckWritable() const {
  if (store_->capabilities().write) return;
  throw Error(ErrorKind::kReadOnly, store_->name(), "", "", "the store takes no writes");
}

void Hierarchy::CheckNew(std::string_view path) const {
  CheckKey(path);
  const auto fail = [&](std::string message) {
    throw Error(ErrorKind::kInvalidArgument, store_->name(), std::string(path), "", std::move(message));
  };
  if (!IsNewNodeName(NodeName(path)) || NodeName(path).starts_with(kTemporaryPrefix)) fail("this is no name of a node");
  if (Probe(ParentPath(path)) != NodeKind::kGroup) fail("expected a group to put it into, got none");
  if (Probe(path)) fail("there is a node already");
  CheckFormat(ParentPath(path));
  // On a network looking costs a request for each node: nothing is where this has made all that there is.
  const bool costs_request = store_->capabilities().concurrency > 0;
  if (!(costs_request && made_in_empty_place_)) CheckNothingAt(*store_, path);
}

void Hierarchy::CheckFormat(std::string_view path) const {
  // On a network looking costs requests. A store that this has made has one format as long as nobody else changes it.
  const bool costs_requests = store_->capabilities().concurrency > 0;
  if (!((costs_requests || documents_->deferring()) && made_in_empty_place_)) {
    CheckOneFormat(*store_, path, GetFormat(path).version());
  }
}

// --- changing ----------------------------------------------------------------------------------------------------

const NodeFormat& Hierarchy::GetFormat(std::string_view path) const {
  for (const NodeFormat* format : formats_) {
    if (format->FindKind(*documents_, path)) return *format;
  }
  return *format_;
}

void Hierarchy::SetAttributes(std::string_view path, const JsonNode& attributes) {
  const std::lock_guard lock(change_mutex_);
  CheckWritable();
  const auto kind = Probe(path);
  if (!kind) throw Error(ErrorKind::kNotFound, store_->name(), std::string(path), "", "expected a node, got none");
  CheckFormat(path);
  const NodeFormat& format = GetFormat(path);
  const JsonNode object = ObjectOr(attributes);
  if (*kind == NodeKind::kGroup) return ApplyChanges(path, format.ChangeGroupAttributes(*documents_, path, object));
  ArrayMetadata metadata = ReadArrayMetadata(path);
  metadata.attributes = object;
  ApplyChanges(path, format.ChangeArrayAttributes(metadata));
  const std::lock_guard arrays_lock(mutex_);
  arrays_.erase(std::string(path));
}

std::shared_ptr<const Array> Hierarchy::UpdateArray(std::string_view path, const ArrayMetadata& metadata) {
  const std::lock_guard lock(change_mutex_);
  CheckWritable();
  const ArrayMetadata before = ReadArrayMetadata(path);
  CheckFormat(path);
  if (metadata.zarr_format != before.zarr_format) {
    throw Error(ErrorKind::kInvalidArgument, store_->name(), std::string(path), "",
                "an array's format is not changed by an update");
  }
  ApplyChanges(path, NodeFormat::Get(metadata.zarr_format).ChangeArray(*documents_, path, metadata));
  if (!Array::HaveSameContent(before, ReadArrayMetadata(path))) Array::ForgetCached(*store_, path);
  if (!(metadata.shape == before.shape)) SaveInStep(path, true);
  return Reopen(path);
}

void Hierarchy::PutDocuments(std::string_view path, const std::vector<MetadataDocument>& documents) {
  for (const MetadataDocument& document : documents) PutDocument(path, document.name, document.content, false);
}

void Hierarchy::ApplyChanges(std::string_view path, const std::vector<DocumentChange>& changes) {
  for (const DocumentChange& change : changes) {
    if (change.content) {
      PutDocument(path, change.name, *change.content, true);
    } else {
      EraseDocument(path, change.name);
    }
  }
}

void Hierarchy::PutDocument(std::string_view path, std::string_view name, const JsonNode& content, bool may_wait) {
  const std::string key = JoinKey(path, name);
  const bool strips = !path.empty() && name == kV3Document;
  const std::string text = DumpDocument(name, strips ? WithoutConsolidated(content) : content);
  DropOwnConsolidated(path);
  const JsonNode document = JsonNode::Parse(text, store_->name(), key);
  // A root's document that holds the consolidated metadata is put with them, lest they get lost.
  const bool holds_others = consolidated() && key == format_->root_document();
  if (!holds_others) may_wait ? documents_->PutOrDefer(key, document, text) : documents_->Put(key, document, text);
  if (all_documents_) all_documents_->Set(key, document);
  changed_ = true;
  if (holds_others) SaveConsolidated();
  if (key == format_->root_document()) documents_->SetRoot(name, document);
}

void Hierarchy::EraseDocument(std::string_view path, std::string_view name) {
  const std::string key = JoinKey(path, name);
  DropOwnConsolidated(path);
  documents_->Erase(key);
  if (all_documents_) all_documents_->Erase(key);
  changed_ = true;
}

std::shared_ptr<const Array> Hierarchy::Reopen(std::string_view path) {
  {
    const std::lock_guard lock(mutex_);
    arrays_.erase(std::string(path));
  }
  return OpenArray(path);
}

// --- consolidated metadata ---------------------------------------------------------------------------------------

void Hierarchy::SetConsolidate(bool consolidate) {
  const std::lock_guard lock(change_mutex_);
  consolidate_ = consolidate;
}

void Hierarchy::DeferChanges() {
  const std::lock_guard lock(change_mutex_);
  documents_->Defer();
}

void Hierarchy::EndDeferring() {
  const std::lock_guard lock(change_mutex_);
  documents_->EndDeferring();
}

void Hierarchy::WriteConsolidated() {
  const std::lock_guard lock(change_mutex_);
  documents_->Commit();
  if (!changed_ && (consolidated() || consolidated_stored_ || !consolidate_)) return;
  if (!consolidated() && !consolidate_ && !HasStoredConsolidated()) return;
  if (!all_documents_) {
    // A store that is an array, or has no document of its own, has none.
    if (!format_->has_groups() || implied_root_ || Probe("") != NodeKind::kGroup) return;
    auto documents = std::make_shared<ConsolidatedMetadata>();
    CollectDocuments("", documents.get());
    all_documents_ = std::move(documents);
  }
  SaveConsolidated();
}

void Hierarchy::DropOwnConsolidated(std::string_view path) {
  for (std::string_view group = ParentPath(path); !group.empty(); group = ParentPath(group)) {
    if (without_own_.emplace(group).second) format_->DropConsolidated(*store_, group);
  }
}

bool Hierarchy::HasStoredConsolidated() const {
  const std::string_view key = format_->consolidated_key();
  if (key.empty()) return false;
  if (key == format_->root_document()) return root_holds_consolidated_;
  return store_->Exists(key);
}

void Hierarchy::SaveConsolidated() {
  CheckWritable();
  const auto root = all_documents_->Find(format_->consolidated_key());
  PutConsolidated(*all_documents_, root ? *root : JsonNode());
  changed_ = false;
  consolidated_stored_ = true;
  root_holds_consolidated_ = format_->consolidated_key() == format_->root_document();
}

void Hierarchy::PutConsolidated(const ConsolidatedMetadata& documents, const JsonNode& root) {
  const std::string_view key = format_->consolidated_key();
  store_->Set(key, AsBytes(DumpDocument(key, format_->MakeConsolidated(documents, root))));
}

void Hierarchy::SaveInStep(std::string_view path, bool is_there) {
  if (!format_->has_groups()) return;
  if (consolidated()) return SaveConsolidated();
  StoredConsolidated stored = ReadStoredConsolidated();
  if (!stored.documents) return;
  ConsolidatedMetadata wanted;
  if (is_there) CollectDocuments(path, &wanted);
  // Nothing is put if the two are in step already: when a change is taken back, the store may take no writes at all.
  if (SayTheSameBelow(*stored.documents, wanted, path)) return;
  stored.documents->EraseNode(path);
  for (const std::string& key : wanted.GetKeys()) stored.documents->Set(key, *wanted.Find(key));
  PutConsolidated(*stored.documents, stored.root);
}

StoredConsolidated Hierarchy::ReadStoredConsolidated() const {
  const std::string_view key = format_->consolidated_key();
  Bytes text;
  if (!store_->Get(key, &text, nullptr, kMaxTextSize)) return {};
  return format_->ParseConsolidated(std::move(text), store_->name(), key);
}

std::vector<MetadataDocument> Hierarchy::TakeFromConsolidated(std::string_view path) {
  std::vector<MetadataDocument> taken;
  if (all_documents_) {
    for (const std::string& key : all_documents_->GetKeys()) {
      if (key.starts_with(std::string(path) + "/")) taken.push_back({key, *all_documents_->Find(key)});
    }
    all_documents_->EraseNode(path);
  }
  changed_ = true;
  SaveInStep(path, false);
  return taken;
}

void Hierarchy::PutIntoConsolidated(const std::vector<MetadataDocument>& taken, std::string_view from,
                                    std::string_view to) {
  for (const MetadataDocument& document : taken) {
    all_documents_->Set(std::string(to) + document.name.substr(from.size()), document.content);
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
