// SPDX-License-Identifier: MIT
#pragma once

#include <functional>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

#include "zarrlib/hierarchy/editing/edit_parts.h"

namespace zarr {

class JsonChanges;
class NodeEditor;

/// The changes of a hierarchy that are pending in memory, so that each document is written once: changes of attributes,
/// and, after `Defer`, all changes of nodes that the hierarchy has created. Thread-safe.
class WaitingChanges {
 public:
  WaitingChanges(NodeEditor& editor, const EditParts& parts) : editor_(editor), parts_(parts) {}

  /// Adds pending changes of the attributes of a group or an array, which `add` appends to the existing ones. However
  /// many there are, the node's document is written once. All functions return the changed attributes.
  ///
  /// The changes are applied to the state stored at the time of `PutAttributes` or of the next other change of the
  /// node. Throws immediately the errors that EditAttributes throws before it reads the document, unless the hierarchy
  /// has created the node.
  void ChangeAttributes(std::string_view path, const std::function<void(JsonChanges& changes)>& add);
  /// Writes the pending attributes. If a node fails, its changes stay pending and the other nodes are still written;
  /// the first error is thrown.
  void PutAttributes();

  /// From now on, changed attributes and array metadata are pending until `EditableHierarchy::WriteConsolidated`. This
  /// applies only to nodes that the hierarchy has created, which no other process should change in that time. In a
  /// remote store, where another process could always create a node of the same name, and in a store that the hierarchy
  /// has created, new nodes are pending too.
  void Defer();
  /// Writes the pending changes, including attributes, to the store. Later changes of other kinds are written
  /// immediately.
  void EndDeferring();
  /// Writes pending changes to the store; later changes are pending again.
  void Put();
  /// Writes the changes of nodes that the hierarchy has created, before a value is written. Waits for other threads
  /// that write documents, but for nothing else, so a holder of a value's lock may call it: while another thread
  /// changes a document, it writes only the documents of the value's node.
  void PutMade(std::string_view key);
  /// Returns true if changes other than attributes are pending. Does not hold a lock for long.
  bool HasAny() const;

  /// Returns the nodes that were changed, created, moved or removed since the last call, for `UpdateConsolidated` of
  /// the hierarchy of a larger store.
  std::vector<std::string> TakeChanged();
  /// Lets the consolidated metadata follow changes of nodes in a folder, which was opened as a store and keeps its own
  /// in step. Returns false if there are none. They must not be in use (HierarchyOptions::use_consolidated).
  bool UpdateConsolidated(const std::string& folder, const std::vector<std::string>& changed);

 private:
  /// Drops the pending attributes of a node that another process has created. Returns false for other nodes.
  bool DropIfRefused(const std::string& path);
  /// Calls a function for each node with pending attributes. Throws the first error after all calls.
  void ForEach(const std::function<void(const std::string& path)>& put);

  NodeEditor& editor_;
  const EditParts parts_;
  std::mutex put_mutex_;  // held in PutMade, so that no thread returns while another one is still writing documents
};

}  // namespace zarr
