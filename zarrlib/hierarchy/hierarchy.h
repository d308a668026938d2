// SPDX-License-Identifier: MIT
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "zarrlib/array/array.h"
#include "zarrlib/json/json_node.h"
#include "zarrlib/metadata/array_metadata.h"
#include "zarrlib/metadata/array_summary.h"
#include "zarrlib/store/store.h"

namespace zarr {

class EditableHierarchy;
class LinkedGroups;
class NodeDocuments;
class NodeFormat;
class OpenArrays;
class OwnDocuments;
class WaitingAttributes;
struct StoreRoot;

struct HierarchyOptions {
  bool use_consolidated = true;
  /// True to compare consolidated metadata with the own documents of nodes that are opened, if lookups in the store are
  /// cheap. The most recently changed ones take precedence.
  bool compare_consolidated = false;
  /// The form of the chunk keys, one of kChunkKeyForms, overriding the form that the metadata declare; "" to use that
  /// form.
  std::string chunk_key_form = {};
  /// Returns true for values that the program keeps next to documents; they are removed together with the documents.
  std::function<bool(const Store& store, std::string_view key)> is_side_file = {};
  MetadataOptions metadata;
  /// True to cache documents and arrays, within bounds: each is read and parsed once, and later changes of the store's
  /// metadata are not seen. For a store that is only read.
  bool keep_metadata = false;
  /// True to write pending documents of new nodes (see WaitingChanges) before their first chunks, so that each is
  /// written once. In a new remote store they are deferred from the start.
  bool may_wait = false;
  /// How long a hierarchy assumes that no other process uses a remote store that it has created in an empty location.
  /// Checking for changes of other processes costs a request each time, and creating a store takes less time than this.
  std::chrono::milliseconds alone_for{10'000};
  /// Called with a message for the user about each tolerated fault of a node, possibly more than once. Called in the
  /// thread that requests or reads the node. May be empty.
  ArrayWarner warn = {};
  /// The path of an array that will be opened first; "" if none is known. In a remote store, a v2 root that contains
  /// this array counts as a group without a lookup of its own documents.
  std::string first_array = {};
  /// True to open a store without any nodes as an empty group.
  bool may_be_empty = false;
};

/// Nodes and values that will be requested soon, if they exist.
struct ExpectedNodes {
  std::vector<std::string> arrays;
  std::vector<std::string> groups;
  std::vector<std::string> chunks;  ///< The keys of chunks of these arrays.
};

/// The nodes of a store. Everything is read on demand; consolidated metadata are read once. Thread-safe.
///
/// Paths are "" for the root, and "a/b" below it. If a node has metadata of several formats, v3 takes precedence over
/// v2, and v2 over v1; an array takes precedence over a group.
class Hierarchy {
 public:
  virtual ~Hierarchy();
  Hierarchy(const Hierarchy&) = delete;
  Hierarchy& operator=(const Hierarchy&) = delete;
  /// Throws Error(not_found) if the store's root is not a node of any format.
  static std::shared_ptr<Hierarchy> Open(std::shared_ptr<Store> store, const HierarchyOptions& options = {});

  /// Returns the same object if its nodes can be changed; otherwise null.
  virtual EditableHierarchy* editable() { return nullptr; }
  const EditableHierarchy* editable() const { return const_cast<Hierarchy*>(this)->editable(); }
  /// Returns the number of changes by this object that have ended, and may have added nodes. What was found before
  /// such a change may not be true any more; what is found while the number stays the same is.
  virtual std::uint64_t changes() const { return 0; }
  const std::shared_ptr<Store>& store() const { return store_; }
  /// Returns faults of the store that were tolerated when it was opened, as messages for its user.
  const std::vector<std::string>& warnings() const { return warnings_; }
  /// Returns true if nodes are found in consolidated metadata.
  bool consolidated() const;
  ZarrFormat format() const;

  /// Returns the kind of the node at a path; nullopt if there is none.
  std::optional<NodeKind> Probe(std::string_view path) const;
  /// Like Probe, but uses only consolidated metadata if there are any, without a lookup in the store.
  std::optional<NodeKind> ProbeListed(std::string_view path) const;
  /// Makes checks that go through all nodes several times cheaper; see NodeDocuments::RememberAbsent.
  std::shared_ptr<void> RememberAbsent() const;
  /// In a remote store without consolidated metadata, requests all unknown documents and the chunks at once. Returns
  /// false if it does nothing.
  bool Prefetch(const ExpectedNodes& nodes) const;
  /// Returns true if an array has been opened, and is still in use or cached.
  bool HasOpened(std::string_view path) const;
  /// Like HasOpened, but for any array at or below a path.
  bool HasOpenedIn(std::string_view path) const;
  /// Throws Error(not_found) if there is no such node; otherwise the errors of the parsers.
  std::shared_ptr<const Array> OpenArray(std::string_view path) const;
  /// Like OpenArray, but returns null if there is no array. Unlike Probe, does not check whether the path is a group.
  std::shared_ptr<const Array> FindArray(std::string_view path) const;
  GroupMetadata OpenGroup(std::string_view path) const;
  /// Summarises an array for a list. Consolidated metadata are not fully parsed for this: errors elsewhere in the
  /// array's metadata are reported only when it is opened. Otherwise throws like OpenArray.
  ArraySummary Summarize(std::string_view path) const;

  struct Child {
    std::string name;
    NodeKind kind;
  };
  /// Returns the nodes directly under a group, sorted by name. Uses consolidated metadata if there are any, and
  /// otherwise lists the store; returns an empty list if neither is possible. Groups that several symbolic links lead
  /// to are omitted as described in LinkedGroups. Throws Error(limit_exceeded) if a node exceeds Limit::kDepth.
  std::vector<Child> List(std::string_view path) const;

  /// Returns the pending changes of attributes (see WaitingChanges), which are applied by all functions above.
  const WaitingAttributes& waiting_attributes() const { return *waiting_attributes_; }

 protected:
  Hierarchy(std::shared_ptr<Store> store, const HierarchyOptions& options);
  /// Finds the root. Throws Error(not_found) if there is none.
  void OpenRoot();
  void SetFormat(const NodeFormat& format);
  bool IsOnNetwork() const;
  const std::shared_ptr<Store> store_;
  const HierarchyOptions options_;
  const std::unique_ptr<StoreRoot> root_;
  const std::unique_ptr<NodeDocuments> documents_;
  const std::unique_ptr<OpenArrays> arrays_;
  const std::unique_ptr<WaitingAttributes> waiting_attributes_;

 private:
  friend class NodeEditor;  // changes the data that the functions below read

  /// Returns the kind according to the node's own documents.
  std::optional<NodeKind> FindOwnKind(std::string_view path) const;
  /// Returns true if a single lookup shows that nothing exists at a path below the root. Returns false if more are
  /// needed.
  bool IsFree(std::string_view path) const;
  /// Like OpenArray's metadata, but without the pending attributes; nullopt if there is no array.
  std::optional<ArrayMetadata> FindStoredArray(std::string_view path) const;
  /// Like OpenGroup, but without the pending attributes.
  GroupMetadata ReadGroup(std::string_view path) const;
  /// Throws Error(not_found), which suggests similar nodes. `expected` is "an array" or "a group".
  [[noreturn]] void FailMissing(std::string_view path, std::string_view expected) const;

  bool FindRoot();
  bool MayHave(const NodeFormat& format) const;
  std::optional<ArrayMetadata> FindArrayMetadata(std::string_view path) const;
  /// Reads an array's metadata. Returns null if there is no array.
  std::shared_ptr<const Array> MakeArray(std::string_view path) const;
  /// Warns the user about faults that were tolerated in the document `key` of a node, or in another document named by
  /// the warning.
  void Warn(std::string_view path, const std::string& key, const std::vector<std::string>& warnings) const;
  /// Compares consolidated metadata with the own documents of a node. Throws Error(corrupt) for an array that no longer
  /// exists.
  void CompareWithOwn(std::string_view path, NodeKind kind) const;
  /// Stops using, with a warning, consolidated metadata that do not list any node of a group that has nodes.
  void LeaveEmptyConsolidated();
  /// These functions look into at most `*looks` folders below a folder without metadata, and decrease `*looks`.
  std::optional<NodeKind> ProbeWith(std::string_view path, std::size_t* looks) const;
  std::optional<NodeKind> ProbeListedWith(std::string_view path, std::size_t* looks) const;
  /// Returns true if a folder without metadata is a group because there is a node below it.
  bool IsImpliedGroup(std::string_view path, std::size_t* looks) const;
  bool HasNodeBelow(const std::string& path, std::size_t* looks) const;
  /// Returns the names of possible nodes directly under a group.
  std::vector<std::string> ListNames(std::string_view path) const;

  std::vector<std::string> warnings_;
  const std::unique_ptr<LinkedGroups> linked_groups_;
  std::unique_ptr<OwnDocuments> own_documents_;  // null if consolidated metadata are not compared with them
};

}  // namespace zarr
