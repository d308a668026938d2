// SPDX-License-Identifier: MIT
#include "zarrlib/hierarchy/editable_hierarchy.h"

#include <mutex>
#include <set>
#include <utility>

#include "zarrlib/hierarchy/editing/consolidated_file.h"
#include "zarrlib/hierarchy/editing/documents_first.h"
#include "zarrlib/hierarchy/editing/edit_parts.h"
#include "zarrlib/hierarchy/editing/node_editor.h"
#include "zarrlib/hierarchy/editing/node_locks.h"
#include "zarrlib/hierarchy/editing/node_mover.h"
#include "zarrlib/hierarchy/editing/store_making.h"
#include "zarrlib/hierarchy/editing/waiting_attributes.h"
#include "zarrlib/hierarchy/editing/waiting_changes.h"
#include "zarrlib/hierarchy/formats/node_formats_of_versions.h"
#include "zarrlib/hierarchy/node_documents.h"
#include "zarrlib/hierarchy/open_arrays.h"
#include "zarrlib/hierarchy/removal/node_removal.h"
#include "zarrlib/hierarchy/store_root.h"
#include "zarrlib/metadata/consolidated.h"
#include "zarrlib/metadata/document_names.h"
#include "zarrlib/metadata/node_path.h"
#include "zarrlib/store/store_locks.h"

namespace zarr {

EditableHierarchy::EditableHierarchy(std::shared_ptr<Store> store, const HierarchyOptions& options)
    : Hierarchy(std::move(store), options),
      making_(std::make_unique<StoreMaking>(*store_, options.alone_for)),
      locks_(std::make_unique<NodeLocks>(*store_)),
      consolidated_(std::make_unique<ConsolidatedFile>(
          ConsolidatedFile::Parts{*this, *store_, *root_, *documents_, *locks_, *making_})),
      editor_(std::make_unique<NodeEditor>(MakeParts())),
      waiting_(std::make_unique<WaitingChanges>(*editor_, MakeParts())) {}

EditableHierarchy::~EditableHierarchy() = default;

EditParts EditableHierarchy::MakeParts() {
  return {*this,   *store_,  options_,      *root_, *documents_, *arrays_, *waiting_attributes_,
          *locks_, *making_, *consolidated_};
}

// --- making ------------------------------------------------------------------------------------------------------

std::shared_ptr<EditableHierarchy> EditableHierarchy::Make(std::shared_ptr<Store> store,
                                                           const HierarchyOptions& options) {
  if (!options.may_wait) return std::shared_ptr<EditableHierarchy>(new EditableHierarchy(std::move(store), options));
  const auto first = std::make_shared<DocumentsFirst>(std::move(store));
  std::shared_ptr<EditableHierarchy> hierarchy(new EditableHierarchy(first, options));
  first->SetPut([weak = std::weak_ptr<EditableHierarchy>(hierarchy)](std::string_view key) {
    const auto owner = weak.lock();
    if (owner && owner->waiting().HasAny()) owner->waiting().PutMade(key);
    if (owner) owner->documents_->waiting().CheckNotRefused(key);
  });
  return hierarchy;
}

std::shared_ptr<EditableHierarchy> EditableHierarchy::Open(std::shared_ptr<Store> store,
                                                           const HierarchyOptions& options) {
  auto hierarchy = Make(std::move(store), options);
  hierarchy->OpenRoot();
  hierarchy->consolidated_->SetDocuments(hierarchy->documents_->consolidated());
  return hierarchy;
}

std::shared_ptr<EditableHierarchy> EditableHierarchy::MakeNew(std::shared_ptr<Store> store, ZarrFormat format,
                                                              const HierarchyOptions& options) {
  FinishRemovals(*store);
  // In a remote store one listing may show that none of them exists.
  if (store->info().is_on_network()) store->List("");
  for (const std::string_view name : kRootDocuments) {
    if (!store->Exists(name)) continue;
    throw Error(ErrorKind::kInvalidArgument, store->name(), std::string(name), "", "there is a Zarr store already");
  }
  CheckNothingAt(*store, "");
  auto hierarchy = Make(std::move(store), options);
  hierarchy->making_->SetMadeStore();
  hierarchy->SetFormat(GetNodeFormat(format));
  hierarchy->CheckWritable();
  if (hierarchy->IsOnNetwork() && options.may_wait) hierarchy->documents_->waiting().Defer();
  return hierarchy;
}

std::shared_ptr<EditableHierarchy> EditableHierarchy::Create(std::shared_ptr<Store> store, ZarrFormat format,
                                                             const JsonNode& root_attributes,
                                                             const HierarchyOptions& options) {
  const GroupMetadata group{format, ObjectOr(root_attributes), std::nullopt};
  const std::vector<MetadataDocument> documents = MakeDocuments(group);
  auto hierarchy = MakeNew(std::move(store), format, options);
  auto all = std::make_shared<ConsolidatedMetadata>();
  // A store that cannot list has to record its nodes.
  if (!hierarchy->store_->info().lists) hierarchy->documents_->SetConsolidated(all);
  hierarchy->consolidated_->SetDocuments(std::move(all));
  hierarchy->editor_->PutDocuments("", documents);
  return hierarchy;
}

std::shared_ptr<EditableHierarchy> EditableHierarchy::CreateRootArray(std::shared_ptr<Store> store,
                                                                      const ArrayMetadata& root,
                                                                      const HierarchyOptions& options) {
  const std::vector<MetadataDocument> documents = MakeDocuments(root);
  auto hierarchy = MakeNew(std::move(store), root.zarr_format, options);
  hierarchy->editor_->PutDocuments("", documents);
  try {
    hierarchy->editor_->Reopen("");
  } catch (...) {
    hierarchy->editor_->TakeBackDocuments("", documents);
    throw;
  }
  return hierarchy;
}

void EditableHierarchy::CreateGroup(std::string_view path, const JsonNode& attributes) {
  const CountedChange change(*locks_);
  editor_->CreateGroup(path, attributes);
}

std::shared_ptr<const Array> EditableHierarchy::CreateArray(std::string_view path, const ArrayMetadata& metadata) {
  const CountedChange change(*locks_);
  return editor_->CreateArray(path, metadata);
}

std::shared_ptr<const Array> EditableHierarchy::UpdateArray(std::string_view path, const ArrayMetadata& before,
                                                            const ArrayMetadata& after) {
  const CountedChange change(*locks_);
  return editor_->UpdateArray(path, before, after);
}

std::shared_ptr<const Array> EditableHierarchy::OpenPresentArray(std::string_view path) {
  const CountedChange change(*locks_);
  return editor_->OpenPresentArray(path);
}

std::uint64_t EditableHierarchy::changes() const {
  return locks_->changes();
}

bool EditableHierarchy::IsBeingMade(std::string_view path) const {
  return editor_->IsBeingMade(path);
}

std::vector<std::string> EditableHierarchy::CreatedNodes() const {
  std::vector<std::string> nodes = *making_->GetSince(0);
  std::erase_if(nodes, [this](const std::string& path) {
    return documents_->waiting().IsRefused(path) || !Probe(path);  // that of another process is not this one's
  });
  return nodes;
}

std::optional<std::vector<std::string>> EditableHierarchy::CreatedSince(std::size_t count) const {
  return making_->GetSince(count);
}

void EditableHierarchy::CheckWritable() const {
  zarr::CheckWritable(*store_, *root_->format);
}

void EditableHierarchy::EditAttributes(std::string_view path,
                                       const std::function<JsonNode(const JsonNode& stored)>& change) {
  const CountedChange one(*locks_);
  editor_->EditAttributes(path, change);
}

Leftovers EditableHierarchy::Delete(std::string_view path) {
  const CountedChange change(*locks_);
  return NodeMover(*editor_, MakeParts()).Delete(path);
}

Leftovers EditableHierarchy::Rename(std::string_view from, std::string_view to) {
  waiting_->PutAttributes();
  const CountedChange change(*locks_);
  return NodeMover(*editor_, MakeParts()).Rename(from, to);
}

bool EditableHierarchy::Exchange(std::string_view first, std::string_view second) {
  waiting_->PutAttributes();
  const CountedChange change(*locks_);
  return NodeMover(*editor_, MakeParts()).Exchange(first, second);
}

// --- series of changes -------------------------------------------------------------------------------------------

std::shared_ptr<void> EditableHierarchy::LockNodes(const std::vector<std::string>& paths) {
  auto series = locks_->BeginSeries();
  const std::lock_guard lock(locks_->change_mutex());
  std::set<std::string> keys;
  const auto add = [&](std::string_view path) {
    keys.insert(GetLockKey(*store_, *documents_, editor_->GetFormat(path), path));
  };
  for (std::string_view path : paths) {
    add(path);
    while (!path.empty()) add(path = ParentPath(path));
  }
  auto locks = locks_->LockDocuments({keys.begin(), keys.end()});
  return {this, [series = std::move(series), locks = std::move(locks)](EditableHierarchy*) mutable {
            locks.reset();
            series.reset();
          }};
}

std::unique_ptr<StoreLock> EditableHierarchy::LockGroup(std::string_view path) {
  // In a remote store locks exclude no other process, and each lookup is a request. A new store does not have other
  // writers.
  if (IsOnNetwork() || (making_->made_in_empty_place() && documents_->waiting().deferring())) return nullptr;
  const std::string prefix = path.empty() ? std::string() : std::string(path) + "/";
  auto lock = LockFolder(*store_, prefix);
  const auto listing = store_->List(prefix, {.freshness = Freshness::kNow});
  const CountedChange change(*locks_);
  documents_->Refresh(path, editor_->GetFormat(path).node_documents());
  for (const std::string& name : listing ? listing->prefixes : std::vector<std::string>()) {
    const std::string child = JoinKey(path, name);
    // Most nodes have the root's format, and to find another one takes reads of its own.
    constexpr auto kIfChanged = NodeDocuments::When::kIfChanged;
    if (documents_->Refresh(child, root_->format->node_documents(), kIfChanged)) continue;
    documents_->Refresh(child, editor_->GetFormat(child).node_documents(), kIfChanged);
  }
  arrays_->DropChildren(path);  // arrays removed by other processes are not listed
  return lock;
}

// --- consolidated metadata ---------------------------------------------------------------------------------------

void EditableHierarchy::SetConsolidate(bool consolidate, std::string_view group) {
  const std::lock_guard lock(locks_->change_mutex());
  group.empty() ? consolidated_->SetWanted(consolidate) : consolidated_->nested().SetWanted(consolidate, group);
}

void EditableHierarchy::WriteConsolidated() {
  const CountedChange change(*locks_);
  consolidated_->SaveIfFirst();
  // In a remote store the root's document is written once, together with the consolidated metadata if it contains them.
  // In other stores they are merged with the stored ones.
  documents_->waiting().Commit(locks_.get(),
                               consolidated_->IsMadeHere() ? root_->format->consolidated_key() : std::string_view());
  consolidated_->Save();
  documents_->waiting().Commit(locks_.get());
  documents_->waiting().ReportRefused();
  consolidated_->nested().Restore();
}

}  // namespace zarr
