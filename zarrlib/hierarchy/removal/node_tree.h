// SPDX-License-Identifier: MIT
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "zarrlib/grid/chunk_grid.h"
#include "zarrlib/hierarchy/node_keys.h"
#include "zarrlib/json/json_node.h"
#include "zarrlib/metadata/chunk_key_encoding.h"
#include "zarrlib/store/store.h"
#include "zarrlib/store/store_folders.h"

namespace zarr {

/// Returns true if the program that uses the library has put a non-Zarr value next to the documents of a node. Such a
/// value is removed with them.
using IsSideFile = std::function<bool(const Store& store, std::string_view key)>;

/// A node and its descendants, with the store's keys that belong to their metadata and may be removed with them. Other
/// entries of the folders do not belong to the nodes. Links are not followed: a node reached through a link is not part
/// of the tree.
class NodeTree {
 public:
  /// Reads the documents of the node at `path` and its descendants. If a node's own document is unreadable, the node
  /// and everything below it are not part of the tree, because it is not known what belongs to it. Nodes below a folder
  /// without documents are not part of it either. Throws Error: io; unsupported if the store cannot list; read_only for
  /// the root of a store of the draft of v3.
  static NodeTree Read(const Store& store, std::string_view path);
  /// Makes the tree of these documents, each with its key.
  static NodeTree FromDocuments(const std::vector<std::pair<std::string, JsonNode>>& documents);

  bool empty() const { return nodes_.empty(); }
  /// Returns the error of an unreadable document; nullopt if all could be read.
  const std::optional<Error>& unreadable() const { return unreadable_; }
  /// Returns the error of a document because of which a node is not part of the tree; nullopt if all nodes are. If the
  /// document belongs to the node at `path`, the tree is empty.
  const std::optional<Error>& left_out() const { return left_out_; }
  /// Returns the paths of the nodes, each after its descendants.
  std::vector<std::string> GetPaths() const;
  /// Returns the keys of all documents, in the order in which they can be removed: a node's documents after its
  /// descendants', and consolidated metadata, which need the node's own documents, before these.
  std::vector<std::string> GetDocumentKeys() const;
  /// Returns the keys and contents of all parsable documents, in the order of GetDocumentKeys.
  std::vector<std::pair<std::string, JsonNode>> GetDocuments() const;

  /// Decides for EraseChosen how to treat the entry at a path when the tree is removed.
  Choice Choose(const Store& store, std::string_view path, EntryKind kind, const IsSideFile& is_side_file) const;

 private:
  struct Document {
    std::string name;
    std::optional<JsonNode> content;  // nullopt if it cannot be parsed
    std::optional<Error> fault = {};
  };
  /// The chunks that a document describes.
  struct Chunks {
    ChunkKeyEncoding encoding;
    ChunkGrid grid;
    bool Has(std::string_view key) const;
    bool MayBeFolder(std::string_view path) const;
  };
  struct Node {
    std::vector<Document> documents;
    std::vector<Chunks> chunks;
    bool is_group = false;
  };

  void ReadNode(const Store& store, const NodeKeys& keys, const std::string& path);
  void ReadChildren(const Store& store, const NodeKeys& keys, const std::string& path);
  static Document ReadDocumentOf(const Store& store, const std::string& path, std::string_view name);
  /// Determines the type of a node from its documents. Returns the error of an unreadable document that makes it a
  /// node.
  static std::optional<Error> Interpret(Node* node);
  /// Reads the properties of a node from its main document. Throws Error if it does not have them.
  static void ReadOwn(const Document& document, Node* node);
  /// Returns true if a path is an accompanying file of a node, which is removed with the node's documents.
  bool IsBesideDocuments(const Store& store, std::string_view path, EntryKind kind,
                         const IsSideFile& is_side_file) const;
  /// Returns the node that owns a path: the node whose folder contains it, directly or in a subfolder.
  std::map<std::string, Node, std::less<>>::const_iterator FindOwner(std::string_view path) const;

  std::map<std::string, Node, std::less<>> nodes_;  // by path
  std::optional<Error> unreadable_;
  std::optional<Error> left_out_;
};

}  // namespace zarr
