#pragma once

#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "zarrlib/json/json_node.h"
#include "zarrlib/metadata/array_summary.h"

namespace zarr {

/// The metadata documents of a hierarchy in one: v2's `.zmetadata`, or v3's inline `consolidated_metadata`.
/// Immutable; safe for any number of threads.
///
/// Of text, one pass finds where the documents stand; each is parsed when it is asked for.
class ConsolidatedMetadata {
 public:
  /// `.zmetadata`: {"zarr_consolidated_format": 1, "metadata": {"a/.zarray": ...}}.
  static std::shared_ptr<const ConsolidatedMetadata> FromV2(const JsonNode& zmetadata);
  /// The object `consolidated_metadata.metadata` of the root group: {"a": ..., "a/b": ...}. `root` is the group's own
  /// document. Names that are no paths ("..", "", a leading "/") are left out.
  static std::shared_ptr<const ConsolidatedMetadata> FromV3(const JsonNode& metadata, const JsonNode& root);

  /// As FromV2. Throws Error(corrupt) for text that is no JSON, as far as one pass tells.
  static std::shared_ptr<const ConsolidatedMetadata> FromTextOfV2(std::string text, std::string_view store,
                                                                  std::string_view key);

  /// The document with that key, for instance "a/zarr.json" or "a/.zattrs". Throws Error(corrupt) where it is no JSON.
  std::optional<JsonNode> Find(std::string_view key) const;
  bool Has(std::string_view key) const { return documents_.find(key) != documents_.end(); }
  /// The names directly below a path ("" is the root), sorted, those of implied groups included.
  std::vector<std::string> Children(std::string_view path) const;
  /// The keys of all documents, sorted.
  std::vector<std::string> Keys() const;

  /// A copy in which documents are replaced, added or, where there is nothing for a key, taken out.
  std::shared_ptr<const ConsolidatedMetadata> With(const std::map<std::string, std::optional<JsonNode>>& changes) const;

  /// What the v3 document of a node says that it is: "array", "group", or "" where that takes parsing.
  std::string_view NodeType(std::string_view path) const;
  /// What can be told of an array without parsing its documents; nothing where that does not suffice.
  std::optional<ArraySummary> Summarize(std::string_view path) const;

 private:
  friend class ConsolidatedReader;

  /// A document, or where it stands in the text.
  struct Entry {
    std::optional<JsonNode> node;
    std::string_view text;
    Outline outline;
  };

  const Entry* FindEntry(std::string_view key) const;
  std::optional<DataType> TypeOf(std::string_view text, bool v3) const;

  std::shared_ptr<const std::string> text_;
  std::string store_;
  std::string key_;                                      // of the text
  std::string pointer_;                                  // of the object that holds the documents
  std::map<std::string, Entry, std::less<>> documents_;  // by key
  mutable std::mutex mutex_;
  mutable std::unordered_map<std::string_view, DataType> types_;  // by their text
};

/// A `zarr.json` that may hold consolidated metadata.
struct RootOfV3 {
  JsonNode document;  ///< Without the member `consolidated_metadata`, if that could be told without parsing.
  std::shared_ptr<const ConsolidatedMetadata> consolidated;  ///< Null if there are none.
};

/// Throws Error(corrupt) for text that is no JSON, as far as one pass tells; what GroupFromV3 throws for a group.
RootOfV3 ParseRootOfV3(std::string text, std::string_view store, std::string_view key);

}  // namespace zarr
