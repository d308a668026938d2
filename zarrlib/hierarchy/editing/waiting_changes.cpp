// SPDX-License-Identifier: MIT
#include "zarrlib/hierarchy/editing/waiting_changes.h"

#include <exception>
#include <mutex>

#include "zarrlib/hierarchy/editing/consolidated_file.h"
#include "zarrlib/hierarchy/editing/node_editor.h"
#include "zarrlib/hierarchy/editing/node_locks.h"
#include "zarrlib/hierarchy/editing/store_making.h"
#include "zarrlib/hierarchy/editing/waiting_attributes.h"
#include "zarrlib/hierarchy/hierarchy.h"
#include "zarrlib/hierarchy/node_documents.h"
#include "zarrlib/hierarchy/open_arrays.h"
#include "zarrlib/hierarchy/store_root.h"
#include "zarrlib/metadata/node_path.h"

namespace zarr {

void WaitingChanges::ChangeAttributes(std::string_view path, const std::function<void(JsonChanges& changes)>& add) {
  const Hierarchy& nodes = parts_.nodes;
  const std::lock_guard lock(parts_.locks.change_mutex());
  if (!parts_.waiting.Has(path) && !parts_.making.HasMade(path)) {
    const auto node = editor_.FindChangeable(path);
    editor_.CheckFormat(path, *node.format);
    if (node.kind == NodeKind::kArray) CheckChangeable(nodes.OpenArray(path)->metadata());
  }
  const auto get_known = [&] {
    return nodes.HasOpened(path) || nodes.Probe(path) == NodeKind::kArray ? nodes.OpenArray(path)->metadata().attributes
                                                                          : nodes.OpenGroup(path).attributes;
  };
  parts_.waiting.Add(path, get_known, add);
  parts_.arrays.Drop(std::string(path));
}

void WaitingChanges::PutAttributes() {
  const std::lock_guard lock(parts_.locks.change_mutex());
  ForEach([this](const std::string& path) { editor_.EditAttributes(path, std::identity()); });
}

void WaitingChanges::Defer() {
  const std::lock_guard lock(parts_.locks.change_mutex());
  parts_.documents.waiting().Defer();
}

void WaitingChanges::EndDeferring() {
  PutAttributes();
  const std::lock_guard lock(parts_.locks.change_mutex());
  parts_.documents.EndDeferring(parts_.locks);
}

void WaitingChanges::Put() {
  PutAttributes();
  const std::lock_guard lock(parts_.locks.change_mutex());
  parts_.documents.waiting().Commit(&parts_.locks);
}

void WaitingChanges::PutMade(std::string_view key) {
  const std::lock_guard others(put_mutex_);
  const std::unique_lock lock(parts_.locks.change_mutex(), std::try_to_lock);
  if (!lock) return parts_.documents.waiting().CommitNodeOf(key);
  ForEach([this](const std::string& path) {
    // In memory, where no other process changes it.
    if (editor_.IsBeingMade(path)) editor_.EditLocked(path, std::identity());
  });
  parts_.consolidated.SaveIfFirst();
  parts_.documents.waiting().Commit(nullptr);
}

bool WaitingChanges::HasAny() const {
  return parts_.documents.waiting().HasAny();
}

std::vector<std::string> WaitingChanges::TakeChanged() {
  const std::lock_guard lock(parts_.locks.change_mutex());
  return parts_.consolidated.nested().TakeChanged();
}

bool WaitingChanges::UpdateConsolidated(const std::string& folder, const std::vector<std::string>& changed) {
  const CountedChange change(parts_.locks);
  NestedConsolidated& nested = parts_.consolidated.nested();
  nested.DropAbove(folder);
  if (!nested.has_dropped() && !parts_.consolidated.IsStored()) return false;
  std::vector<std::string> paths;
  for (const std::string& path : changed) paths.push_back(path.empty() ? folder : JoinKey(folder, path));
  parts_.consolidated.SaveChangedElsewhere(paths);
  nested.Restore();
  return true;
}

bool WaitingChanges::DropIfRefused(const std::string& path) {
  try {
    parts_.documents.waiting().CheckNotRefused(path);
    return false;
  } catch (const Error&) {
    parts_.waiting.Drop(path);  // the refusal is reported once
    return true;
  }
}

void WaitingChanges::ForEach(const std::function<void(const std::string& path)>& put) {
  std::exception_ptr first;
  for (const std::string& path : parts_.waiting.GetPaths()) {
    try {
      if (!DropIfRefused(path)) put(path);
    } catch (...) {
      if (!first) first = std::current_exception();
    }
  }
  if (first) std::rethrow_exception(first);
}

}  // namespace zarr
