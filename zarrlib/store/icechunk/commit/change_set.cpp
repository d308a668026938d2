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

}  // namespace zarr
