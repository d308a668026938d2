#pragma once

#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "zarrlib/array/array.h"
#include "zarrlib/json/json_node.h"
#include "zarrlib/metadata/array_metadata.h"
#include "zarrlib/metadata/array_summary.h"
#include "zarrlib/metadata/consolidated.h"
#include "zarrlib/store/store.h"

namespace zarr {

struct HierarchyOptions {
  bool use_consolidated = true;
  MetadataOptions metadata;
};

enum class NodeKind { kGroup, kArray };

/// The nodes of a store. Nothing is read before it is asked for; consolidated metadata are read once. Thread-safe.
///
/// Paths are "" for the root, "a/b" below it. Of a node that has metadata of several formats, v3 goes before v2 and v2
/// before v1; an array goes before a group.
class Hierarchy {
 public:
  /// Throws Error(not_found) if the store's root is no node of any format.
  static std::shared_ptr<Hierarchy> Open(std::shared_ptr<Store> store, const HierarchyOptions& options = {});

  const std::shared_ptr<Store>& store() const { return store_; }
  /// What was wrong with the store and has been passed over, for whoever opened it.
  const std::vector<std::string>& warnings() const { return warnings_; }
  bool consolidated() const { return consolidated_ != nullptr; }
  ZarrFormat format() const { return root_format_; }

  /// What stands at a path, or nothing.
  std::optional<NodeKind> Probe(std::string_view path) const;
  /// As Probe, but where there are consolidated metadata, these alone are asked: costs no look into the store.
  std::optional<NodeKind> ProbeListed(std::string_view path) const;
  /// Throws Error(not_found) if there is no such node; what the parsers throw otherwise.
  std::shared_ptr<const Array> OpenArray(std::string_view path) const;
  GroupMetadata OpenGroup(std::string_view path) const;
  /// What a list says of an array. From consolidated metadata this takes no parsing, and what is wrong in the rest of
  /// the array's metadata is only said when it is opened; else throws as OpenArray.
  ArraySummary Summarize(std::string_view path) const;

  struct Child {
    std::string name;
    NodeKind kind;
  };
  /// The nodes directly under a group, sorted by name. From consolidated metadata where there are any, else by listing
  /// the store; empty where neither is possible.
  std::vector<Child> List(std::string_view path) const;

  // --- changing it ---------------------------------------------------------------------------------------------
  // What is changed is stored at once, each document whole. Consolidated metadata are stored by `WriteConsolidated`
  // (and where else they would name nodes that are gone: before a node is removed or moved, and with the root's
  // attributes), but all functions above answer from the changed ones. All throw Error(read_only) for a store that
  // takes no writes. Handles of arrays keep what they had when they were opened.

  /// A new store: its root is a group with those attributes, unless `root` is given. Throws Error(invalid_argument) if
  /// there is a node already.
  static std::shared_ptr<Hierarchy> Create(std::shared_ptr<Store> store, ZarrFormat format,
                                           const JsonNode& root_attributes = {}, const HierarchyOptions& options = {});
  /// As Create, with an array as the store's root: the only form that v1 has.
  static std::shared_ptr<Hierarchy> CreateRootArray(std::shared_ptr<Store> store, const ArrayMetadata& root,
                                                    const HierarchyOptions& options = {});
  /// In the format of the root. The parent must be a group. Throws Error(invalid_argument) if the path is taken.
  void CreateGroup(std::string_view path, const JsonNode& attributes = {});
  std::shared_ptr<const Array> CreateArray(std::string_view path, const ArrayMetadata& metadata);
  /// Of a group or an array; an object, or null for none.
  void SetAttributes(std::string_view path, const JsonNode& attributes);
  /// Replaces an array's metadata: another shape, grid (whose live chunks stay), fill value, dimension names or
  /// attributes.
  std::shared_ptr<const Array> UpdateArray(std::string_view path, const ArrayMetadata& metadata);
  /// A node with all below it, metadata first. Throws Error(invalid_argument) for the root, Error(unsupported) where
  /// the store cannot list.
  void Delete(std::string_view path);
  /// Moves a node with all below it: in one step where the store can, else by copies, the new node's metadata last.
  /// Throws Error(invalid_argument) if `to` is taken or lies below `from`, Error(unsupported) where the store cannot
  /// list.
  void Rename(std::string_view from, std::string_view to);
  /// Stores the consolidated metadata of a store that has some, or is to have some, if they have changed.
  void WriteConsolidated();
  /// Whether `WriteConsolidated` shall make consolidated metadata where there were none.
  void SetConsolidate(bool consolidate);

 private:
  Hierarchy() = default;
  bool FindRoot();
  /// The document of a node: from consolidated metadata, else from the store. Nothing if it is absent.
  std::optional<JsonNode> ReadDocument(std::string_view path, std::string_view name) const;
  std::optional<NodeKind> ProbeV3(std::string_view path) const;
  bool HasV2(std::string_view path, std::string_view name) const;
  bool MayHave(ZarrFormat format) const;
  ArrayMetadata ReadArrayMetadata(std::string_view path) const;

  // hierarchy_changes
  static std::shared_ptr<Hierarchy> MakeNew(std::shared_ptr<Store> store, ZarrFormat format,
                                            const HierarchyOptions& options);
  void CheckWritable() const;
  /// That a node can be made at a path: its name is one, it is not taken, its parent is a group.
  void CheckNew(std::string_view path) const;
  /// Makes room for an array: what a removed one may have left.
  void ClearRemains(std::string_view path);
  ZarrFormat FormatOf(std::string_view path) const;
  void PutDocuments(std::string_view path, const std::vector<MetadataDocument>& documents);
  void PutDocument(std::string_view path, std::string_view name, const JsonNode& content);
  void EraseDocument(std::string_view path, std::string_view name);
  void EraseNodeDocuments(std::string_view path);
  /// Opens an array of which metadata have just been stored.
  std::shared_ptr<const Array> Reopen(std::string_view path);
  void ForgetArrays(std::string_view path);
  void CopyNode(std::string_view from, std::string_view to);
  void SetArrayAttributes(std::string_view path, const JsonNode& attributes);
  bool HasStoredConsolidated() const;
  /// Removes the consolidated metadata of groups above a node, other than the root: they would be stale.
  void DropOwnConsolidated(std::string_view path);
  void StoreConsolidated();
  void CollectDocuments(std::string_view path, ConsolidatedMetadata* documents) const;

  std::shared_ptr<Store> store_;
  HierarchyOptions options_;
  std::vector<std::string> warnings_;
  ZarrFormat root_format_ = ZarrFormat::kV3;
  bool implied_root_ = false;
  std::optional<JsonNode> root_;          // of v1 and before, which have no groups: the array
  std::optional<JsonNode> v3_root_;       // the root's zarr.json, without consolidated metadata if these are used
  bool root_holds_consolidated_ = false;  // the stored zarr.json does
  std::shared_ptr<ConsolidatedMetadata> consolidated_;
  std::mutex change_mutex_;  // one change at a time; taken before `mutex_`
  /// All documents, to be stored as consolidated metadata: `consolidated_`, or those of a store that this has made.
  std::shared_ptr<ConsolidatedMetadata> documents_;
  std::set<std::string> without_own_;  // groups that have no consolidated metadata of their own
  bool consolidate_ = false;
  bool changed_ = false;  // since consolidated metadata were stored
  bool consolidated_stored_ = false;
  mutable std::mutex mutex_;  // of `root_`, `v3_root_` and `arrays_`
  mutable std::unordered_map<std::string, std::weak_ptr<const Array>> arrays_;
};

}  // namespace zarr
