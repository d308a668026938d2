#pragma once

#include <atomic>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "zarrlib/array/array.h"
#include "zarrlib/array/array_writer.h"
#include "zarrlib/array/read/chunk_loader.h"
#include "zarrlib/array/write/pending_chunks.h"

namespace zarr {

/// What all writes to one array have in common: from elements to values of the store. Thread-safe.
class ChunkWriter {
 public:
  ChunkWriter(std::shared_ptr<const Array> array, const WriterOptions& options);

  const Array& array() const { return *array_; }
  const std::shared_ptr<const Array>& shared_array() const { return array_; }
  std::shared_ptr<const ChunkEncoder> CodecFor(const Shape& encoded_shape) const;

  /// Whether the key has a value, which replaces that of `value`: as it is now, for what is to be put back.
  bool Load(const std::string& key, Bytes* value, std::uint64_t max_size = UINT64_MAX) const {
    return array_->store().current().Get(key, value, nullptr, max_size);
  }
  /// Of a shard: the parts that are stored and `wanted`; nothing if it is absent.
  std::optional<SplitShard> LoadInnerChunks(const PendingChunk& chunk, const InnerChunkFilter& wanted) const;
  /// Stores elements that are a whole chunk, or, if they are the fill value, erases the chunk.
  void PutElements(const std::string& key, const Shape& grid_index, const ChunkEncoder& codec,
                   const std::byte* elements) const;
  /// Stores a value; nothing erases the chunk.
  void PutValue(const std::string& key, const Shape& grid_index, const ChunkEncoder& codec,
                std::optional<ByteSpan> value) const;
  /// Stores a chunk that is no shard, what was not written of it taken from the store.
  void PutPending(PendingChunk& chunk) const;

  /// Runs `work`, whose errors get the store, the key and the chunk.
  template <typename Function>
  void AtChunk(const std::string& key, const Shape& grid_index, const Function& work) const {
    zarr::AtChunk(array_->store(), key, grid_index, work);
  }

 private:
  std::shared_ptr<const Array> array_;
  WriterOptions options_;
  std::shared_ptr<const ChunkEncoder> uniform_;  // where all chunks have one shape
  mutable std::mutex mutex_;
  mutable std::vector<std::shared_ptr<const ChunkEncoder>> codecs_;  // the others, latest last, bounded
};

}  // namespace zarr
