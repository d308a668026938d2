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
#include "zarrlib/store/icechunk/chunk_table.h"
#include "zarrlib/store/icechunk/object_id.h"
#include "zarrlib/store/icechunk/snapshot.h"

namespace zarr {

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

/// What a session changed in a node that is there at its end.
struct NodeChange {
  NodeId id{};
  bool is_array = false;
  bool is_new = false;
  bool in_group = false;  ///< The group around it is in the snapshot, or was made in the session.
  std::size_t rank = 0;   ///< Of an array.
  std::optional<std::string> document;
  std::uint64_t version = 0;  ///< A number that changes with the document.
  std::map<std::vector<std::uint32_t>, ChunkChange> chunks;
};

/// A node of the snapshot before that is not there any more, even if there is another one at its path.
struct DeletedNode {
  NodeId id{};
  bool is_array = false;
};

/// What a session changed, by the paths of nodes.
struct ChangeSet {
  std::map<std::string, NodeChange, std::less<>> nodes;
  std::map<std::string, DeletedNode, std::less<>> deleted;

  bool empty() const { return nodes.empty() && deleted.empty(); }
};

}  // namespace zarr
