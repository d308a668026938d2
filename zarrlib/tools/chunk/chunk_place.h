// SPDX-License-Identifier: MIT
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "zarrlib/array/array.h"
#include "zarrlib/base/shape.h"
#include "zarrlib/store/store.h"
#include "zarrlib/tools/commands.h"

namespace zarr::tools {

/// A chunk, inner chunk, or shard that a user names by its indices: what it holds, and where it is stored.
struct ChunkPlace {
  Shape index;                       ///< In the grid of inner chunks, or of chunks (shards) where it is one.
  std::string key;                   ///< Of the stored value.
  std::optional<Shape> shard_index;  ///< Of an inner chunk: the index of its shard.
  Box box;                           ///< The elements inside the array.
  Shape encoded_shape;               ///< With those beyond the end of the array.
  std::optional<ByteRange> range;    ///< In the stored value; nothing if it is not stored.

  /// The elements that codecs see.
  std::uint64_t encoded_count() const { return ComputeProduct(encoded_shape); }
};

/// Opens the array of a choice of a chunk. Throws Error.
std::shared_ptr<const Array> OpenChosenArray(const std::shared_ptr<Store>& store, const ChunkChoice& choice);

/// Finds a chunk. Reads the index of its shard, if it is in one. Throws UsageError for indices beyond the grid, or
/// for a shard of an array without shards; Error: unsupported for an inner chunk of a shard that is encoded as a
/// whole; the errors of the store.
ChunkPlace FindChunk(const Array& array, const ChunkChoice& choice);

}  // namespace zarr::tools
