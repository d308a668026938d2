// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>
#include <set>
#include <string_view>
#include <vector>

#include "zarrlib/store/icechunk/snapshot.h"
#include "zarrlib/store/store.h"

namespace zarr {

/// What a key of a Zarr store stands for in a snapshot.
struct SnapshotKey {
  std::string_view path;  ///< That of the node, a part of the key.
  const SnapshotNode* node = nullptr;
  bool is_document = false;                ///< The key is that of the node's zarr.json.
  std::vector<std::uint32_t> coordinates;  ///< Otherwise those of a chunk of the array.
};

/// Finds a node's document, or the coordinates of a chunk: "a/zarr.json", "a/c/0/1". The repository stores coordinates
/// instead of keys, so that the keys of any chunk key encoding find them, as "a/0.1". Returns nullopt for other keys.
/// Throws Error(corrupt) if the number of coordinates in a default key differs from the rank of the array, because a
/// chunk that is not found would be taken for one of fill values.
std::optional<SnapshotKey> FindKey(const SnapshotNodes& nodes, std::string_view key);

/// A prefix of the default keys of an array's chunks, as "a/c/" or "a/c/0/".
struct ChunkPrefix {
  std::string_view path;  ///< That of the node, a part of the prefix.
  const SnapshotNode* node = nullptr;
  std::vector<std::uint32_t> coordinates;  ///< Fewer than the array has dimensions.
};
/// Returns nullopt for other prefixes.
std::optional<ChunkPrefix> FindChunkPrefix(const SnapshotNodes& nodes, std::string_view prefix);

/// Lists the next coordinates under such a prefix.
Listing MakeChunkListing(const ChunkPrefix& prefix, const std::set<std::uint32_t>& coordinates);

/// Lists the nodes directly under a prefix.
Listing ListNodes(const SnapshotNodes& nodes, std::string_view prefix);

/// Returns true if the metadata of an array has the default chunk key encoding, for which its chunks can be listed.
/// Without dimensions, the separator does not matter.
bool HasDefaultKeys(const SnapshotNode& array);

}  // namespace zarr
