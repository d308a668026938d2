#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "zarrlib/base/error.h"
#include "zarrlib/base/shape.h"
#include "zarrlib/base/strided_copy.h"
#include "zarrlib/base/worker_hook.h"
#include "zarrlib/metadata/array_metadata.h"
#include "zarrlib/store/store.h"

namespace zarr {

class ArrayIdentity;
class CodecPipeline;
class ResolvedPipeline;

struct ReadOptions {
  /// Threads that decode, the calling one included; 0 is one per CPU.
  std::size_t threads = 0;
  const WorkerHook* hook = nullptr;
  /// Polled on the calling thread with the share done; false stops the read. May be empty.
  std::function<bool(double)> progress;
  /// Whether the process's chunk cache is looked at and filled. Of inner chunks that a window covers whole, those of a
  /// small window are kept, others only if they are read again soon, and those of windows of more than an eighth of the
  /// cache's limit never: who reads an array once, piece by piece, needs no memory for all of it.
  bool use_cache = true;
  /// Reads to the cache alone, of a window of at most an eighth of the limit; nothing goes to the destination.
  bool read_ahead = false;
  /// Error(limit_exceeded) for inner chunks of more bytes, decoded or stored.
  std::uint64_t max_chunk_bytes = std::uint64_t{2} << 30;
};

/// An array: a snapshot of its metadata in a store. Immutable; safe for any number of threads.
class Array {
 public:
  /// `path` is that of the array in the store, "" for its root. Codecs that are not supported are no error until data
  /// are read; those with a wrong configuration are.
  static std::shared_ptr<const Array> Make(std::shared_ptr<Store> store, std::string path, ArrayMetadata metadata);
  ~Array();
  /// Whether the two, of one array at different times, say the same of what its chunks hold.
  static bool SameContent(const ArrayMetadata& a, const ArrayMetadata& b);
  /// For who has replaced, moved or removed what is stored: drops what the caches hold of arrays at or below `path`.
  static void ForgetCached(const Store& store, std::string_view path);
  Array(const Array&) = delete;
  Array& operator=(const Array&) = delete;

  const Store& store() const { return *store_; }
  const std::shared_ptr<Store>& shared_store() const { return store_; }
  const std::string& path() const { return path_; }
  const ArrayMetadata& metadata() const { return metadata_; }
  const Shape& shape() const { return metadata_.shape; }
  const DataType& data_type() const { return metadata_.data_type; }
  std::size_t rank() const { return metadata_.shape.size(); }
  /// Process-unique: the same for all handles of one array that are open at the same time.
  std::uint64_t id() const;
  /// When this was opened, by OpeningClock: what is kept of the array is used if the store was asked for it since.
  std::uint64_t opened() const { return opened_; }
  /// Moves on whenever a chunk of the array has been stored through any handle.
  const std::atomic<std::uint64_t>& generation() const;

  /// Nothing if data can be read; else why not.
  const std::optional<Error>& unsupported() const { return unsupported_; }

  /// The shape of the inner chunks; nothing where chunks are no shards, or no codecs are known to tell.
  std::optional<Shape> inner_chunk_shape() const;
  /// The longest edges of the inner chunks: inner chunks where there are shards, else chunks.
  Shape smallest_chunk_shape() const;
  /// The edge of all leaves along an axis, but for the last one; nothing where they differ. Inner chunks are all alike,
  /// whatever the shards that hold them.
  std::optional<std::uint64_t> even_chunk_edge(std::size_t axis) const;
  /// The key of a chunk, the array's path included.
  std::string ChunkKey(const Shape& grid_index) const;

  /// A number of a chunk in this snapshot's grid; nothing in a grid of more than 2^64 chunks.
  std::optional<std::uint64_t> ChunkNumber(const Shape& grid_index) const;
  /// To be called once a chunk has been stored or erased: drops what the process's caches hold of it, for all handles
  /// of the array, and keeps reads that began before from putting the old one there. Of handles whose metadata differ,
  /// all leaves are dropped.
  void ForgetChunk(const Shape& grid_index, const ResolvedPipeline& pipeline) const;

  /// Reads a selection to `destination`, whose strides are those of neighbours in the selection. Elements are in native
  /// byte order; those of variable length are std::string_view, which only a converter can take, and which are valid
  /// during the call of the converter. What is not stored is the fill value.
  ///
  /// Throws Error: invalid_argument for a selection beyond the array, corrupt or unsupported for a chunk that cannot be
  /// decoded, io from the store. The destination's content is then indeterminate. Returns false if `progress` stopped
  /// it.
  bool Read(const Selection& selection, const Destination& destination, const ReadOptions& options = {}) const;

  /// The pipeline for a chunk of that (encoded) shape. Throws what `unsupported` holds.
  std::shared_ptr<const ResolvedPipeline> ResolveFor(const Shape& chunk_shape) const;

 private:
  struct ResolvedPipelines;

  Array();

  std::shared_ptr<Store> store_;
  std::string path_;
  ArrayMetadata metadata_;
  std::shared_ptr<const CodecPipeline> pipeline_;
  std::optional<Error> unsupported_;
  std::shared_ptr<const ArrayIdentity> identity_;
  std::uint64_t opened_ = 0;
  Shape grid_shape_;
  bool numbers_chunks_ = false;

  std::shared_ptr<const ResolvedPipeline> uniform_;  // where all chunks have one shape
  const std::unique_ptr<ResolvedPipelines> others_;  // those of other shapes, bounded
};

}  // namespace zarr
