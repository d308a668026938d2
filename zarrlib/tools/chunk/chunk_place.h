// SPDX-License-Identifier: MIT
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "zarrlib/array/array.h"
#include "zarrlib/base/shape.h"
#include "zarrlib/store/store.h"
#include "zarrlib/store/store_requests.h"
#include "zarrlib/tools/commands.h"

namespace zarr::tools {

/// The content and location of a chunk, inner chunk, or shard that a user specifies by its indices.
struct ChunkPlace {
  Shape index;                       ///< In the grid of inner chunks, or of chunks (shards) if it is one.
  std::string key;                   ///< The key of the stored value.
  std::optional<Shape> shard_index;  ///< The index of the shard, for an inner chunk.
  Box box;                           ///< The elements inside the array.
  Shape encoded_shape;               ///< Including elements past the end of the array.
  std::optional<ByteRange> range;    ///< In the stored value; nullopt if it is not stored.
  /// Where the stored value is, if references of the store tell that; otherwise nullopt.
  std::optional<ValueLocation> location = std::nullopt;

  /// Returns the number of elements that codecs process.
  std::uint64_t encoded_count() const { return ComputeProduct(encoded_shape); }
};

/// Opens the array of a chosen chunk. Throws Error.
std::shared_ptr<const Array> OpenChosenArray(const std::shared_ptr<Store>& store, const ChunkChoice& choice);

/// Finds a chunk. Reads the index of its shard, if it is in one. Throws UsageError for indices outside the grid, or for
/// a shard of an array without shards; Error: unsupported for an inner chunk of a shard that is encoded as a whole; the
/// errors of the store.
ChunkPlace FindChunk(const Array& array, const ChunkChoice& choice);

}  // namespace zarr::tools
