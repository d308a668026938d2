// SPDX-License-Identifier: MIT
#include "zarrlib/store/icechunk/commit/change_set.h"

namespace zarr {

std::optional<ChunkRef> MakeRef(const ChunkChange& change) {
  if (std::holds_alternative<ErasedChunk>(change)) return std::nullopt;
  if (const auto* const in_file = std::get_if<VirtualChunk>(&change)) return **in_file;
  ChunkRef ref;
  if (const auto* const native = std::get_if<NativeChunk>(&change)) {
    ref.kind = ChunkRef::Kind::kNative;
    ref.file = native->file;
    ref.length = native->length;
  } else {
    ref.bytes = *std::get<InlineChunk>(change);
  }
  return ref;
}

NodeChange& AddNewNode(const std::string& path, const NewNode& node, bool is_first, ChangeSet* changes) {
  NodeChange& change = changes->nodes[path];
  change.id = node.id;
  change.is_array = node.is_array;
  change.rank = node.rank;
  const bool is_first_root = is_first && path.empty();
  if (is_first_root && node.is_array) changes->deleted[""] = {MakeNodeId(), false};
  change.is_new = !is_first_root || node.is_array;
  return change;
}

}  // namespace zarr
