#pragma once

#include <optional>
#include <string>

#include "zarrlib/array/array.h"

namespace zarr {

/// Where the stored bytes of a leaf are: a part of the value of a key.
struct LeafPlace {
  std::string key;
  ByteRange range;
};

/// Leaves per axis: inner chunks where there are shards, else chunks.
Shape LeafGridShape(const Array& array);

/// The place of the leaf with an index in that grid; nothing if the leaf is not stored. Reads no chunk: only how large
/// a value is, or the index of a shard. Thread-safe.
///
/// Throws Error: invalid_argument for an index beyond the grid; unsupported where the whole value of a shard is encoded
/// once more, so that a leaf is no part of it; what reading a shard's index throws.
std::optional<LeafPlace> FindLeaf(const Array& array, const Shape& leaf_index);

}  // namespace zarr
