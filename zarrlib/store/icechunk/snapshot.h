// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string_view>
#include <vector>

#include "zarrlib/base/bytes.h"
#include "zarrlib/store/icechunk/object_id.h"

namespace zarr {

/// Indices of chunks along one dimension: from the first, to the last excluded.
struct ChunkIndexRange {
  std::uint32_t from = 0;
  std::uint32_t to = 0;
};

/// A manifest of an array, and the part of its chunk grid that the manifest covers: a range for each dimension.
struct ManifestRef {
  ObjectId id{};
  std::vector<ChunkIndexRange> extents;
};

/// An array or a group of a snapshot.
struct SnapshotNode {
  NodeId id{};
  ByteSpan metadata;  ///< The node's zarr.json.
  bool is_array = false;
  std::size_t rank = 0;                                       ///< Of an array.
  std::shared_ptr<const std::vector<ManifestRef>> manifests;  ///< Of an array; not null.
};

/// Nodes by their paths without a slash in front, "" for the root.
using SnapshotNodes = std::map<std::string_view, SnapshotNode, std::less<>>;

/// A snapshot file: all nodes of a repository in one of its states. Immutable, and safe for any number of threads.
class Snapshot {
 public:
  /// Takes the FlatBuffer of a snapshot. Throws Error(corrupt) if it is invalid.
  explicit Snapshot(Bytes payload);
  Snapshot(const Snapshot&) = delete;
  Snapshot& operator=(const Snapshot&) = delete;

  const SnapshotNodes& nodes() const { return nodes_; }
  /// In format 1, the snapshot before this one. Format 2 has it in the repo info file.
  const std::optional<ObjectId>& parent() const { return parent_; }
  /// When it was committed, in microseconds since 1970.
  std::uint64_t time() const { return time_; }
  std::string_view message() const { return message_; }

 private:
  Bytes payload_;
  SnapshotNodes nodes_;
  std::optional<ObjectId> parent_;
  std::uint64_t time_ = 0;
  std::string_view message_;
};

}  // namespace zarr
