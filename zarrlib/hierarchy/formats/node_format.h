// SPDX-License-Identifier: MIT
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "zarrlib/hierarchy/node_documents.h"
#include "zarrlib/json/json_node.h"
#include "zarrlib/metadata/array_metadata.h"
#include "zarrlib/metadata/consolidated.h"
#include "zarrlib/store/refusals.h"
#include "zarrlib/store/store.h"

namespace zarr {

class NodeFormat;

/// The root of a store, as found by one lookup.
struct FoundRoot {
  /// The root's document, if it has been read, without the consolidated metadata in it.
  std::optional<MetadataDocument> document;
  std::shared_ptr<ConsolidatedMetadata> consolidated;  ///< Null if there are none, or if they were not requested.
  bool holds_consolidated = false;                     ///< True if the root's own document has a member for them.
  const NodeFormat* format = nullptr;                  ///< The root's version, if it was found by another version.
  bool has_first_array = false;  ///< True if RootSearch::first_array exists, so that the root is a group.
};

/// The parameters of a search for a root.
struct RootSearch {
  bool use_consolidated;
  /// The path of an array that will be opened; "" if none is known, or if lookups in the store are cheap.
  std::string_view first_array = {};
  Refusals* refusals;  ///< Takes the refusals of documents that need not exist.
};

/// Consolidated metadata in the store.
struct StoredConsolidated {
  JsonNode root;                                    ///< The root's own document in v3.
  std::shared_ptr<ConsolidatedMetadata> documents;  ///< Null if there are none.
};

/// A document that will be written, or, without content, erased.
struct DocumentChange {
  std::string name;
  std::optional<JsonNode> content;

  friend bool operator==(const DocumentChange&, const DocumentChange&) = default;
};

/// The constants of one version of the format.
struct FormatTraits {
  ZarrFormat version;
  /// The names of the documents that a node can have, starting with those that determine its kind.
  std::span<const std::string_view> node_documents;
  std::span<const std::string_view> array_documents = node_documents;
  std::span<const std::string_view> group_documents = node_documents;
  std::string_view root_document = {};     ///< The name of the root's document that is cached; "" if there is none.
  std::string_view consolidated_key = {};  ///< The key of consolidated metadata; "" if the version does not have them.
  bool has_groups = true;                  ///< If false, the root is an array, and the only node.
  bool mixes = has_groups;                 ///< True if nodes of other versions can be mixed with nodes of this version.
  std::string_view read_only = {};         ///< The reason why this version is read-only; "" if it can be changed.
};

/// How one version of the format stores nodes, their attributes and consolidated metadata. Stateless.
class NodeFormat {
 public:
  virtual ~NodeFormat() = default;

  // See FormatTraits.
  ZarrFormat version() const { return traits_.version; }
  bool has_groups() const { return traits_.has_groups; }
  bool mixes() const { return traits_.mixes; }
  std::string_view read_only() const { return traits_.read_only; }
  std::span<const std::string_view> node_documents() const { return traits_.node_documents; }
  std::span<const std::string_view> array_documents() const { return traits_.array_documents; }
  std::span<const std::string_view> group_documents() const { return traits_.group_documents; }
  std::string_view root_document() const { return traits_.root_document; }
  std::string_view consolidated_key() const { return traits_.consolidated_key; }

  /// Searches for a root of this version. Throws the store's errors, and Error for an unusable root.
  virtual std::optional<FoundRoot> FindRoot(const Store& store, const RootSearch& search,
                                            std::vector<std::string>* warnings) const = 0;
  /// Returns the names directly under a group's path that may be nodes; nullopt if the store cannot list.
  virtual std::optional<std::vector<std::string>> ListNames(const Store& store, std::string_view path) const;
  virtual std::optional<NodeKind> FindKind(const NodeDocuments& documents, std::string_view path) const = 0;
  /// Returns nullopt if there is no array of this version at the path.
  virtual std::optional<ArrayMetadata> ReadArray(const NodeDocuments& documents, std::string_view path,
                                                 const MetadataOptions& options) const = 0;
  /// Returns nullopt if there is no group of this version at the path, which is the default.
  virtual std::optional<GroupMetadata> ReadGroup(const NodeDocuments& documents, std::string_view path) const;

  /// Returns the changes that set a group's attributes, an object. Empty for a version that does not have groups or is
  /// read-only.
  virtual std::vector<DocumentChange> ChangeGroupAttributes(const NodeDocuments& documents, std::string_view path,
                                                            const JsonNode& attributes) const;
  /// Returns the changes that set an array's attributes from `metadata`. Empty for a read-only version.
  virtual std::vector<DocumentChange> ChangeArrayAttributes(const ArrayMetadata& metadata) const;
  /// Returns the changes that make an array match `metadata`, without changes that have no effect.
  std::vector<DocumentChange> ChangeArray(const NodeDocuments& documents, std::string_view path,
                                          const ArrayMetadata& metadata) const;

  // --- consolidated metadata; not supported by default ---
  /// Returns the content of `consolidated_key()`: `documents` and, in v3, the root's own document.
  virtual JsonNode MakeConsolidated(const ConsolidatedMetadata& documents, const JsonNode& root) const;
  virtual StoredConsolidated ParseConsolidated(Bytes text, std::string_view store, std::string_view key) const;
  /// Removes a group's own consolidated metadata. Returns true if there were any.
  virtual bool DropConsolidated(Store& store, std::string_view group) const;

 protected:
  explicit NodeFormat(const FormatTraits& traits) : traits_(traits) {}

 private:
  const FormatTraits traits_;
};

/// Returns the text of a document of that name, formatted as by other writers of its version.
std::string DumpDocument(std::string_view name, const JsonNode& content);
/// Returns a node's document without consolidated metadata.
JsonNode WithoutConsolidated(const JsonNode& document);

}  // namespace zarr
