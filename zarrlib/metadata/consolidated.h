#pragma once

#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <shared_mutex>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "zarrlib/base/bytes.h"
#include "zarrlib/json/json_node.h"
#include "zarrlib/metadata/array_outline.h"
#include "zarrlib/metadata/array_summary.h"

namespace zarr {

/// The metadata documents of a hierarchy in one: v2's `.zmetadata`, or v3's inline `consolidated_metadata`.
/// Safe for any number of threads.
///
/// Of text, one pass finds where the documents stand; each is parsed when it is asked for.
class ConsolidatedMetadata {
 public:
  /// `.zmetadata`: {"zarr_consolidated_format": 1, "metadata": {"a/.zarray": ...}}.
  static std::shared_ptr<ConsolidatedMetadata> FromV2(const JsonNode& zmetadata);
  /// The object `consolidated_metadata.metadata` of the root group: {"a": ..., "a/b": ...}. `root` is the group's own
  /// document. Names that are no paths ("..", "", a leading "/") are left out.
  static std::shared_ptr<ConsolidatedMetadata> FromV3(const JsonNode& metadata, const JsonNode& root);

  /// As FromV2. Throws Error(corrupt) for text that is no JSON, as far as one pass tells.
  static std::shared_ptr<ConsolidatedMetadata> FromTextOfV2(Bytes text, std::string_view store, std::string_view key);

  /// The document with that key, for instance "a/zarr.json" or "a/.zattrs". Throws Error(corrupt) where it is no JSON.
  std::optional<JsonNode> Find(std::string_view key) const;
  bool Has(std::string_view key) const;
  /// Whether the document that tells what a node is is among them.
  bool HasNode(std::string_view path) const;
  /// The names directly below a path ("" is the root), sorted, those of implied groups included.
  std::vector<std::string> Children(std::string_view path) const;
  /// The keys of all documents, sorted.
  std::vector<std::string> Keys() const;

  /// What the v3 document of a node says that it is: "array", "group", or "" where that takes parsing.
  std::string_view NodeType(std::string_view path) const;
  /// What can be told of an array without parsing its documents; nothing where that does not suffice.
  std::optional<ArraySummary> Summarize(std::string_view path) const;

  // --- changing them: by whole segments of paths, "a" and "ab" are unrelated ---
  void Set(std::string_view key, JsonNode document);
  void Erase(std::string_view key);
  /// The documents of a node, and of all below it.
  void EraseNode(std::string_view path);
  void MoveNode(std::string_view from, std::string_view to);

 private:
  friend class ConsolidatedReader;

  /// A document, or where it stands in the text.
  struct Entry {
    std::optional<JsonNode> node;
    std::string_view text;
    Outline outline;
    std::string pointer;  // of the text
  };

  /// With the documents' mutex held.
  const Entry* FindEntry(std::string_view key) const;
  std::string_view NodeTypeLocked(std::string_view path) const;
  std::optional<DataType> TypeOf(std::string_view text, bool v3) const;

  Bytes text_;
  std::string store_;
  std::string key_;  // of the text
  mutable std::shared_mutex documents_mutex_;
  std::map<std::string, Entry, std::less<>> documents_;  // by key
  mutable std::mutex types_mutex_;
  mutable std::unordered_map<std::string_view, DataType> types_;  // by their text
};

/// Whether the text of a `.zmetadata` is of kerchunk references in Parquet, whose folder looks like a store without
/// chunks.
bool IsOfParquetReferences(std::string_view text);

/// A `zarr.json` that may hold consolidated metadata.
struct RootOfV3 {
  JsonNode document;  ///< Without the member `consolidated_metadata`, if that could be told without parsing.
  std::shared_ptr<ConsolidatedMetadata> consolidated;  ///< Null if there are none.
  bool has_member = false;                             ///< The text has it, whether it can be used or not.
};

/// Throws Error(corrupt) for text that is no JSON, as far as one pass tells; what GroupFromV3 throws for a group.
RootOfV3 ParseRootOfV3(Bytes text, std::string_view store, std::string_view key);

}  // namespace zarr
