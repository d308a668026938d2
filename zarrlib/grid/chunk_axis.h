#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "zarrlib/json/json_node.h"

namespace zarr {

/// `count` chunks in a row, each `edge` elements long.
struct ChunkRun {
  std::uint64_t edge = 0;
  std::uint64_t count = 0;
  friend bool operator==(const ChunkRun&, const ChunkRun&) = default;
};

/// A chunk along one axis: the elements [start, start + live) of the array, encoded with length `encoded`.
/// `live` is shorter than `encoded` only for the chunk that hangs over the array's end.
struct ChunkSpan {
  std::uint64_t index = 0;
  std::uint64_t start = 0;
  std::uint64_t live = 0;
  std::uint64_t encoded = 0;
};

/// How one axis of an array is cut into chunks: a list of runs, never expanded. Memory and look-up depend on the
/// number of runs only. Intervals are half open: an index on a boundary belongs to the next chunk.
class ChunkAxis {
 public:
  /// Chunks of `edge` (>= 1) until they cover `extent`.
  static ChunkAxis Regular(std::uint64_t extent, std::uint64_t edge);
  /// The declared runs; their sum must reach `extent`, and may exceed it by whole chunks, which are kept but not live.
  /// Throws Error(corrupt) for a zero edge or count, an empty list, a sum below `extent` or beyond 64 bits.
  static ChunkAxis FromRuns(std::uint64_t extent, std::vector<ChunkRun> runs);
  /// Reads one member of the rectilinear grid's `chunk_shapes`: an integer, or a list of integers and pairs
  /// [value, count]. Throws Error at `node`.
  static ChunkAxis FromJson(std::uint64_t extent, const JsonNode& node);

  std::uint64_t extent() const { return extent_; }
  /// Chunks that hold elements of the array.
  std::uint64_t chunk_count() const { return chunk_count_; }
  /// All runs as declared, chunks wholly beyond the extent included.
  std::span<const ChunkRun> runs() const { return runs_; }
  /// Whether all live chunks have the same edge.
  bool uniform() const;
  /// The longest edge of a live chunk (of any chunk, if none is live).
  std::uint64_t max_edge() const;

  /// The chunk that holds `element` (< extent). O(log runs).
  ChunkSpan Locate(std::uint64_t element) const;
  /// The chunk number `index` (< chunk_count). O(log runs).
  ChunkSpan At(std::uint64_t index) const;

 private:
  struct RunStart {
    std::uint64_t element = 0;
    std::uint64_t chunk = 0;
  };
  ChunkSpan Span(std::size_t run, std::uint64_t chunk_in_run) const;

  std::uint64_t extent_ = 0;
  std::uint64_t chunk_count_ = 0;
  std::vector<ChunkRun> runs_;
  std::vector<RunStart> starts_;  // one per run
};

}  // namespace zarr
