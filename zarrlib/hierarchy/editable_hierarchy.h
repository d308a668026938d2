// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "zarrlib/hierarchy/hierarchy.h"
#include "zarrlib/store/store_folders.h"

namespace zarr {

class ConsolidatedFile;
class NodeEditor;
class NodeLocks;
class StoreLock;
class StoreMaking;
class WaitingChanges;
struct EditParts;

/// A hierarchy whose nodes can be created, changed, moved and removed.
///
/// Changes are written to the store immediately, each document as a whole (except as described in WaitingChanges).
/// `WriteConsolidated` adds new nodes and attributes to consolidated metadata. Nodes that are removed, moved or
/// reshaped are consistent with consolidated metadata before and after each call. All functions of Hierarchy reflect
/// the changes.
///
/// All functions throw Error(read_only) like CheckWritable. They throw Error(unsupported) for a node, or the parent
/// group of a new node, that has metadata of several formats (CheckOneFormat), and for changes of nodes that NCZarr
/// lists (CheckNoNczarrLists). Array handles keep the state in which they were opened.
///
/// Each change locks the documents that it replaces (zarr::Lock), reads them again, and changes nothing else in them:
/// changes that other handles and processes have made since this hierarchy was opened are kept. It only removes entries
/// that this hierarchy knows.
class EditableHierarchy final : public Hierarchy {
 public:
  ~EditableHierarchy() override;
  /// Throws the errors of Hierarchy::Open.
  static std::shared_ptr<EditableHierarchy> Open(std::shared_ptr<Store> store, const HierarchyOptions& options = {});
  /// Creates a store whose root is a group with those attributes. Throws Error(invalid_argument) unless its folder is
  /// empty or absent, if the store can check this.
  static std::shared_ptr<EditableHierarchy> Create(std::shared_ptr<Store> store, ZarrFormat format,
                                                   const JsonNode& root_attributes = {},
                                                   const HierarchyOptions& options = {});
  /// Like Create, but with an array as the store's root, the only possible form in v1.
  static std::shared_ptr<EditableHierarchy> CreateRootArray(std::shared_ptr<Store> store, const ArrayMetadata& root,
                                                            const HierarchyOptions& options = {});
  using Hierarchy::editable;
  EditableHierarchy* editable() override { return this; }
  std::uint64_t changes() const override;
  /// Throws Error(read_only) if the store, or the format version of its root, cannot be changed.
  void CheckWritable() const;

  /// Creates a group in the format of the root. The parent must be a group. Throws Error(invalid_argument), which names
  /// the entry, if anything exists at the path.
  void CreateGroup(std::string_view path, const JsonNode& attributes = {});
  std::shared_ptr<const Array> CreateArray(std::string_view path, const ArrayMetadata& metadata);
  /// Replaces the attributes of a group or an array with the result of `change`, which gets the stored attributes as an
  /// object; null removes them.
  void EditAttributes(std::string_view path, const std::function<JsonNode(const JsonNode& stored)>& change);
  /// Applies the differences between `before` and `after`: another shape, grid (whose live chunks stay), fill value,
  /// dimension names or attributes. Equal parts stay as stored. Throws Error(invalid_argument) if the shape changes and
  /// the stored shape differs from `before`.
  std::shared_ptr<const Array> UpdateArray(std::string_view path, const ArrayMetadata& before,
                                           const ArrayMetadata& after);
  /// Opens the array as it is stored now.
  std::shared_ptr<const Array> OpenPresentArray(std::string_view path);

  /// Removes a node and its descendants, like RemoveNode. Returns the other entries that were not removed. Throws
  /// Error(invalid_argument) for the root, and Error(unsupported) if the store cannot list.
  Leftovers Delete(std::string_view path);
  /// Moves a node and its descendants. If the store supports it, renames the folder atomically, including unrelated
  /// entries. Otherwise copies the keys, the new node's metadata last, and returns the entries left at the old path.
  /// Throws Error(invalid_argument) if something exists at `to`, or `to` is below `from`; Error(unsupported) if the
  /// store cannot list.
  Leftovers Rename(std::string_view from, std::string_view to);
  /// Exchanges two nodes and the content of their folders atomically. Returns false without changes if the store does
  /// not support that. After an error, each of the nodes is at one of the two paths. Throws Error(invalid_argument) for
  /// the root, and if one node is inside the other; Error(not_found) if one does not exist.
  bool Exchange(std::string_view first, std::string_view second);

  /// Locks all values of nodes, for several related changes by this hierarchy, while the returned object exists. Also
  /// locks the documents of the groups above them.
  std::shared_ptr<void> LockNodes(const std::vector<std::string>& paths);
  /// Locks a group's folder for a series of related changes while the returned object exists, and refreshes the group
  /// and its nodes from the store. Excludes other callers of this function. Returns null if no other process is
  /// expected, because this hierarchy is creating the store, and if locks do not exclude other processes. While holding
  /// the lock, write pending changes with `WaitingChanges::Put`, so that other processes see them.
  std::unique_ptr<StoreLock> LockGroup(std::string_view path);
  /// Returns true if changes of a node can be pending because this hierarchy has created it.
  bool IsBeingMade(std::string_view path) const;
  WaitingChanges& waiting() { return *waiting_; }
  /// Returns the paths of the existing nodes that were created through this object, in the order of creation.
  std::vector<std::string> CreatedNodes() const;
  /// Returns the paths of the nodes that were created through this object after the first `count` ones, in order,
  /// whether or not they still exist; nullopt if there are fewer.
  std::optional<std::vector<std::string>> CreatedSince(std::size_t count) const;

  /// Writes the pending changes to the store, and then the consolidated metadata if they have changed and the store has
  /// them or should get them.
  void WriteConsolidated();
  /// Sets whether `WriteConsolidated` creates the consolidated metadata of a group, by default the root, if there are
  /// none. For other groups than the root this applies to the next call alone.
  void SetConsolidate(bool consolidate, std::string_view group = {});

 private:
  EditableHierarchy(std::shared_ptr<Store> store, const HierarchyOptions& options);
  /// Makes the object. Pending documents are written before values (see DocumentsFirst).
  static std::shared_ptr<EditableHierarchy> Make(std::shared_ptr<Store> store, const HierarchyOptions& options);
  static std::shared_ptr<EditableHierarchy> MakeNew(std::shared_ptr<Store> store, ZarrFormat format,
                                                    const HierarchyOptions& options);

  EditParts MakeParts();

  const std::unique_ptr<StoreMaking> making_;
  const std::unique_ptr<NodeLocks> locks_;
  const std::unique_ptr<ConsolidatedFile> consolidated_;
  const std::unique_ptr<NodeEditor> editor_;
  const std::unique_ptr<WaitingChanges> waiting_;
};

}  // namespace zarr
