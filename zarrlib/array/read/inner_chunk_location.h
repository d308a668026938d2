// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <string>

#include "zarrlib/array/array.h"

namespace zarr {

/// The location of the bytes of a chunk or inner chunk: a range of the value of a key.
struct InnerChunkLocation {
  std::string key;
  ByteRange range;
};

/// Returns the number of inner chunks along each axis, or of chunks if these are not shards.
Shape GetInnerChunkGridShape(const Array& array);

/// Locates the inner chunk (or chunk) at an index in that grid. Returns nullopt if it is not stored. Only requests the
/// size of the value, or reads the index of the shard. Thread-safe.
///
/// Throws Error: invalid_argument for an index outside the grid; unsupported if a shard's value is encoded as a whole,
/// so that an inner chunk is not a range of it; the errors of reading a shard's index.
std::optional<InnerChunkLocation> LocateInnerChunk(const Array& array, const Shape& inner_index);

}  // namespace zarr
