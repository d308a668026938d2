// SPDX-License-Identifier: MIT
#pragma once

#include <chrono>
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
  /// Whether consolidated metadata are compared with the own documents of nodes that are opened, where looks into the
  /// store cost little. Those that changed last count.
  bool compare_consolidated = false;
  /// The form of the keys of chunks, one of kChunkKeyForms, in place of the one that the metadata declare; "" for that.
  std::string chunk_key_form = {};
  /// Tells the values that the program keeps beside documents, and that are removed with them.
  std::function<bool(const Store& store, std::string_view key)> is_side_file = {};
  MetadataOptions metadata;
  /// Whether documents and arrays that were read are kept, within bounds: each is read and parsed once, and the store's
  /// metadata are taken as they were then. For a store that is only read.
  bool keep_metadata = false;
  /// Whether the documents of a new store on a network wait from the start (see WaitingChanges), so that each is put
  /// once.
  bool may_wait = false;
  /// How long after it has made a store on a network, in a place that was seen to be empty, a hierarchy counts as alone
  /// there. Each look at what others did costs a request, and making a store takes less than this.
  std::chrono::milliseconds alone_for{10'000};
  /// Is told what was tolerated in a node, as a message for the user; the same may be told several times. Called in the
  /// thread that asks for the node, or reads it. May be empty.
  ArrayWarner warn = {};
  /// The path of an array that will be opened first; "" if none is known. Where each look costs a request, a root of v2
  /// that has this array below it counts as a group without a look at its own documents.
  std::string first_array = {};
};

/// Nodes and values that will be asked for soon, if they are there.
struct ExpectedNodes {
  std::vector<std::string> arrays;
  std::vector<std::string> groups;
  std::vector<std::string> chunks;  ///< The keys of chunks of such arrays.
};

/// The nodes of a store. Nothing is read before it is asked for; consolidated metadata are read once. Thread-safe.
///
/// Paths are "" for the root, "a/b" below it. Of a node that has metadata of several formats, v3 goes before v2 and v2
/// before v1; an array goes before a group.
class Hierarchy {
 public:
  virtual ~Hierarchy();
  Hierarchy(const Hierarchy&) = delete;
  Hierarchy& operator=(const Hierarchy&) = delete;
  /// Throws Error(not_found) if the store's root is no node of any format.
  static std::shared_ptr<Hierarchy> Open(std::shared_ptr<Store> store, const HierarchyOptions& options = {});

  /// The same object, if its nodes can be changed; else null.
  virtual EditableHierarchy* editable() { return nullptr; }
  const EditableHierarchy* editable() const { return const_cast<Hierarchy*>(this)->editable(); }
  const std::shared_ptr<Store>& store() const { return store_; }
  /// Faults of the store that were passed over when it was opened, as messages for its user.
  const std::vector<std::string>& warnings() const { return warnings_; }
  /// Whether nodes are found in consolidated metadata.
  bool consolidated() const;
  ZarrFormat format() const;

  /// The kind of the node at a path; nothing if there is none.
  std::optional<NodeKind> Probe(std::string_view path) const;
  /// As Probe, but where there are consolidated metadata, these alone are asked: costs no look into the store.
  std::optional<NodeKind> ProbeListed(std::string_view path) const;
  /// Where each look costs a request and there are no consolidated metadata, asks at once for the documents that are
  /// not known, and for the chunks. Returns false if it does nothing.
  bool Prefetch(const ExpectedNodes& nodes) const;
  /// Whether an array has been opened, and is still in use or kept.
  bool HasOpened(std::string_view path) const;
  /// Does the same for an array at a path or below it.
  bool HasOpenedIn(std::string_view path) const;
  /// Throws Error(not_found) if there is no such node; what the parsers throw otherwise.
  std::shared_ptr<const Array> OpenArray(std::string_view path) const;
  /// As OpenArray; null if there is no array. Takes no look for a group there, as Probe does.
  std::shared_ptr<const Array> FindArray(std::string_view path) const;
  GroupMetadata OpenGroup(std::string_view path) const;
  /// Summarises an array for a list. From consolidated metadata this takes no parsing, and a fault in the rest of
  /// the array's metadata is only said when it is opened; else throws as OpenArray.
  ArraySummary Summarize(std::string_view path) const;

  struct Child {
    std::string name;
    NodeKind kind;
  };
  /// The nodes directly under a group, sorted by name. From consolidated metadata where there are any, else by listing
  /// the store; empty where neither is possible. Groups that several symbolic links lead to are left out as
  /// LinkedGroups says. Throws Error(limit_exceeded) if a node there is beyond Limit::kDepth.
  std::vector<Child> List(std::string_view path) const;

  /// The changes of attributes that wait to be put (see WaitingChanges): all functions above answer with them.
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
  friend class NodeEditor;  // changes what the functions below read

  /// The kind that the node's own documents tell.
  std::optional<NodeKind> FindOwnKind(std::string_view path) const;
  /// Whether one look tells that nothing is at a path below the root. False where that takes more.
  bool IsFree(std::string_view path) const;
  /// As OpenArray's metadata, but without the attributes that wait; nothing if there is no array.
  std::optional<ArrayMetadata> FindStoredArray(std::string_view path) const;
  /// As OpenGroup, without the attributes that wait.
  GroupMetadata ReadGroup(std::string_view path) const;
  /// Throws Error(not_found), which names nodes that may have been meant. `expected` is "an array" or "a group".
  [[noreturn]] void FailMissing(std::string_view path, std::string_view expected) const;

  bool FindRoot();
  bool MayHave(const NodeFormat& format) const;
  std::optional<ArrayMetadata> FindArrayMetadata(std::string_view path) const;
  /// Tells the user what was tolerated in the document `key` of a node, or, where a warning names it, in another one.
  void Warn(std::string_view path, const std::string& key, const std::vector<std::string>& warnings) const;
  /// Compares consolidated metadata with the own documents of a node. Throws Error(corrupt) for an array that is gone.
  void CompareWithOwn(std::string_view path, NodeKind kind) const;
  /// Leaves consolidated metadata that list no node of a group that has some, with a warning.
  void LeaveEmptyConsolidated();
  /// These look into at most that many folders below a folder without metadata of its own, and take them off.
  std::optional<NodeKind> ProbeWith(std::string_view path, std::size_t* looks) const;
  std::optional<NodeKind> ProbeListedWith(std::string_view path, std::size_t* looks) const;
  /// Whether a folder without metadata of its own is a group, because a node is below it.
  bool IsImpliedGroup(std::string_view path, std::size_t* looks) const;
  bool HasNodeBelow(const std::string& path, std::size_t* looks) const;
  /// The names of what may be nodes directly under a group.
  std::vector<std::string> ListNames(std::string_view path) const;

  std::vector<std::string> warnings_;
  const std::unique_ptr<LinkedGroups> linked_groups_;
  std::unique_ptr<OwnDocuments> own_documents_;  // null if consolidated metadata are not compared with them
};

}  // namespace zarr
