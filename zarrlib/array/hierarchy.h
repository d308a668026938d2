#pragma once

#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "zarrlib/array/array.h"
#include "zarrlib/json/json_node.h"
#include "zarrlib/metadata/array_metadata.h"
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
  bool consolidated() const { return consolidated_ != nullptr; }
  ZarrFormat format() const { return root_format_; }

  /// What stands at a path, or nothing.
  std::optional<NodeKind> Probe(std::string_view path) const;
  /// False where consolidated metadata rule out an array at that path. Asks the store nothing: for what other nodes
  /// refer to, and often is not there.
  bool MayHaveArray(std::string_view path) const;
  /// Throws Error(not_found) if there is no such node; what the parsers throw otherwise.
  std::shared_ptr<const Array> OpenArray(std::string_view path) const;
  GroupMetadata OpenGroup(std::string_view path) const;

  struct Child {
    std::string name;
    NodeKind kind;
  };
  /// The nodes directly under a group, sorted by name. From consolidated metadata where there are any, else by listing
  /// the store; empty where neither is possible.
  std::vector<Child> List(std::string_view path) const;

 private:
  Hierarchy() = default;
  bool FindRoot();
  /// The document of a node: from consolidated metadata, else from the store. Nothing if it is absent.
  std::optional<JsonNode> ReadDocument(std::string_view path, std::string_view name) const;
  bool HasV2(std::string_view path, std::string_view name) const;
  bool MayHave(ZarrFormat format) const;
  ArrayMetadata ReadArrayMetadata(std::string_view path) const;

  std::shared_ptr<Store> store_;
  HierarchyOptions options_;
  ZarrFormat root_format_ = ZarrFormat::kV3;
  bool implied_root_ = false;
  std::optional<JsonNode> root_;  // of v1 and before, which have no groups: the array
  std::shared_ptr<const ConsolidatedMetadata> consolidated_;
  mutable std::mutex mutex_;
  mutable std::unordered_map<std::string, std::weak_ptr<const Array>> arrays_;
};

}  // namespace zarr
