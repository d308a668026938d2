// SPDX-License-Identifier: MIT
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

/// The metadata documents of a hierarchy in one document: v2's `.zmetadata`, or v3's inline `consolidated_metadata`.
/// Safe for any number of threads.
///
/// One pass over the text finds the documents; each is parsed on first use.
class ConsolidatedMetadata {
 public:
  /// Parses `.zmetadata`: {"zarr_consolidated_format": 1, "metadata": {"a/.zarray": ...}}. A leading "/" of keys is
  /// dropped, and the format may be text or a float, each with a warning. Throws Error(corrupt) if there are keys, but
  /// none of them names a document.
  static std::shared_ptr<ConsolidatedMetadata> FromV2(const JsonNode& zmetadata);
  /// Parses `consolidated_metadata.metadata` of a group: {"a": ..., "a/b": ...}. `root` is the group's own document.
  /// Names that are not paths ("..", "", a leading "/") are skipped.
  static std::shared_ptr<ConsolidatedMetadata> FromV3(const JsonNode& metadata, const JsonNode& root);

  /// Parses the text of `.zmetadata`. Throws Error(corrupt) for text that one pass finds not to be JSON.
  static std::shared_ptr<ConsolidatedMetadata> FromTextOfV2(Bytes text, std::string_view store, std::string_view key);

  /// Returns the document of a key, such as "a/zarr.json" or "a/.zattrs", or nullopt if it is missing. Throws
  /// Error(corrupt) for a document that is not JSON.
  std::optional<JsonNode> Find(std::string_view key) const;
  bool Has(std::string_view key) const;
  /// Returns true if the document that determines the kind of a node is included.
  bool HasNode(std::string_view path) const;
  /// Returns the sorted names directly below a path ("" is the root), including those of implied groups.
  std::vector<std::string> GetChildren(std::string_view path) const;
  /// The tolerated mistakes, with their JSON Pointers.
  const std::vector<std::string>& warnings() const { return warnings_; }
  /// Returns the sorted keys of all documents.
  std::vector<std::string> GetKeys() const;

  /// Returns the type in the v3 document of a node: "array", "group", or "" if only parsing the document shows it.
  std::string_view GetNodeType(std::string_view path) const;
  /// Summarizes an array without parsing its documents. Returns nullopt if they must be parsed.
  std::optional<ArraySummary> Summarize(std::string_view path) const;

  // --- changes; paths are compared by whole segments: "a" does not contain "ab" ---
  void Set(std::string_view key, JsonNode document);
  void Erase(std::string_view key);
  /// Erases the documents of a node and of all its descendants.
  void EraseNode(std::string_view path);
  void MoveNode(std::string_view from, std::string_view to);

 private:
  friend class ConsolidatedReader;

  /// A parsed document, or its text.
  struct Entry {
    std::optional<JsonNode> node;
    std::string_view text;
    Outline outline;
    std::string pointer;  // of the text
  };

  /// Throws Error(unsupported) for a `zarr_consolidated_format` that is not 1.
  void CheckFormat(const JsonNode& format);
  /// Returns a key without a leading "/", and records the first key that had one.
  std::string_view CorrectKey(std::string_view key, std::string_view pointer);
  void CheckHasDocuments(std::size_t keys, std::string_view store, std::string_view key) const;
  /// Requires the mutex of the documents to be held.
  const Entry* FindEntry(std::string_view key) const;
  std::string_view GetNodeTypeLocked(std::string_view path) const;
  std::optional<DataType> ParseType(std::string_view text, bool v3) const;

  Bytes text_;
  std::string store_;
  std::string key_;  // of the text
  std::vector<std::string> warnings_;
  mutable std::shared_mutex documents_mutex_;
  std::map<std::string, Entry, std::less<>> documents_;  // by key
  mutable std::mutex types_mutex_;
  mutable std::unordered_map<std::string_view, DataType> types_;  // by the text of the type
};

/// Returns true if the text of a `.zmetadata` belongs to kerchunk references in Parquet, whose folder looks like a
/// store without chunks.
bool IsOfParquetReferences(std::string_view text);

/// Returns a document of v2 whose fill value is valid JSON. Some writers leave out the quotes of NaN, for which strict
/// readers would reject all of the consolidated metadata.
JsonNode WithQuotedFillValue(const JsonNode& document);

/// A `zarr.json` that may contain consolidated metadata.
struct RootOfV3 {
  JsonNode document;  ///< Without the member `consolidated_metadata`, if it was found without parsing the document.
  std::shared_ptr<ConsolidatedMetadata> consolidated;  ///< Null if there is none.
  bool has_member = false;                             ///< True if the document has the member, usable or not.
};

/// Parses the `zarr.json` of a root. Throws Error(corrupt) for text that one pass finds not to be JSON, and for a group
/// the errors of ParseGroupV3.
RootOfV3 ParseRootOfV3(Bytes text, std::string_view store, std::string_view key);

}  // namespace zarr
