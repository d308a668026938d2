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
  /// Number of threads that decode, the calling one included; 0 means one per CPU.
  std::size_t threads = 0;
  const WorkerHook* hook = nullptr;
  /// Called on the calling thread with the share of the work that is done; false stops the read. May be empty.
  std::function<bool(double)> progress;
  /// Whether the read uses and fills the chunk cache of the process. A chunk that a window covers whole is cached if
  /// the window is small, or if the chunk is read again soon; never for a window larger than an eighth of the cache's
  /// limit. So a caller who reads an array once, piece by piece, needs no memory for all of it.
  bool use_cache = true;
  /// Reads a window of at most an eighth of the cache's limit into the cache only; the destination is not written to.
  bool read_ahead = false;
  /// Larger chunks, decoded or stored, are refused with Error(limit_exceeded).
  std::uint64_t max_chunk_bytes = GetLimit(Limit::kChunk);
};

/// What the user of an array is to know, though it can be read.
struct ArrayWarning {
  enum class Kind {
    kTolerated,          ///< The metadata are not quite what the specification says.
    kStaleConsolidated,  ///< Consolidated metadata and the node's own documents differ.
    kOtherChunkKeys,     ///< Values are stored under keys that the metadata do not declare.
  };
  Kind kind;
  std::string text;
  std::string form = {};  ///< Of the keys; one of kChunkKeyForms.
};
using ArrayWarner = std::function<void(const ArrayWarning& warning)>;

/// An array: a snapshot of its metadata in a store. Immutable; safe for any number of threads.
class Array {
 public:
  /// Makes the array at `path` in the store ("" is the root). A codec that is not supported is an error only when data
  /// are read; a wrong configuration of a codec throws here.
  /// `warn`, if there is one, is told in the thread that reads if values are stored under keys of another form.
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
  /// A number that is unique in the process. All handles of one array that are open at the same time have the same id.
  std::uint64_t id() const;
  /// When this array was opened, by OpeningClock. A cached chunk is used if the store was asked for its state since
  /// then.
  std::uint64_t opened() const { return opened_; }
  /// Grows whenever any handle has stored a chunk of the array.
  const std::atomic<std::uint64_t>& generation() const;

  /// Nothing if data can be read; else the reason why not.
  const std::optional<Error>& unsupported() const { return unsupported_; }

  /// The shape of the inner chunks; nothing where chunks are no shards, or where the codecs are not known.
  std::optional<Shape> inner_chunk_shape() const;
  /// The prefix of the keys of all chunks: "" or a text that ends in "/".
  const std::string& chunk_prefix() const { return chunk_prefix_; }
  /// Makes the key of a chunk, with that prefix.
  std::string MakeChunkKey(const Shape& grid_index) const;

  /// The number of a chunk in the grid of this snapshot; nothing if the grid has more than 2^64 chunks.
  std::optional<std::uint64_t> GetChunkNumber(const Shape& grid_index) const;
  /// To be called after a chunk was stored or erased. Drops the chunk from the caches of the process, for all handles
  /// of the array, and keeps earlier reads from putting the old chunk there. Handles with other metadata lose all their
  /// chunks.
  void ForgetChunk(const Shape& grid_index, const ResolvedPipeline& pipeline) const;

  /// Reads a selection into `destination`, whose strides are in bytes, between neighbours of the selection. Elements
  /// are in native byte order. Elements of variable length are std::string_view: they need a converter, and they are
  /// valid only while the converter is called. Chunks that are not stored read as the fill value: a converter gets the
  /// bytes of `metadata().fill_value` themselves, or a view of kMissingText if it is undefined. Thread-safe.
  ///
  /// Returns false if `progress` stopped the read. Throws Error: invalid_argument for a selection beyond the array,
  /// corrupt or unsupported for a chunk that cannot be decoded, io from the store. The content of the destination is
  /// then indeterminate.
  bool Read(const Selection& selection, const Destination& destination, const ReadOptions& options = {}) const;

  /// The pipeline for chunks of an encoded shape. Throws the error that `unsupported()` holds.
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
  std::unique_ptr<ChunkKeyCheck> key_check_;  // null if nobody is to be told

  std::shared_ptr<const ResolvedPipeline> uniform_;  // where all chunks have one shape
  const std::unique_ptr<ResolvedPipelines> others_;  // those of other shapes, bounded
};

/// The longest edges of the inner chunks, or of the chunks where these are no shards.
Shape GetSmallestChunkShape(const Array& array);

/// The edge of the inner chunks (or chunks) along an axis, the last one excepted; nothing where the edges differ.
/// Inner chunks have one shape, whatever the shapes of their shards.
std::optional<std::uint64_t> FindEvenChunkEdge(const Array& array, std::size_t axis);

/// Whether chunks hold the same elements under both metadata, which are those of one array at different times.
bool HaveSameContent(const ArrayMetadata& a, const ArrayMetadata& b);

/// Drops what the caches hold of the arrays at and below `path`. To be called after stored nodes were replaced, moved
/// or removed.
void ForgetCachedArrays(const Store& store, std::string_view path);

}  // namespace zarr
