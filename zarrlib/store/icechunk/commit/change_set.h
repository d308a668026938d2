// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "zarrlib/base/bytes.h"
#include "zarrlib/base/compiler/list_order.h"
#include "zarrlib/store/icechunk/chunk_table.h"
#include "zarrlib/store/icechunk/object_id.h"
#include "zarrlib/store/icechunk/snapshot.h"

namespace zarr {

/// Chunks up to this size, in bytes, are stored in manifests, as by other writers.
inline constexpr std::size_t kMostInline = 512;

/// What became of a chunk.
struct ErasedChunk {};
struct NativeChunk {  ///< A whole file of the repository.
  ObjectId file{};
  std::uint64_t length = 0;
};
using InlineChunk = std::shared_ptr<const Bytes>;
using VirtualChunk = std::shared_ptr<const ChunkRef>;
using ChunkChange = std::variant<ErasedChunk, NativeChunk, InlineChunk, VirtualChunk>;

/// Returns the reference to a chunk, whose bytes are valid as long as the change; nullopt if it was erased.
std::optional<ChunkRef> MakeRef(const ChunkChange& change);

/// Changes of chunks by their coordinates.
using ChunkChanges = std::map<std::vector<std::uint32_t>, ChunkChange, ListOrder>;

/// What a session changed in a node that is there at its end.
struct NodeChange {
  NodeId id{};
  bool is_array = false;
  bool is_new = false;
  bool in_group = false;  ///< The group around it is in the snapshot, or was made in the session.
  std::size_t rank = 0;   ///< Of an array.
  std::optional<std::string> document;
  std::uint64_t version = 0;  ///< A number that changes with the document.
  ChunkChanges chunks;
  /// Of a new array: all its chunks, if `chunks` has none. They take less memory here.
  std::shared_ptr<const ChunkTable> more_chunks;

  bool HasChunks() const { return !chunks.empty() || (more_chunks && more_chunks->size() > 0); }
};

/// A node of the snapshot before that is not there any more, even if there is another one at its path.
struct DeletedNode {
  NodeId id{};
  bool is_array = false;
  bool is_renamed = false;  ///< There was a copy of it when it was deleted: it may be there under another name.
};

/// What a session changed, by the paths of nodes.
struct ChangeSet {
  std::map<std::string, NodeChange, std::less<>> nodes;
  std::map<std::string, DeletedNode, std::less<>> deleted;

  bool empty() const { return nodes.empty() && deleted.empty(); }
};

/// What makes a new node.
struct NewNode {
  NodeId id{};
  bool is_array = false;
  std::size_t rank = 0;
};

/// Adds a new node. `is_first` tells that its repository is new: the first snapshot, before the changes, then has a
/// group as its root already. Returns the change, without a document.
NodeChange& AddNewNode(const std::string& path, const NewNode& node, bool is_first, ChangeSet* changes);

}  // namespace zarr
