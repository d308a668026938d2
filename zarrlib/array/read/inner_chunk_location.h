#pragma once

#include <optional>
#include <string>

#include "zarrlib/array/array.h"

namespace zarr {

/// Where the stored bytes of an inner chunk are: a part of the value of a key.
struct InnerChunkLocation {
  std::string key;
  ByteRange range;
};

/// Inner chunks per axis: inner chunks where there are shards, else chunks.
Shape InnerChunkGridShape(const Array& array);

/// The place of the inner chunk with an index in that grid; nothing if the inner chunk is not stored. Reads no chunk:
/// only how large a value is, or the index of a shard. Thread-safe.
///
/// Throws Error: invalid_argument for an index beyond the grid; unsupported where the whole value of a shard is encoded
/// once more, so that an inner chunk is no part of it; what reading a shard's index throws.
std::optional<InnerChunkLocation> LocateInnerChunk(const Array& array, const Shape& inner_index);

}  // namespace zarr
