// SPDX-License-Identifier: MIT
#pragma once

#include <chrono>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "zarrlib/array/array.h"
#include "zarrlib/json/json_node.h"
#include "zarrlib/metadata/array_metadata.h"
#include "zarrlib/metadata/array_summary.h"
#include "zarrlib/store/store.h"
#include "zarrlib/store/store_folders.h"
#include "zarrlib/store/store_locks.h"

namespace zarr {

class ConsolidatedChanges;
class LinkedGroups;
class ConsolidatedMetadata;
class JsonChanges;
class NodeDocuments;
class NodeFormat;
class OwnDocuments;
class WaitingAttributes;
struct DocumentChange;
struct StoredConsolidated;

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
  /// Whether the documents of a new store on a network wait from the start (see DeferChanges), so that each is put
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
  ~Hierarchy();
  Hierarchy(const Hierarchy&) = delete;
  Hierarchy& operator=(const Hierarchy&) = delete;
  /// Throws Error(not_found) if the store's root is no node of any format.
  static std::shared_ptr<Hierarchy> Open(std::shared_ptr<Store> store, const HierarchyOptions& options = {});

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

  // --- changing it ---------------------------------------------------------------------------------------------
  // Changes are put into the store at once, each document whole (but see ChangeAttributesLater and DeferChanges). New
  // nodes and attributes come into consolidated metadata by `WriteConsolidated`; what is removed, moved, or gets
  // another shape is in step with them before and after each call. All functions above answer from the changed ones.
  // All throw Error(read_only) as CheckWritable, and Error(unsupported) for a node, or the group of a new one, that has
  // metadata of several formats (CheckOneFormat), and for changes of nodes that NCZarr lists (CheckNoNczarrLists).
  // Handles of arrays keep what they had when they were opened.
  //
  // Each change locks the documents that it replaces (zarr::Lock), reads them again, and changes nothing else in them:
  // changes that other handles and processes have made since this was opened stay. It removes nothing that this did not
  // know.

  /// Throws Error(read_only) if the store, or the version of its root, takes no changes.
  void CheckWritable() const;
  /// A new store: its root is a group with those attributes. Throws Error(invalid_argument) unless its folder is empty
  /// or absent, where the store can tell.
  static std::shared_ptr<Hierarchy> Create(std::shared_ptr<Store> store, ZarrFormat format,
                                           const JsonNode& root_attributes = {}, const HierarchyOptions& options = {});
  /// As Create, with an array as the store's root: the only form that v1 has.
  static std::shared_ptr<Hierarchy> CreateRootArray(std::shared_ptr<Store> store, const ArrayMetadata& root,
                                                    const HierarchyOptions& options = {});
  /// In the format of the root. The parent must be a group. Throws Error(invalid_argument) that names what is at the
  /// path if anything is, be it no node.
  void CreateGroup(std::string_view path, const JsonNode& attributes = {});
  std::shared_ptr<const Array> CreateArray(std::string_view path, const ArrayMetadata& metadata);
  /// Replaces the attributes of a group or an array by an object, or, with null, removes them.
  void SetAttributes(std::string_view path, const JsonNode& attributes);
  /// Replaces the attributes of a group or an array by those that `change` makes of the stored ones, an object.
  void EditAttributes(std::string_view path, const std::function<JsonNode(const JsonNode& stored)>& change);
  /// Lets changes of the attributes of a group or an array wait, which `add` adds to those that wait already: however
  /// many there are, the node's document is put once. All functions answer with them. They are made in what is stored
  /// then, by `PutAttributes` or the next other change of the node. Throws at once what EditAttributes throws before it
  /// reads the document, unless this has made the node.
  void ChangeAttributesLater(std::string_view path, const std::function<void(JsonChanges& changes)>& add);
  /// The changes that wait.
  const WaitingAttributes& waiting_attributes() const { return *waiting_attributes_; }
  /// Puts the attributes that wait. Those of a node that fails wait on, and do not keep the others from being put; the
  /// first error is thrown.
  void PutAttributes();
  /// Makes the change that leads from `before` to `after`: another shape, grid (whose live chunks stay), fill value,
  /// dimension names or attributes. What is equal in both stays as it is stored. Throws Error(invalid_argument) if the
  /// shape is to change, and the stored one is not that of `before`.
  std::shared_ptr<const Array> UpdateArray(std::string_view path, const ArrayMetadata& before,
                                           const ArrayMetadata& after);
  /// Replaces an array's metadata, whatever they are now.
  std::shared_ptr<const Array> UpdateArray(std::string_view path, const ArrayMetadata& metadata);
  /// Locks all values of nodes, for several changes by this hierarchy that belong together, while the returned object
  /// lives. Also locks the documents of the groups above them.
  std::shared_ptr<void> LockNodes(const std::vector<std::string>& paths);
  /// Locks a group's folder for a series of changes that belong together while the returned object lives, and takes the
  /// group and its nodes as they are stored now. Excludes others that call this. Returns null where nobody else is
  /// expected, because this is making the store, and where locks do not exclude them. While it is held, changes that
  /// wait are to be put by `PutWaiting`, so that others see them.
  std::unique_ptr<StoreLock> LockGroup(std::string_view path);
  /// Whether changes of a node wait, because this has made it.
  bool IsBeingMade(std::string_view path) const;
  /// Puts changes that wait (see DeferChanges) into the store; later ones wait again.
  void PutWaiting();
  /// Puts those of nodes that this has made. Waits for nobody, so that whoever has locked a value may call it: while
  /// another thread changes a document, it does nothing.
  void PutMade();
  /// Whether changes wait. Takes no lock for long.
  bool HasWaiting() const;
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

  /// From now on changed attributes and array metadata wait in memory until `WriteConsolidated`, so that each document
  /// is put once. Only nodes that this has made wait: nobody else is to change them meanwhile. On a network, where
  /// nothing keeps another process from making a node of the same name, new nodes wait too.
  void DeferChanges();
  /// Puts the changes that wait into the store, and those of attributes; later ones of other kinds go there at once.
  void EndDeferring();

 private:
  Hierarchy(std::shared_ptr<Store> store, const HierarchyOptions& options);
  /// Makes the object. Documents that wait go before values (see DocumentsFirst).
  static std::shared_ptr<Hierarchy> Make(std::shared_ptr<Store> store, const HierarchyOptions& options);
  bool FindRoot();
  void SetFormat(const NodeFormat& format);
  bool MayHave(const NodeFormat& format) const;
  ArrayMetadata ReadArrayMetadata(std::string_view path) const;
  /// Throws Error(not_found), which names nodes that may have been meant. `expected` is "an array" or "a group".
  [[noreturn]] void FailMissing(std::string_view path, std::string_view expected) const;
  /// As ReadArrayMetadata; nothing if there is no array.
  std::optional<ArrayMetadata> FindArrayMetadata(std::string_view path) const;
  /// As FindArrayMetadata, without the attributes that wait.
  std::optional<ArrayMetadata> FindStoredArray(std::string_view path) const;
  /// Tells the user what was tolerated in the document `key` of a node, or, where a warning names it, in another one.
  void Warn(std::string_view path, const std::string& key, const std::vector<std::string>& warnings) const;
  /// Compares consolidated metadata with the own documents of a node. Throws Error(corrupt) for an array that is gone.
  void CompareWithOwn(std::string_view path, NodeKind kind) const;
  /// Leaves consolidated metadata that list no node of a group that has some, with a warning.
  void LeaveEmptyConsolidated();
  /// Tells the user, once, of a new node of v3 whose name is reserved.
  void WarnOfReserved(std::string_view path);
  /// The kind that the node's own documents tell.
  std::optional<NodeKind> FindOwnKind(std::string_view path) const;
  /// Whether one look tells that nothing is at a path below the root. False where that takes more.
  bool IsFree(std::string_view path) const;
  /// These look into at most that many folders below a folder without metadata of its own, and take them off.
  std::optional<NodeKind> ProbeWith(std::string_view path, std::size_t* looks) const;
  std::optional<NodeKind> ProbeListedWith(std::string_view path, std::size_t* looks) const;
  /// Whether a folder without metadata of its own is a group, because a node is below it.
  bool IsImpliedGroup(std::string_view path, std::size_t* looks) const;
  bool HasNodeBelow(const std::string& path, std::size_t* looks) const;
  /// The names of what may be nodes directly under a group.
  std::vector<std::string> ListNames(std::string_view path) const;
  /// Throws Error(unsupported) for an implied group: nothing tells which values in its folder are its own.
  void CheckHasDocuments(std::string_view path) const;

  // hierarchy_locks
  /// Locks documents for this hierarchy while the returned object lives. Those that it has locked already stay so.
  /// `change_mutex_` must be held.
  std::shared_ptr<void> LockDocuments(std::vector<std::string> keys);
  /// The key of the document that is locked for a change of the node at a path.
  std::string GetLockKey(std::string_view path) const;
  std::string GetLockKey(std::string_view path, const NodeFormat& format) const;
  /// Locks a node of a format, and takes its documents from the store.
  std::shared_ptr<void> LockAndRefresh(std::string_view path, const NodeFormat& format);

  // hierarchy_edit
  static std::shared_ptr<Hierarchy> MakeNew(std::shared_ptr<Store> store, ZarrFormat format,
                                            const HierarchyOptions& options);
  /// That a node can be made at a path: its name is one, nothing is there, its parent is a group.
  void CheckNew(std::string_view path) const;
  /// As CheckOneFormat.
  void CheckFormat(std::string_view path) const;
  void CheckFormat(std::string_view path, const NodeFormat& format) const;
  /// Changes what is stored of the attributes of a node, with those that wait.
  void EditStored(std::string_view path, const std::function<JsonNode(const JsonNode& stored)>& change);
  /// As EditStored, when the node is locked or is not stored yet.
  void EditLocked(std::string_view path, const std::function<JsonNode(const JsonNode& stored)>& change);
  /// Calls a function for each node whose attributes wait. Throws the first error when all are done.
  void ForWaiting(const std::function<void(const std::string& path)>& put);
  struct FoundNode {
    NodeKind kind;
    const NodeFormat* format;
  };
  /// Finds a node of which documents are to be changed. Throws Error: read_only as CheckWritable; not_found.
  FoundNode FindChangeable(std::string_view path) const;
  /// As OpenGroup, without the attributes that wait.
  GroupMetadata ReadGroup(std::string_view path) const;
  /// As CheckNoNczarrLists.
  void CheckLists(std::string_view group) const;
  /// The format of the node at a path, or of the root where there is none.
  const NodeFormat& GetFormat(std::string_view path) const;
  /// Puts the documents of a new node at once, so that its chunks never stand without them. After an error nothing is
  /// left of the node, as far as the store lets it be removed.
  void PutDocuments(std::string_view path, const std::vector<MetadataDocument>& documents);
  void TakeBackDocuments(std::string_view path, const std::vector<MetadataDocument>& documents);
  /// Puts the document that makes a new node one. Throws Error(invalid_argument) if another process has just done that.
  void PutFirst(std::string_view path, const MetadataDocument& document);
  /// Notes a change for the consolidated metadata.
  void Note(const std::string& key, const std::optional<JsonNode>& document);
  void ApplyChanges(std::string_view path, const std::vector<DocumentChange>& changes);
  void PutDocument(std::string_view path, std::string_view name, const JsonNode& content, bool may_wait);
  void EraseDocument(std::string_view path, std::string_view name);
  /// Opens an array of which metadata have just been stored.
  std::shared_ptr<const Array> Reopen(std::string_view path);
  /// Lets the array be made anew when it is opened next. Takes no memory.
  void DropSnapshot(const std::string& path);
  /// Makes a change of an array's metadata, after which, and after its failure, the array is made anew.
  void ChangeSnapshot(std::string_view path, const std::function<void()>& change);
  /// Makes the change of UpdateArray in the array's own documents. Returns whether the shape has changed.
  bool ChangeStoredArray(std::string_view path, const ArrayMetadata& before, const ArrayMetadata& after);
  void ForgetArrays(std::string_view path);
  void NoteCreated(std::string_view path);
  void ForgetCreated(std::string_view path);
  /// Whether each look into the store costs a request.
  bool IsOnNetwork() const;
  /// Moves a node in a store that renames prefixes. While it is moved, consolidated metadata name neither place.
  void MoveInOneStep(std::string_view from, std::string_view to);
  /// Moves a node in another store. Consolidated metadata name one of the places at any time.
  Leftovers MoveByCopies(std::string_view from, std::string_view to);
  void TakeBackCopy(const std::vector<std::string>& copies, std::string_view to);
  /// Throws Error unless there is a node that can be moved away from here.
  void CheckMovable(std::string_view path) const;
  bool ExchangeFolders(std::string_view first, std::string_view second);
  /// Takes the documents of a node for the next consolidated metadata as they are stored now. Throws Error: those of
  /// the store, and that of a document that cannot be read.
  void NoteStored(std::string_view path);
  /// After a removal or a move that failed: puts into consolidated metadata what was taken out of them and is still, or
  /// now, at those paths. If that fails too, removes them, so that readers look at the nodes themselves.
  void NameWhatIsThere(const std::vector<MetadataDocument>& taken, std::string_view from,
                       const std::vector<std::string_view>& paths);

  // hierarchy_consolidated
  bool HasStoredConsolidated() const;
  /// Removes the stored consolidated metadata, if there are some; `WriteConsolidated` makes them anew.
  void DropConsolidated();
  void DropConsolidatedIfPossible();
  /// Notes the documents of a node that are other ones in the stored consolidated metadata: so a change whose first
  /// attempt failed before it came there is complete after the next one, which finds nothing to change.
  void NoteIfOutOfStep(std::string_view path);
  /// Removes the consolidated metadata of groups above a node, other than the root: they would be stale.
  void DropOwnConsolidated(std::string_view path);
  void SaveChangedConsolidated();
  /// `with_root`: puts the root's document, which has just changed, together with them.
  void SaveConsolidated(bool with_root = false);
  /// All that is to be in the consolidated metadata: what is stored there, with the changes of this hierarchy.
  std::shared_ptr<ConsolidatedMetadata> MergeConsolidated(bool with_root);
  /// Takes the documents of unsaved changes from the store: others may have changed them since. Each changes a document
  /// first, and then the consolidated metadata, which thus get its last state in the end.
  void RefreshUnsaved(const JsonNode& root);
  /// Takes over which nodes the consolidated metadata now have.
  void AdoptConsolidated(const ConsolidatedMetadata& merged);
  /// Brings the stored consolidated metadata, where there are any, in step with what is at and below a path, or takes
  /// that out of them if it is not to be there.
  void SaveInStep(std::string_view path, bool is_there);
  StoredConsolidated ReadStoredConsolidated() const;
  /// Whether this has made the node at a path.
  bool HasMade(std::string_view path) const;
  /// Whether this has just made the store on a network, so that nobody else is expected to have changed it yet.
  bool IsAlone() const;
  /// Whether others may have changed the consolidated metadata, and the store tells it.
  bool MayShareConsolidated() const;
  /// The documents of a node and of all below it, by their keys, if there are consolidated metadata in use. They may
  /// lack a node after a change that failed; then its documents are those of the store.
  std::vector<MetadataDocument> FindInConsolidated(std::string_view path) const;
  /// Takes a node with all below it out of the consolidated metadata, here and in the store.
  void TakeFromConsolidated(std::string_view path);
  /// Puts them back, with the path that they have now.
  void PutIntoConsolidated(const std::vector<MetadataDocument>& taken, std::string_view from, std::string_view to);
  /// Throws Error(io) if a store on a local disk has been removed since it was opened: a root that is put now would
  /// name nodes that are not there.
  void CheckRootIsThere() const;
  void PutConsolidated(const ConsolidatedMetadata& documents);
  void CollectDocuments(std::string_view path, ConsolidatedMetadata* documents) const;

  std::shared_ptr<Store> store_;
  HierarchyOptions options_;
  std::vector<std::string> warnings_;
  const NodeFormat* format_ = nullptr;      // of the root
  std::vector<const NodeFormat*> formats_;  // in which nodes are looked for
  std::unique_ptr<NodeDocuments> documents_;
  bool implied_root_ = false;
  bool root_is_group_ = false;            // an array below it says so
  bool root_holds_consolidated_ = false;  // the stored document of the root does
  std::mutex change_mutex_;               // one change at a time; taken before `mutex_`
  /// All documents, to be put as consolidated metadata: those in use, or those of a store that this has made.
  std::shared_ptr<ConsolidatedMetadata> all_documents_;
  std::unique_ptr<ConsolidatedChanges> unsaved_;  // not in the stored consolidated metadata yet
  std::mutex series_mutex_;                       // held from `LockNodes` on; taken before `change_mutex_`
  std::mutex locked_mutex_;
  std::set<std::string, std::less<>> locked_;       // the keys of the documents that are locked
  std::set<std::string, std::less<>> without_own_;  // groups that have no consolidated metadata of their own
  bool consolidate_ = false;
  bool changed_ = false;  // since consolidated metadata were put
  bool consolidated_stored_ = false;
  bool made_in_empty_place_ = false;  // by this, in a folder that was seen to be empty
  std::chrono::steady_clock::time_point made_at_;
  std::vector<std::string> created_;  // in order
  std::unordered_set<std::string> created_names_;
  const std::unique_ptr<WaitingAttributes> waiting_attributes_;
  std::unique_ptr<LinkedGroups> linked_groups_;
  std::unique_ptr<OwnDocuments> own_documents_;  // null if consolidated metadata are not compared with them
  bool warned_of_reserved_ = false;
  mutable std::mutex mutex_;  // of `arrays_`, `kept_arrays_` and `created_`
  mutable std::unordered_map<std::string, std::weak_ptr<const Array>> arrays_;
  mutable std::vector<std::shared_ptr<const Array>> kept_arrays_;  // if options_.keep_metadata
  mutable std::size_t kept_fill_bytes_ = 0;                        // those of the fill values of `kept_arrays_`
};

}  // namespace zarr
