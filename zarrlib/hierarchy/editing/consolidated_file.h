// SPDX-License-Identifier: MIT
#pragma once

#include <memory>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "zarrlib/hierarchy/editing/consolidated_changes.h"
#include "zarrlib/json/json_node.h"
#include "zarrlib/metadata/array_metadata.h"

namespace zarr {

class ConsolidatedMetadata;
class Hierarchy;
class NodeDocuments;
class NodeLocks;
class Store;
class StoreMaking;
struct StoreRoot;
struct StoredConsolidated;

/// The consolidated metadata of a store that is changed: those in memory, and those in the store, which other processes
/// may change as well. Used by one thread at a time: one that has begun a change (NodeLocks::change_mutex). Functions
/// that change the stored ones lock the root, and throw what the store and NodeLocks throw.
class ConsolidatedFile {
 public:
  /// What a hierarchy consists of; all live longer than this object.
  struct Parts {
    const Hierarchy& nodes;
    Store& store;
    StoreRoot& root;
    NodeDocuments& documents;
    NodeLocks& locks;
    const StoreMaking& making;
  };

  explicit ConsolidatedFile(const Parts& parts) : parts_(parts) {}

  /// Sets all documents that belong into the consolidated metadata: those in use, or those of a store that is made.
  void SetDocuments(std::shared_ptr<ConsolidatedMetadata> documents) { documents_ = std::move(documents); }
  /// Sets whether `Save` makes consolidated metadata where there were none.
  void SetWanted(bool is_wanted) { is_wanted_ = is_wanted; }
  /// Returns true if this makes the consolidated metadata of a store on a network, which has none yet.
  bool IsMadeHere() const;
  /// Returns true if the store has consolidated metadata.
  bool IsStored() const;

  /// Records that a document was put or, without content, erased.
  void Note(const std::string& key, const std::optional<JsonNode>& document);
  /// Records that the documents of a node and of all below it are unknown.
  void ForgetNode(std::string_view path);
  /// Returns false if no documents are in memory.
  bool has_documents() const { return documents_ != nullptr; }
  /// Records the documents of a node that differ from the stored consolidated metadata: so a retry of a change whose
  /// first attempt failed before it came there completes it.
  void NoteIfOutOfStep(std::string_view path);

  /// Puts them if they have changed and are in use, stored or wanted. Throws Error(io) if the store has been removed.
  void Save();
  /// Puts them together with the root's document, which has just changed and holds them.
  void SaveWithRoot();
  /// Brings the stored ones, where there are any, in step with the nodes at and below a path.
  void SaveInStep(std::string_view path) { SaveInStep(path, true); }

  /// Removes the consolidated metadata of groups above a node, other than the root: they would be stale.
  void DropOwn(std::string_view path);
  /// Records that a new group has none of its own.
  void NoteWithoutOwn(std::string_view path) { without_own_.emplace(path); }
  /// Removes the stored ones, if there are some; `Save` makes them anew.
  void Drop();

  // --- nodes that are removed or moved ---
  /// The documents of a node and of all below it, by their keys, if there are documents in memory. Those may lack a
  /// node after a change that failed; then its documents are those of the store.
  std::vector<MetadataDocument> Find(std::string_view path) const;
  /// Takes a node with all below it out, here and in the store.
  void Take(std::string_view path);
  /// Puts such documents back, with the path that the node has now.
  void Put(const std::vector<MetadataDocument>& taken, std::string_view from, std::string_view to);
  /// After a removal or a move that failed: puts back what was taken out and is still, or now, at those paths. If that
  /// fails too, removes them, so that readers look at the nodes themselves. Does not throw: it follows an error.
  void Restate(const std::vector<MetadataDocument>& taken, std::string_view from,
               std::span<const std::string_view> paths);
  void DropIfPossible();

 private:
  bool IsOnNetwork() const;
  /// Returns true if others may have changed the stored ones, and the store shows it.
  bool MayBeShared() const;
  std::shared_ptr<void> LockRoot() const;
  void Merge(bool with_root = false);
  /// All that is to be in them: what is stored, with the changes of this hierarchy.
  std::shared_ptr<ConsolidatedMetadata> MakeMerged(bool with_root);
  /// Takes the documents of unsaved changes from the store: others may have changed them since. Each changes a document
  /// first, and then the consolidated metadata, which thus get its last state in the end.
  void RefreshUnsaved(const JsonNode& root);
  /// Takes over which nodes they have now.
  void Adopt(const ConsolidatedMetadata& merged);
  void SaveInStep(std::string_view path, bool is_there);
  StoredConsolidated ReadStored() const;
  void CheckRootIsThere() const;
  void PutAll(const ConsolidatedMetadata& documents);
  void Collect(std::string_view path, ConsolidatedMetadata* documents) const;

  const Parts parts_;
  std::shared_ptr<ConsolidatedMetadata> documents_;
  ConsolidatedChanges unsaved_;                     // not in the stored ones yet
  std::set<std::string, std::less<>> without_own_;  // groups that have none of their own
  bool is_wanted_ = false;
  bool is_changed_ = false;  // since they were put
  bool is_put_ = false;
};

}  // namespace zarr
