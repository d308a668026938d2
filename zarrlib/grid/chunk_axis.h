// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "zarrlib/json/json_node.h"

namespace zarr {

/// A run of `count` consecutive chunks of `edge` elements each.
struct ChunkRun {
  std::uint64_t edge = 0;
  std::uint64_t count = 0;
  friend bool operator==(const ChunkRun&, const ChunkRun&) = default;
};

/// A chunk along one axis: the elements [start, start + live) of the array, encoded with the length `encoded`. Only the
/// chunk at the end of the array may have `live` less than `encoded`.
struct ChunkSpan {
  std::uint64_t index = 0;
  std::uint64_t start = 0;
  std::uint64_t live = 0;
  std::uint64_t encoded = 0;
};

/// The chunks along one axis of an array: a list of runs that is never expanded. Memory and lookup time depend only on
/// the number of runs. Intervals are half open: an element on a boundary belongs to the next chunk.
class ChunkAxis {
 public:
  /// Makes chunks of `edge` elements (at least 1) that cover `extent`.
  static ChunkAxis MakeRegular(std::uint64_t extent, std::uint64_t edge);
  /// Makes the chunks of the declared runs. Their sum must reach `extent`; whole chunks beyond it are kept but not
  /// live. Throws Error(corrupt) for a zero edge or count, an empty list, and a sum below `extent` or beyond 64 bits.
  static ChunkAxis FromRuns(std::uint64_t extent, std::vector<ChunkRun> runs);
  /// Parses one item of the rectilinear grid's `chunk_shapes`: an integer, or a list of integers and pairs [value,
  /// count]. Throws Error at `node`.
  static ChunkAxis FromJson(std::uint64_t extent, const JsonNode& node);

  std::uint64_t extent() const { return extent_; }
  /// Returns the number of chunks that hold elements of the array.
  std::uint64_t chunk_count() const { return chunk_count_; }
  /// Returns all runs as declared, including chunks beyond the extent.
  std::span<const ChunkRun> runs() const { return runs_; }
  /// Returns true if all live chunks have the same edge.
  bool uniform() const;
  /// Returns the longest edge of a live chunk (of any chunk, if none is live).
  std::uint64_t max_edge() const;

  /// Returns the chunk that holds `element`, which must be less than the extent. Takes O(log runs).
  ChunkSpan Locate(std::uint64_t element) const;
  /// Returns the chunk at `index`, which must be less than `chunk_count()`. Takes O(log runs).
  ChunkSpan At(std::uint64_t index) const;

 private:
  struct RunStart {
    std::uint64_t element = 0;
    std::uint64_t chunk = 0;
  };
  ChunkSpan MakeSpan(std::size_t run, std::uint64_t chunk_in_run) const;

  std::uint64_t extent_ = 0;
  std::uint64_t chunk_count_ = 0;
  std::vector<ChunkRun> runs_;
  std::vector<RunStart> starts_;  // one per run
};

}  // namespace zarr
