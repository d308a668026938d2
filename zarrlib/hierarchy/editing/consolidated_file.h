// SPDX-License-Identifier: MIT
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "zarrlib/hierarchy/editing/consolidated_changes.h"
#include "zarrlib/hierarchy/editing/nested_consolidated.h"
#include "zarrlib/json/json_node.h"
#include "zarrlib/metadata/array_metadata.h"

namespace zarr {

class ConsolidatedMetadata;
class Hierarchy;
class NodeDocuments;
class NodeFormat;
class NodeLocks;
class Store;
class StoreMaking;
struct StoreRoot;
struct StoredConsolidated;

/// The consolidated metadata of a store that is being changed: those in memory and those in the store, which other
/// processes may also change. Used by one thread at a time, which must have begun a change (NodeLocks::change_mutex).
/// Functions that change the stored consolidated metadata lock the root, and throw the errors of the store and of
/// NodeLocks.
class ConsolidatedFile {
 public:
  /// The parts of a hierarchy; all outlive this object.
  struct Parts {
    const Hierarchy& nodes;
    Store& store;
    StoreRoot& root;
    NodeDocuments& documents;
    NodeLocks& locks;
    const StoreMaking& making;
  };

  explicit ConsolidatedFile(const Parts& parts)
      : parts_(parts), nested_({parts.nodes, parts.store, parts.root, parts.documents, parts.locks}) {}

  /// Sets all documents that belong in the consolidated metadata: those in use, or those of a new store.
  void SetDocuments(std::shared_ptr<ConsolidatedMetadata> documents) { documents_ = std::move(documents); }
  /// Sets whether `Save` creates consolidated metadata if there are none.
  void SetWanted(bool is_wanted) { is_wanted_ = is_wanted; }
  /// Returns true if this object creates the consolidated metadata of a remote store that it has created.
  bool IsMadeHere() const;
  /// Returns true if the store has consolidated metadata.
  bool IsStored() const;

  /// Records that a document was written or, without content, erased.
  void Note(const std::string& key, const std::optional<JsonNode>& document);
  /// Records that the documents of a node and its descendants are unknown.
  void ForgetNode(std::string_view path);
  /// Returns false if no documents are in memory.
  bool has_documents() const { return documents_ != nullptr; }
  /// Records the documents of a node that differ from the stored consolidated metadata. A retry of a change that failed
  /// before updating them then completes it.
  void NoteIfOutOfStep(std::string_view path);

  /// Writes the consolidated metadata if they have changed and are in use, stored or wanted. Throws Error(io) if the
  /// store has been removed.
  void Save();
  /// Like Save, if this hierarchy creates a store with conditions, and has not put the root yet: of several processes
  /// that create it, one puts the first document. Other processes then find consolidated metadata from the beginning,
  /// and a root that contains them is put once.
  void SaveIfFirst();
  /// Writes the consolidated metadata together with the root's document, which has just changed and contains them.
  /// Throws ChangedMeanwhile if another process has changed that document since it was read.
  void SaveWithRoot();
  /// Updates the stored consolidated metadata, if any, for the nodes at and below a path.
  void SaveInStep(std::string_view path) { SaveInStep(path, true); }
  /// Like SaveInStep, for several paths of nodes that other hierarchies have changed.
  void SaveChangedElsewhere(const std::vector<std::string>& paths);

  /// The consolidated metadata of groups below the root.
  NestedConsolidated& nested() { return nested_; }
  /// Removes the stored consolidated metadata, if any; `Save` creates them again.
  void Drop();

  // --- removed or moved nodes ---
  /// Returns the documents of a node and its descendants, by their keys, if there are documents in memory. After a
  /// failed change a node may be missing from them; its documents are then read from the store.
  std::vector<MetadataDocument> Find(std::string_view path) const;
  /// Removes a node and its descendants, here and in the store.
  void Take(std::string_view path);
  /// Puts these documents back, with the present path of the node.
  void Put(const std::vector<MetadataDocument>& taken, std::string_view from, std::string_view to);
  /// After a failed removal or move: restores the removed documents of nodes that still exist, or now exist, at those
  /// paths. If that also fails, removes the consolidated metadata, so that readers use the nodes' own documents. Does
  /// not throw, because it is called after an error.
  void Restate(const std::vector<MetadataDocument>& taken, std::string_view from,
               std::span<const std::string_view> paths);
  void DropIfPossible();

 private:
  bool IsOnNetwork() const;
  /// Returns true if other processes may have changed the stored consolidated metadata, and the store shows such
  /// changes.
  bool MayBeShared() const;
  std::shared_ptr<void> LockRoot() const;
  /// Looks at the stored consolidated metadata, so that they are replaced only if no process has changed them since
  /// (ConditionalStore).
  void NoteState() const;
  void Merge();
  void MergeOnce(bool with_root);
  /// Builds the consolidated metadata from the documents of all nodes.
  void BuildOnce();
  /// Returns the stored documents with the changes of this hierarchy applied.
  std::shared_ptr<ConsolidatedMetadata> MakeMerged(bool with_root);
  /// Returns true if this hierarchy creates a store with conditions, and has not put the root yet.
  bool IsFirst() const;
  /// Reads the documents of unsaved changes from the store again, because other processes may have changed them since.
  /// Each process changes a document first and then the consolidated metadata, which therefore end up with the last
  /// state.
  void RefreshUnsaved(const JsonNode& root, const ConsolidatedMetadata* stored);
  /// Returns true if the documents in memory contain all nodes of a group that can be listed.
  bool KnowsAllIn(std::string_view group) const;
  /// Returns true if no other process has saved a document since this hierarchy first changed it.
  bool IsOnlyChangedHere(const std::string& key, const ConsolidatedMetadata* stored) const;
  /// Returns true if the store has no document of a node.
  bool IsGone(const std::string& path) const;
  /// Adds attributes that only the stored consolidated metadata have, for nodes that are listed, unless this hierarchy
  /// has erased them, and for one node.
  void KeepAttributes(const ConsolidatedMetadata& listed, ConsolidatedMetadata* documents,
                      std::optional<std::string_view> but = {}) const;
  /// Updates the set of nodes from `merged`.
  void Adopt(const ConsolidatedMetadata& merged);
  void SaveInStep(std::string_view path, bool is_there);
  void SaveInStepOnce(std::string_view path, bool is_there);
  void SaveChangedElsewhereOnce(const std::vector<std::string>& paths);
  /// Adds the stored documents at and below a path.
  void CollectStored(std::string_view path, ConsolidatedMetadata* documents) const;
  /// Replaces the documents at and below a path in the stored consolidated metadata. Returns false if they are the
  /// same.
  static bool Replace(std::string_view path, const ConsolidatedMetadata& wanted, ConsolidatedMetadata* stored);
  void PutStored(const StoredConsolidated& stored);
  StoredConsolidated ReadStored() const;
  void CheckRootIsThere() const;
  void PutAll(const ConsolidatedMetadata& documents);
  /// Adds the stored documents of a node and its descendants.
  void Collect(std::string_view path, ConsolidatedMetadata* documents) const;

  const Parts parts_;
  NestedConsolidated nested_;
  std::shared_ptr<ConsolidatedMetadata> documents_;
  ConsolidatedChanges unsaved_;                                        // not in the stored consolidated metadata yet
  std::map<std::string, std::optional<JsonNode>, std::less<>> bases_;  // what `unsaved_` has first changed
  bool is_wanted_ = false;
  bool is_changed_ = false;  // since the last write
  bool is_put_ = false;
};

/// Returns true if the stored consolidated metadata of a format name a document of v2. Does not parse them, and they
/// may be damaged.
bool IsListed(const Store& store, const NodeFormat& format, const std::string& key);

}  // namespace zarr
