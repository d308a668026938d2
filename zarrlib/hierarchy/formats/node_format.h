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
#include "zarrlib/store/store.h"

namespace zarr {

class NodeFormat;

/// The root of a store, as one look at it found it.
struct FoundRoot {
  /// The root's document, where it has been read; without the consolidated metadata in it.
  std::optional<MetadataDocument> document;
  std::shared_ptr<ConsolidatedMetadata> consolidated;  ///< Null if there are none, or if they are not wanted.
  bool holds_consolidated = false;                     ///< The root's own document has a member for them.
  const NodeFormat* format = nullptr;                  ///< The root's version, if another one has found it.
  bool has_first_array = false;  ///< RootSearch::first_array is there, so that the root is a group.
};

/// What is wanted of a root.
struct RootSearch {
  bool use_consolidated = true;
  /// The path of an array that will be opened; "" if none is known, or if looks into the store cost little.
  std::string_view first_array = {};
};

/// Consolidated metadata in the store.
struct StoredConsolidated {
  JsonNode root;                                    ///< The root's own document of v3.
  std::shared_ptr<ConsolidatedMetadata> documents;  ///< Null if there are none.
};

/// A document that is to be put, or, without content, erased.
struct DocumentChange {
  std::string name;
  std::optional<JsonNode> content;

  friend bool operator==(const DocumentChange&, const DocumentChange&) = default;
};

/// What is fixed about one version of the format.
struct FormatTraits {
  ZarrFormat version;
  /// The names of the documents that a node can have; those that tell its kind come first.
  std::span<const std::string_view> node_documents;
  std::span<const std::string_view> array_documents = node_documents;
  std::span<const std::string_view> group_documents = node_documents;
  std::string_view root_document = {};     ///< The name of the root's document that is kept in memory; "" for none.
  std::string_view consolidated_key = {};  ///< The key of consolidated metadata; "" where the version has none.
  bool has_groups = true;                  ///< Else the root is an array, and the only node.
  bool mixes = has_groups;                 ///< Nodes of other versions can stand among those of this one.
  std::string_view read_only = {};         ///< The reason why nothing of it is changed; "" if changes are made.
};

/// How one version of the format keeps nodes, their attributes and consolidated metadata. Stateless.
class NodeFormat {
 public:
  virtual ~NodeFormat() = default;

  // As FormatTraits.
  ZarrFormat version() const { return traits_.version; }
  bool has_groups() const { return traits_.has_groups; }
  bool mixes() const { return traits_.mixes; }
  std::string_view read_only() const { return traits_.read_only; }
  std::span<const std::string_view> node_documents() const { return traits_.node_documents; }
  std::span<const std::string_view> array_documents() const { return traits_.array_documents; }
  std::span<const std::string_view> group_documents() const { return traits_.group_documents; }
  std::string_view root_document() const { return traits_.root_document; }
  std::string_view consolidated_key() const { return traits_.consolidated_key; }

  /// Looks for a root of this version. Throws the store's errors, and Error for a root that cannot be used.
  virtual std::optional<FoundRoot> FindRoot(const Store& store, const RootSearch& search,
                                            std::vector<std::string>* warnings) const = 0;
  /// The names directly under a group's path that may be those of nodes; nothing if the store cannot list.
  virtual std::optional<std::vector<std::string>> ListNames(const Store& store, std::string_view path) const;
  virtual std::optional<NodeKind> FindKind(const NodeDocuments& documents, std::string_view path) const = 0;
  /// Nothing if there is no array of this version at the path.
  virtual std::optional<ArrayMetadata> ReadArray(const NodeDocuments& documents, std::string_view path,
                                                 const MetadataOptions& options) const = 0;
  /// Nothing if there is no group of this version at the path; by default there are none.
  virtual std::optional<GroupMetadata> ReadGroup(const NodeDocuments& documents, std::string_view path) const;

  /// The changes that give a group those attributes, an object. None for a version that has no groups or is only read.
  virtual std::vector<DocumentChange> ChangeGroupAttributes(const NodeDocuments& documents, std::string_view path,
                                                            const JsonNode& attributes) const;
  /// The changes that make an array's attributes those of `metadata`. None for a version that is only read.
  virtual std::vector<DocumentChange> ChangeArrayAttributes(const ArrayMetadata& metadata) const;
  /// The changes that make an array what `metadata` says, without those that would change nothing.
  std::vector<DocumentChange> ChangeArray(const NodeDocuments& documents, std::string_view path,
                                          const ArrayMetadata& metadata) const;

  // --- consolidated metadata; none by default ---
  /// The content of `consolidated_key()`: `documents` and, of v3, the root's own document.
  virtual JsonNode MakeConsolidated(const ConsolidatedMetadata& documents, const JsonNode& root) const;
  virtual StoredConsolidated ParseConsolidated(Bytes text, std::string_view store, std::string_view key) const;
  /// Removes the consolidated metadata that a group has of its own.
  virtual void DropConsolidated(Store& store, std::string_view group) const;

 protected:
  explicit NodeFormat(const FormatTraits& traits) : traits_(traits) {}

 private:
  const FormatTraits traits_;
};

/// The text of a document of that name, as writers of its version have it.
std::string DumpDocument(std::string_view name, const JsonNode& content);
/// A node's document without consolidated metadata in it.
JsonNode WithoutConsolidated(const JsonNode& document);

}  // namespace zarr
