// SPDX-License-Identifier: MIT
#include "zarrlib/hierarchy/editing/nested_consolidated.h"

#include "zarrlib/hierarchy/editing/collect_documents.h"
#include "zarrlib/hierarchy/editing/node_locks.h"
#include "zarrlib/hierarchy/formats/node_format.h"
#include "zarrlib/hierarchy/hierarchy.h"
#include "zarrlib/hierarchy/node_documents.h"
#include "zarrlib/hierarchy/store_root.h"
#include "zarrlib/metadata/consolidated.h"
#include "zarrlib/metadata/document_names.h"
#include "zarrlib/metadata/node_path.h"
#include "zarrlib/store/repeated_change.h"

namespace zarr {

std::string NestedConsolidated::GetLock(std::string_view group) const {
  return GetLockKey(parts_.store, parts_.documents, parts_.root.GetFormat(parts_.documents, group), group);
}

void NestedConsolidated::DropAbove(std::string_view path) {
  NoteChanged(path);
  DropAll(ParentPath(path));
}

void NestedConsolidated::DropFrom(std::string_view group) {
  NoteChanged(group);
  DropAll(group);
}

void NestedConsolidated::SetWanted(bool is_wanted, std::string_view group) {
  if (is_wanted) {
    dropped_.emplace(group);
  } else {
    dropped_.erase(std::string(group));
  }
}

void NestedConsolidated::DropAll(std::string_view group) {
  for (; !group.empty(); group = ParentPath(group)) {
    if (absent_.contains(group) || made_.contains(group)) continue;
    Drop(group);
    absent_.emplace(group);
  }
}

void NestedConsolidated::Drop(std::string_view group) {
  RepeatWhileOutrun([&] {
    const auto locked = parts_.locks.LockDocuments({GetLock(group)});
    if (parts_.root.format->DropConsolidated(parts_.store, group)) dropped_.emplace(group);
  });
}

void NestedConsolidated::Restore() {
  // Another process may have written some since, before the last change.
  for (const std::string& group : absent_) Drop(group);
  while (!dropped_.empty()) {
    const std::string group = *dropped_.begin();
    RepeatWhileOutrun([&] { RestoreOnce(group); });
    dropped_.erase(group);
  }
  absent_.clear();
  // In a remote store each lookup is a request, and an archive that is being written has no other writers.
  const StoreInfo info = parts_.store.info();
  if (info.lists_cheaply() && !info.needs_finish) made_.clear();
}

void NestedConsolidated::RestoreOnce(const std::string& group) {
  const auto locked = parts_.locks.LockDocuments({GetLock(group)});
  parts_.documents.Refresh(group, parts_.root.format->node_documents());
  const auto kind = parts_.root.format->FindKind(parts_.documents, group);
  if (kind != NodeKind::kGroup) return;  // it has been removed or renamed
  ConsolidatedMetadata found;
  CollectDocuments(parts_.nodes, parts_.documents, *parts_.root.format, group, &found);
  ConsolidatedMetadata own;
  for (const std::string& key : found.GetKeys()) own.Set(key.substr(group.size() + 1), *found.Find(key));
  const std::string_view name = parts_.root.format->consolidated_key();
  const JsonNode content = parts_.root.format->MakeConsolidated(own, own.Find(name).value_or(JsonNode()));
  parts_.store.Set(JoinKey(group, name), AsBytes(DumpDocument(name, content)));
}

}  // namespace zarr
