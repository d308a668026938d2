// SPDX-License-Identifier: MIT
#pragma once

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

/// A hierarchy whose nodes are made, changed, moved and removed.
///
/// Changes are put into the store at once, each document whole (but see WaitingChanges). New nodes and attributes come
/// into consolidated metadata by `WriteConsolidated`; what is removed, moved, or gets another shape is in step with
/// them before and after each call. All functions of Hierarchy answer from the changed nodes. All functions throw
/// Error(read_only) as CheckWritable, and Error(unsupported) for a node, or the group of a new one, that has metadata
/// of several formats (CheckOneFormat), and for changes of nodes that NCZarr lists (CheckNoNczarrLists). Handles of
/// arrays keep what they had when they were opened.
///
/// Each change locks the documents that it replaces (zarr::Lock), reads them again, and changes nothing else in them:
/// changes that other handles and processes have made since this was opened stay. It removes nothing that this did not
/// know.
class EditableHierarchy final : public Hierarchy {
 public:
  ~EditableHierarchy() override;
  /// Throws what Hierarchy::Open throws.
  static std::shared_ptr<EditableHierarchy> Open(std::shared_ptr<Store> store, const HierarchyOptions& options = {});
  /// A new store: its root is a group with those attributes. Throws Error(invalid_argument) unless its folder is empty
  /// or absent, where the store can tell.
  static std::shared_ptr<EditableHierarchy> Create(std::shared_ptr<Store> store, ZarrFormat format,
                                                   const JsonNode& root_attributes = {},
                                                   const HierarchyOptions& options = {});
  /// As Create, with an array as the store's root: the only form that v1 has.
  static std::shared_ptr<EditableHierarchy> CreateRootArray(std::shared_ptr<Store> store, const ArrayMetadata& root,
                                                            const HierarchyOptions& options = {});
  using Hierarchy::editable;
  EditableHierarchy* editable() override { return this; }
  /// Throws Error(read_only) if the store, or the version of its root, takes no changes.
  void CheckWritable() const;

  /// Makes a group in the format of the root. The parent must be a group. Throws Error(invalid_argument) if anything is
  /// at the path, and names it.
  void CreateGroup(std::string_view path, const JsonNode& attributes = {});
  std::shared_ptr<const Array> CreateArray(std::string_view path, const ArrayMetadata& metadata);
  /// Replaces the attributes of a group or an array by those that `change` makes of the stored ones, an object; null
  /// removes them.
  void EditAttributes(std::string_view path, const std::function<JsonNode(const JsonNode& stored)>& change);
  /// Makes the change that leads from `before` to `after`: another shape, grid (whose live chunks stay), fill value,
  /// dimension names or attributes. What is equal in both stays as it is stored. Throws Error(invalid_argument) if the
  /// shape is to change, and the stored one is not that of `before`.
  std::shared_ptr<const Array> UpdateArray(std::string_view path, const ArrayMetadata& before,
                                           const ArrayMetadata& after);
  /// The array as it is stored now.
  std::shared_ptr<const Array> OpenPresentArray(std::string_view path);

  /// Removes a node with all below it, as RemoveNode; tells what stands there else and has been left. Throws
  /// Error(invalid_argument) for the root, Error(unsupported) where the store cannot list.
  Leftovers Delete(std::string_view path);
  /// Moves a node with all below it: in one step where the store can, with all that stands in its folder, else by
  /// copies, the new node's metadata last, which tells what has been left at the old path. Throws
  /// Error(invalid_argument) if something is at `to`, or it lies below `from`, Error(unsupported) where the store
  /// cannot list.
  Leftovers Rename(std::string_view from, std::string_view to);
  /// Exchanges two nodes with all that is in their folders, in one step. Returns false, and exchanges nothing, where
  /// the store cannot do that. After an error, each of the two is at one of the places. Throws Error(invalid_argument)
  /// for the root, and if one lies in the other; Error(not_found) if one is not there.
  bool Exchange(std::string_view first, std::string_view second);

  /// Locks all values of nodes, for several changes by this hierarchy that belong together, while the returned object
  /// lives. Also locks the documents of the groups above them.
  std::shared_ptr<void> LockNodes(const std::vector<std::string>& paths);
  /// Locks a group's folder for a series of changes that belong together while the returned object lives, and takes the
  /// group and its nodes as they are stored now. Excludes others that call this. Returns null where nobody else is
  /// expected, because this is making the store, and where locks do not exclude them. While it is held, changes that
  /// wait are to be put by `WaitingChanges::Put`, so that others see them.
  std::unique_ptr<StoreLock> LockGroup(std::string_view path);
  /// Whether changes of a node wait, because this has made it.
  bool IsBeingMade(std::string_view path) const;
  WaitingChanges& waiting() { return *waiting_; }
  /// The paths of the nodes that were made through this and are still there, in the order in which they were made.
  std::vector<std::string> CreatedNodes() const;
  /// The paths of the nodes that were made through this after the first `count` ones, in order, whether or not they are
  /// still there; nothing if there are fewer.
  std::optional<std::vector<std::string>> CreatedSince(std::size_t count) const;

  /// Puts the changes that wait into the store, then the consolidated metadata of a store that has some, or is to have
  /// some, if they have changed.
  void WriteConsolidated();
  /// Whether `WriteConsolidated` shall make consolidated metadata where there were none.
  void SetConsolidate(bool consolidate);

 private:
  EditableHierarchy(std::shared_ptr<Store> store, const HierarchyOptions& options);
  /// Makes the object. Documents that wait go before values (see DocumentsFirst).
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
