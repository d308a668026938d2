// SPDX-License-Identifier: MIT
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
#include "zarrlib/base/limits.h"
#include "zarrlib/base/shape.h"
#include "zarrlib/base/strided_copy.h"
#include "zarrlib/base/worker_hook.h"
#include "zarrlib/metadata/array_metadata.h"
#include "zarrlib/store/store.h"

namespace zarr {

class ArrayIdentity;
class ChunkKeyCheck;
class CodecPipeline;
class ResolvedPipeline;

struct ReadOptions {
  /// Number of decoding threads, including the calling one; 0 means one per CPU.
  std::size_t threads = 0;
  const WorkerHook* hook = nullptr;
  /// Called on the calling thread with the completed fraction of the work; returning false stops the read. May be
  /// empty.
  std::function<bool(double)> progress;
  /// True if the read uses and fills the process-wide chunk cache. A chunk that is covered entirely by a window is
  /// cached if the window is small, or if the chunk is read again soon. It is never cached for a window larger than an
  /// eighth of the cache's limit. A caller that reads an array once, piece by piece, therefore does not need memory for
  /// all of it.
  bool use_cache = true;
  /// Reads a window of at most an eighth of the cache's limit into the cache only; the destination is not written to.
  bool read_ahead = false;
  /// Larger chunks, decoded or stored, are rejected with Error(limit_exceeded).
  std::uint64_t max_chunk_bytes = GetLimit(Limit::kChunk);
};

/// A warning for the user of an array that can still be read.
struct ArrayWarning {
  enum class Kind {
    kTolerated,          ///< The metadata do not quite comply with the specification.
    kStaleConsolidated,  ///< Consolidated metadata and the node's own documents differ.
    kOtherChunkKeys,     ///< Values are stored under keys that the metadata do not declare.
  };
  Kind kind;
  std::string text;
  std::string form = {};  ///< The form of the keys; one of kChunkKeyForms.
};
using ArrayWarner = std::function<void(const ArrayWarning& warning)>;

/// An array: a snapshot of its metadata in a store. Immutable; safe for any number of threads.
class Array {
 public:
  /// Makes the array at `path` in the store ("" is the root). An unsupported codec is an error only when data are read;
  /// an invalid codec configuration throws here. `warn`, if set, is called in the reading thread if values are stored
  /// under keys of another form.
  static std::shared_ptr<const Array> Make(std::shared_ptr<Store> store, std::string path, ArrayMetadata metadata,
                                           const ArrayWarner& warn = {});
  ~Array();
  Array(const Array&) = delete;
  Array& operator=(const Array&) = delete;

  const Store& store() const { return *store_; }
  const std::shared_ptr<Store>& shared_store() const { return store_; }
  const std::string& path() const { return path_; }
  const ArrayMetadata& metadata() const { return metadata_; }
  const Shape& shape() const { return metadata_.shape; }
  const DataType& data_type() const { return metadata_.data_type; }
  std::size_t rank() const { return metadata_.shape.size(); }
  /// Returns a number that is unique in the process. All handles of one array that are open at the same time have the
  /// same id.
  std::uint64_t id() const;
  /// Returns the OpeningClock time at which this array was opened. A cached chunk is used if its state in the store was
  /// checked since then.
  std::uint64_t opened() const { return opened_; }
  /// Returns a counter that grows whenever any handle has stored a chunk of the array.
  const std::atomic<std::uint64_t>& generation() const;

  /// Returns nullopt if data can be read; otherwise the reason why not.
  const std::optional<Error>& unsupported() const { return unsupported_; }

  /// Returns the shape of the inner chunks; nullopt if chunks are not shards, or if the codecs are unknown.
  std::optional<Shape> inner_chunk_shape() const;
  /// Returns the prefix of the keys of all chunks: "" or a string that ends in "/".
  const std::string& chunk_prefix() const { return chunk_prefix_; }
  /// Makes the key of a chunk, including that prefix.
  std::string MakeChunkKey(const Shape& grid_index) const;

  /// Returns the linear index of a chunk in this snapshot's grid; nullopt if the grid has more than 2^64 chunks.
  std::optional<std::uint64_t> GetChunkNumber(const Shape& grid_index) const;
  /// Must be called after a chunk was stored or erased. Drops the chunk from the process-wide caches, for all handles
  /// of the array, and prevents earlier reads from caching the old chunk. Handles with other metadata lose all their
  /// cached chunks.
  void ForgetChunk(const Shape& grid_index, const ResolvedPipeline& pipeline) const;

  /// Reads a selection into `destination`, whose strides are in bytes, between neighbours of the selection. Elements
  /// are in native byte order. Variable-length elements are std::string_view: they need a converter, and are valid only
  /// while the converter is called. Chunks that are not stored read as the fill value: a converter gets the bytes of
  /// `metadata().fill_value` themselves, or a view of kMissingText if it is undefined. Thread-safe.
  ///
  /// Returns false if `progress` stopped the read. Throws Error: invalid_argument for a selection outside the array,
  /// corrupt or unsupported for a chunk that cannot be decoded, io from the store. After an error, the content of the
  /// destination is indeterminate.
  bool Read(const Selection& selection, const Destination& destination, const ReadOptions& options = {}) const;

  /// Returns the pipeline for chunks of an encoded shape. Throws the error in `unsupported()`.
  std::shared_ptr<const ResolvedPipeline> ResolveFor(const Shape& chunk_shape) const;

 private:
  struct ResolvedPipelines;

  Array();

  std::shared_ptr<Store> store_;
  std::string path_;
  std::string chunk_prefix_;
  ArrayMetadata metadata_;
  std::shared_ptr<const CodecPipeline> pipeline_;
  std::optional<Error> unsupported_;
  std::shared_ptr<const ArrayIdentity> identity_;
  std::uint64_t opened_ = 0;
  Shape grid_shape_;
  bool numbers_chunks_ = false;
  std::unique_ptr<ChunkKeyCheck> key_check_;  // null if there is no `warn` function

  std::shared_ptr<const ResolvedPipeline> uniform_;  // if all chunks have one shape
  const std::unique_ptr<ResolvedPipelines> others_;  // pipelines of other shapes, bounded
};

/// Returns the longest edges of the inner chunks, or of the chunks if these are not shards.
Shape GetSmallestChunkShape(const Array& array);

/// Returns the edge of the inner chunks (or chunks) along an axis, except the last one; nullopt if the edges differ.
/// Inner chunks have one shape, whatever the shapes of their shards.
std::optional<std::uint64_t> FindEvenChunkEdge(const Array& array, std::size_t axis);

/// Returns true if chunks contain the same elements under both metadata, which describe one array at different times.
bool HaveSameContent(const ArrayMetadata& a, const ArrayMetadata& b);

/// Drops the cached data of the arrays at and below `path`. Call this after stored nodes were replaced, moved or
/// removed.
void ForgetCachedArrays(const Store& store, std::string_view path);

}  // namespace zarr
