// SPDX-License-Identifier: MIT
#pragma once

#include <atomic>
#include <cstddef>
#include <memory>
#include <utility>
#include <vector>

#include "zarrlib/array/cache/chunk_cache.h"
#include "zarrlib/array/cache/shard_index_cache.h"

namespace zarr::test {

inline constexpr std::size_t kKiB = 1024;
inline constexpr std::size_t kMiB = 1024 * kKiB;

inline std::shared_ptr<DecodedChunk> MakeChunk(std::size_t size, std::byte value = std::byte{1}) {
  auto chunk = std::make_shared<DecodedChunk>();
  chunk->bytes = Bytes(size, value);
  return chunk;
}

/// A shard that takes as much memory as it is told.
class SizedShard final : public ShardReader {
 public:
  explicit SizedShard(std::size_t size) : size_(size) {}
  void Plan(const Selection&, const ValueReader&, std::vector<InnerChunkRead>*) const override {}
  std::size_t memory_size() const override { return size_.load(); }
  void Grow(std::size_t size) { size_ = size; }

 private:
  std::atomic<std::size_t> size_;
};

using Shard = std::shared_ptr<const IndexedShard>;

inline Shard ShardOf(std::shared_ptr<const SizedShard> decoder) {
  return std::make_shared<const IndexedShard>(IndexedShard{std::move(decoder), nullptr});
}
inline Shard ShardOf(std::size_t size) {
  return ShardOf(std::make_shared<const SizedShard>(size));
}

}  // namespace zarr::test
