// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <string>

#include "zarrlib/array/array.h"

namespace zarr {

/// Where the bytes of a chunk or inner chunk are stored: a range of the value of a key.
struct InnerChunkLocation {
  std::string key;
  ByteRange range;
};

/// The number of inner chunks along each axis, or of chunks where these are no shards.
Shape GetInnerChunkGridShape(const Array& array);

/// Finds the inner chunk (or chunk) of an index in that grid; nothing if it is not stored. Asks only for the size of
/// the value, or reads the index of the shard. Thread-safe.
///
/// Throws Error: invalid_argument for an index beyond the grid; unsupported if the value of a shard is encoded as a
/// whole, so that an inner chunk is no range of it; the errors of reading a shard's index.
std::optional<InnerChunkLocation> LocateInnerChunk(const Array& array, const Shape& inner_index);

}  // namespace zarr
