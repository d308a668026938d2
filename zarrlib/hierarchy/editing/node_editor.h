// SPDX-License-Identifier: MIT
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "zarrlib/hierarchy/editing/edit_parts.h"
#include "zarrlib/hierarchy/editing/waiting_documents.h"
#include "zarrlib/json/json_node.h"
#include "zarrlib/metadata/array_metadata.h"
#include "zarrlib/store/store.h"

namespace zarr {

class Array;
class NodeFormat;
struct DocumentChange;

/// Returns the attributes of a node as an object, {} for null. Throws Error for another value.
JsonNode ObjectOr(const JsonNode& attributes);

/// Creates and changes nodes of a hierarchy. For all functions except IsBeingMade, a change must have begun
/// (NodeLocks::change_mutex) and must not end before the call does. The functions have the same contracts as in
/// EditableHierarchy.
class NodeEditor {
 public:
  explicit NodeEditor(const EditParts& parts) : parts_(parts) {}

  void CreateGroup(std::string_view path, const JsonNode& attributes);
  std::shared_ptr<const Array> CreateArray(std::string_view path, const ArrayMetadata& metadata);
  /// Writes the documents of a new node, immediately unless new nodes are pending: its chunks never exist without them.
  /// After an error, removes the parts of the node again if the store allows it. Returns the documents as they were
  /// written.
  WaitingDocuments::Documents PutDocuments(std::string_view path, const std::vector<MetadataDocument>& documents);
  void TakeBackDocuments(std::string_view path, const std::vector<MetadataDocument>& documents);
  /// Changes the stored attributes of a node, including pending changes.
  void EditAttributes(std::string_view path, const std::function<JsonNode(const JsonNode& stored)>& change);
  /// Like EditAttributes, for a node that is locked or not stored yet.
  void EditLocked(std::string_view path, const std::function<JsonNode(const JsonNode& stored)>& change);
  std::shared_ptr<const Array> UpdateArray(std::string_view path, const ArrayMetadata& before,
                                           const ArrayMetadata& after);
  std::shared_ptr<const Array> OpenPresentArray(std::string_view path);
  /// Opens an array whose metadata have just been stored.
  std::shared_ptr<const Array> Reopen(std::string_view path);
  /// Drops cached information about a node and its descendants.
  void ForgetNodes(std::string_view path);

  struct FoundNode {
    NodeKind kind;
    const NodeFormat* format;
  };
  /// Finds a node whose documents will be changed. Throws Error: read_only like CheckWritable; not_found.
  FoundNode FindChangeable(std::string_view path) const;
  bool IsBeingMade(std::string_view path) const;
  /// Throws Error unless a node can be created at a path: its name is valid, nothing exists there, and its parent is a
  /// group.
  void CheckNew(std::string_view path);
  /// Throws Error unless there is a node that can be moved away or removed.
  void CheckMovable(std::string_view path) const;
  /// Like CheckOneFormat.
  void CheckFormat(std::string_view path, const NodeFormat& format) const;
  const NodeFormat& GetFormat(std::string_view path) const;

 private:
  /// Returns false unless there is a group in which nodes can be created, and throws like CheckFormat and CheckLists. A
  /// group that the hierarchy has created is checked again only if its document has changed.
  bool MayHold(std::string_view group);
  /// Returns the stamp of a group's document, if only a change of the group changes it.
  std::optional<VersionStamp> GetStampOfGroup(std::string_view group) const;
  /// Like CheckNoNczarrLists.
  void CheckLists(std::string_view group) const;
  /// Warns the user, once, about a new v3 node whose name is reserved.
  void WarnOfReserved(std::string_view path);
  /// Locks a node of a format, and reads its documents from the store again.
  std::shared_ptr<void> LockAndRefresh(std::string_view path, const NodeFormat& format);
  ArrayMetadata ReadPresent(std::string_view path) const;
  /// Applies the change of UpdateArray to the array's own documents. Returns true if the shape has changed.
  bool ChangeStoredArray(std::string_view path, const ArrayMetadata& before, const ArrayMetadata& after);
  /// Applies a change of an array's metadata. The array is opened again afterwards, including after a failure.
  void ChangeSnapshot(std::string_view path, const std::function<void()>& change);
  void EditGroup(std::string_view path, const NodeFormat& format,
                 const std::function<JsonNode(const JsonNode& stored)>& change);
  /// Gives a group that is implied by its nodes a document, by which it can be locked, unless another process has just
  /// done so. Throws ChangedMeanwhile in either case: the change is to be repeated with that lock.
  [[noreturn]] void MakeExplicit(std::string_view path, const NodeFormat& format);
  void EditArray(std::string_view path, const NodeFormat& format,
                 const std::function<JsonNode(const JsonNode& stored)>& change);
  /// Writes the document that makes a new path a node. Throws Error(invalid_argument) if another process has just done
  /// that.
  JsonNode PutFirst(std::string_view path, const MetadataDocument& document);
  void ApplyChanges(std::string_view path, const std::vector<DocumentChange>& changes);
  /// `is_new` is as for WaitingDocuments::Add.
  JsonNode PutDocument(std::string_view path, std::string_view name, const JsonNode& content, bool may_wait,
                       bool is_new = false);
  /// Returns true if the documents of a new node are pending until the node is needed in the store.
  bool NewNodesWait() const;
  /// Records which documents a new node does not have, if no other process is expected to change it.
  void NoteAbsent(std::string_view path);
  bool IsOnNetwork() const { return parts_.store.info().is_on_network(); }

  const EditParts parts_;
  bool warned_of_reserved_ = false;
  std::string checked_group_;                // by MayHold
  std::optional<VersionStamp> group_stamp_;  // of its document
};

}  // namespace zarr
