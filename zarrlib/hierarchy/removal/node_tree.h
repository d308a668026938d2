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

/// Whether the program that uses the library has put a value that is no part of Zarr beside the documents of a node.
/// Such a value is removed with them.
using IsSideFile = std::function<bool(const Store& store, std::string_view key)>;

/// A node and all nodes below it, with the keys of the store that their metadata name and that may be removed with
/// them. All other entries of the folders belong to somebody else. Links are not followed: a node behind a link is not
/// part of the tree.
class NodeTree {
 public:
  /// Reads the documents of the node at `path` and of the nodes below it. A node whose own document cannot be read is
  /// not part of the tree, nor is anything below it: what belongs to it is not known. Nodes below a folder that has no
  /// documents are not part of it either. Throws Error: io; unsupported if the store cannot list; read_only for the
  /// root of a store of the draft of v3.
  static NodeTree Read(const Store& store, std::string_view path);
  /// Makes the tree of these documents, each with its key.
  static NodeTree FromDocuments(const std::vector<std::pair<std::string, JsonNode>>& documents);

  bool empty() const { return nodes_.empty(); }
  /// The error of a document that could not be read; nothing if all could.
  const std::optional<Error>& unreadable() const { return unreadable_; }
  /// The error of a document for which a node is not part of the tree; nothing if all nodes are. If it is that of the
  /// node at `path`, the tree is empty.
  const std::optional<Error>& left_out() const { return left_out_; }
  /// The paths of the nodes; a node comes after those below it.
  std::vector<std::string> GetPaths() const;
  /// The keys of all documents, in the order in which they can go: those of a node come after those of nodes below it,
  /// and consolidated metadata, which need the node's own documents, before these.
  std::vector<std::string> GetDocumentKeys() const;
  /// The keys and contents of all documents that can be parsed, in the order of GetDocumentKeys.
  std::vector<std::pair<std::string, JsonNode>> GetDocuments() const;

  /// Chooses for EraseChosen what to do with the entry at a path when the tree is removed.
  Choice Choose(const Store& store, std::string_view path, EntryKind kind, const IsSideFile& is_side_file) const;

 private:
  struct Document {
    std::string name;
    std::optional<JsonNode> content;  // nothing if it cannot be parsed
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
  /// Finds out what a node is from its documents. Returns the error of a document that makes it a node and that cannot
  /// be read.
  static std::optional<Error> Interpret(Node* node);
  /// Takes over what a document says that makes a node one. Throws Error if it says no such thing.
  static void ReadOwn(const Document& document, Node* node);
  /// Whether a path is a side file of a node, which is removed with the node's documents.
  bool IsBesideDocuments(const Store& store, std::string_view path, EntryKind kind,
                         const IsSideFile& is_side_file) const;
  /// The node that owns a path: the one in whose folder, or in a folder below it, the path is.
  std::map<std::string, Node, std::less<>>::const_iterator FindOwner(std::string_view path) const;

  std::map<std::string, Node, std::less<>> nodes_;  // by path
  std::optional<Error> unreadable_;
  std::optional<Error> left_out_;
};

}  // namespace zarr
