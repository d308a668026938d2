#pragma once

#include <map>
#include <memory>
#include <optional>
#include <shared_mutex>
#include <string>
#include <string_view>
#include <vector>

#include "zarrlib/json/json_node.h"

namespace zarr {

/// The metadata documents of a hierarchy in one: v2's `.zmetadata`, or v3's inline `consolidated_metadata`.
/// Safe for any number of threads.
class ConsolidatedMetadata {
 public:
  /// `.zmetadata`: {"zarr_consolidated_format": 1, "metadata": {"a/.zarray": ...}}.
  static std::shared_ptr<ConsolidatedMetadata> FromV2(const JsonNode& zmetadata);
  /// The object `consolidated_metadata.metadata` of the root group: {"a": ..., "a/b": ...}. `root` is the group's own
  /// document. Names that are no paths ("..", "", a leading "/") are left out.
  static std::shared_ptr<ConsolidatedMetadata> FromV3(const JsonNode& metadata, const JsonNode& root);

  /// The document with that key, for instance "a/zarr.json" or "a/.zattrs".
  std::optional<JsonNode> Find(std::string_view key) const;
  /// The names directly below a path ("" is the root), sorted, those of implied groups included.
  std::vector<std::string> Children(std::string_view path) const;
  /// The keys of all documents, sorted.
  std::vector<std::string> Keys() const;

  // --- changing them: by whole segments of paths, "a" and "ab" are unrelated ---
  void Set(std::string_view key, JsonNode document);
  void Erase(std::string_view key);
  /// The documents of a node, and of all below it.
  void EraseNode(std::string_view path);
  void MoveNode(std::string_view from, std::string_view to);

 private:
  mutable std::shared_mutex documents_mutex_;
  std::map<std::string, JsonNode, std::less<>> documents_;  // by key
};

}  // namespace zarr
