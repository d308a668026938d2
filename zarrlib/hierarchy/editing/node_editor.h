// SPDX-License-Identifier: MIT
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "zarrlib/hierarchy/editing/edit_parts.h"
#include "zarrlib/json/json_node.h"
#include "zarrlib/metadata/array_metadata.h"

namespace zarr {

class Array;
class NodeFormat;
struct DocumentChange;

/// The attributes of a node as an object, {} for null. Throws Error for another value.
JsonNode ObjectOr(const JsonNode& attributes);

/// Makes and changes nodes of a hierarchy. Of all functions but IsBeingMade: a change must have begun
/// (NodeLocks::change_mutex), and does not end before the call does. They have the contracts of those of
/// EditableHierarchy.
class NodeEditor {
 public:
  explicit NodeEditor(const EditParts& parts) : parts_(parts) {}

  void CreateGroup(std::string_view path, const JsonNode& attributes);
  std::shared_ptr<const Array> CreateArray(std::string_view path, const ArrayMetadata& metadata);
  /// Puts the documents of a new node at once, so that its chunks never stand without them. After an error nothing is
  /// left of the node, as far as the store lets it be removed.
  void PutDocuments(std::string_view path, const std::vector<MetadataDocument>& documents);
  void TakeBackDocuments(std::string_view path, const std::vector<MetadataDocument>& documents);
  /// Changes what is stored of the attributes of a node, with those that wait.
  void EditAttributes(std::string_view path, const std::function<JsonNode(const JsonNode& stored)>& change);
  /// As EditAttributes, when the node is locked or is not stored yet.
  void EditLocked(std::string_view path, const std::function<JsonNode(const JsonNode& stored)>& change);
  std::shared_ptr<const Array> UpdateArray(std::string_view path, const ArrayMetadata& before,
                                           const ArrayMetadata& after);
  std::shared_ptr<const Array> OpenPresentArray(std::string_view path);
  /// Opens an array of which metadata have just been stored.
  std::shared_ptr<const Array> Reopen(std::string_view path);
  /// Forgets what is known of a node and of all below it.
  void ForgetNodes(std::string_view path);

  struct FoundNode {
    NodeKind kind;
    const NodeFormat* format;
  };
  /// Finds a node of which documents are to be changed. Throws Error: read_only as CheckWritable; not_found.
  FoundNode FindChangeable(std::string_view path) const;
  bool IsBeingMade(std::string_view path) const;
  /// Throws Error unless a node can be made at a path: its name is one, nothing is there, its parent is a group.
  void CheckNew(std::string_view path) const;
  /// Throws Error unless there is a node that can be moved away or removed.
  void CheckMovable(std::string_view path) const;
  /// As CheckOneFormat.
  void CheckFormat(std::string_view path, const NodeFormat& format) const;
  const NodeFormat& GetFormat(std::string_view path) const;

 private:
  /// As CheckNoNczarrLists.
  void CheckLists(std::string_view group) const;
  /// Tells the user, once, of a new node of v3 whose name is reserved.
  void WarnOfReserved(std::string_view path);
  /// Locks a node of a format, and takes its documents from the store.
  std::shared_ptr<void> LockAndRefresh(std::string_view path, const NodeFormat& format);
  ArrayMetadata ReadPresent(std::string_view path) const;
  /// Makes the change of UpdateArray in the array's own documents. Returns whether the shape has changed.
  bool ChangeStoredArray(std::string_view path, const ArrayMetadata& before, const ArrayMetadata& after);
  /// Makes a change of an array's metadata, after which, and after its failure, the array is made anew.
  void ChangeSnapshot(std::string_view path, const std::function<void()>& change);
  void EditGroup(std::string_view path, const NodeFormat& format,
                 const std::function<JsonNode(const JsonNode& stored)>& change);
  void EditArray(std::string_view path, const NodeFormat& format,
                 const std::function<JsonNode(const JsonNode& stored)>& change);
  /// Puts the document that makes a new node one. Throws Error(invalid_argument) if another process has just done that.
  void PutFirst(std::string_view path, const MetadataDocument& document);
  void ApplyChanges(std::string_view path, const std::vector<DocumentChange>& changes);
  void PutDocument(std::string_view path, std::string_view name, const JsonNode& content, bool may_wait);
  bool IsOnNetwork() const;

  const EditParts parts_;
  bool warned_of_reserved_ = false;
};

}  // namespace zarr
