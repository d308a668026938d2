#pragma once

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "zarrlib/grid/chunk_grid.h"
#include "zarrlib/json/json_node.h"
#include "zarrlib/metadata/chunk_key_encoding.h"
#include "zarrlib/store/store.h"

namespace zarr {

/// Whether a value that is no part of Zarr was put beside the documents of nodes by the program that uses the library,
/// and goes with them.
using IsSideFile = std::function<bool(const Store& store, std::string_view key)>;

/// A node with all nodes below it, and which keys of the store their metadata name: what may be removed with them. All
/// else in the same folders is somebody else's. Links are not followed: a node behind one is no part of the tree.
class NodeTree {
 public:
  /// Reads the documents of the node at `path` and of those below it. A document that cannot be parsed is one of its
  /// node all the same, but names no chunks. Throws Error(io), and Error(unsupported) where the store cannot list.
  static NodeTree Read(const Store& store, std::string_view path);
  /// The tree of which those documents, by their keys, are left.
  static NodeTree FromDocuments(const std::vector<std::pair<std::string, JsonNode>>& documents);

  bool empty() const { return nodes_.empty(); }
  /// The nodes' paths, those of nodes below others first.
  std::vector<std::string> Paths() const;
  /// All documents by their keys, those of nodes below others first.
  std::vector<std::string> DocumentKeys() const;
  /// As DocumentKeys, with their content, without those that cannot be parsed.
  std::vector<std::pair<std::string, JsonNode>> Documents() const;

  /// What is to be done with what stands at a path in order to remove the tree: Store::EraseChosen.
  Choice Choose(const Store& store, std::string_view path, EntryKind kind, const IsSideFile& is_side_file) const;

 private:
  struct Document {
    std::string name;
    std::optional<JsonNode> content;
  };
  /// The chunks that a document names.
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

  void ReadNode(const Store& store, const std::string& path);
  void ReadChildren(const Store& store, const std::string& path);
  static void Interpret(Node* node);
  static void AddChunks(Node* node);
  /// Whether a path is one beside the documents of a node that goes with them.
  bool IsBesideDocuments(const Store& store, std::string_view path, EntryKind kind,
                         const IsSideFile& is_side_file) const;
  /// The node in whose folder, or in a folder in that, a path is.
  std::map<std::string, Node, std::less<>>::const_iterator FindOwner(std::string_view path) const;

  std::map<std::string, Node, std::less<>> nodes_;  // by path
};

}  // namespace zarr
