// SPDX-License-Identifier: MIT
#pragma once

#include <functional>
#include <string>
#include <string_view>

#include "zarrlib/hierarchy/editing/edit_parts.h"

namespace zarr {

class JsonChanges;
class NodeEditor;

/// The changes of a hierarchy that wait in memory, so that each document is put once: those of attributes, and, after
/// `Defer`, all changes of nodes that the hierarchy has made. Thread-safe.
class WaitingChanges {
 public:
  WaitingChanges(NodeEditor& editor, const EditParts& parts) : editor_(editor), parts_(parts) {}

  /// Lets changes of the attributes of a group or an array wait, which `add` adds to those that wait already: however
  /// many there are, the node's document is put once. All functions answer with them. They are made in what is stored
  /// then, by `PutAttributes` or the next other change of the node. Throws at once what EditAttributes throws before it
  /// reads the document, unless the hierarchy has made the node.
  void ChangeAttributes(std::string_view path, const std::function<void(JsonChanges& changes)>& add);
  /// Puts the attributes that wait. Those of a node that fails wait on, and do not keep the others from being put; the
  /// first error is thrown.
  void PutAttributes();

  /// From now on changed attributes and array metadata wait until `EditableHierarchy::WriteConsolidated`. Only nodes
  /// that the hierarchy has made wait: nobody else is to change them meanwhile. On a network, where nothing keeps
  /// another process from making a node of the same name, new nodes wait too.
  void Defer();
  /// Puts the changes that wait into the store, and those of attributes; later ones of other kinds go there at once.
  void EndDeferring();
  /// Puts changes that wait into the store; later ones wait again.
  void Put();
  /// Puts those of nodes that the hierarchy has made. Waits for nobody, so that whoever has locked a value may call it:
  /// while another thread changes a document, it does nothing.
  void PutMade();
  /// Whether changes wait, other than those of attributes. Takes no lock for long.
  bool HasAny() const;

 private:
  /// Calls a function for each node whose attributes wait. Throws the first error when all are done.
  void ForEach(const std::function<void(const std::string& path)>& put);

  NodeEditor& editor_;
  const EditParts parts_;
};

}  // namespace zarr
