// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "zarrlib/codec/codec_pipeline.h"

namespace zarr {

/// The ranges of the inner chunks of one shard, in C order of the inner chunks.
class ShardIndex {
 public:
  explicit ShardIndex(std::vector<std::uint64_t> entries) : entries_(std::move(entries)) {}
  static ShardIndex MakeEmpty(std::uint64_t inner_chunks);

  std::uint64_t inner_chunks() const { return entries_.size() / 2; }
  std::size_t memory_size() const { return entries_.size() * sizeof(std::uint64_t); }
  const std::vector<std::uint64_t>& entries() const { return entries_; }

  /// Returns the range of an inner chunk, or nullopt if it is absent. Throws Error(corrupt) for a range beyond
  /// `value_size`, if that is known.
  std::optional<ByteRange> At(std::uint64_t inner_chunk, std::optional<std::uint64_t> value_size) const;
  void Set(std::uint64_t inner_chunk, ByteRange range);

 private:
  std::vector<std::uint64_t> entries_;  // offset and length of each inner chunk
};

/// Encodes and decodes the index of shards with a grid of `inner_grid` inner chunks.
class ShardIndexCodec {
 public:
  /// Throws Error at `place` if the codecs do not produce a fixed size.
  ShardIndexCodec(const CodecPipeline& codecs, const Shape& inner_grid, const JsonNode& place);

  std::uint64_t encoded_size() const { return encoded_size_; }
  ShardIndex Decode(ByteSpan encoded) const;
  Bytes Encode(const ShardIndex& index) const;

 private:
  std::shared_ptr<const ResolvedPipeline> pipeline_;
  std::uint64_t encoded_size_ = 0;
};

}  // namespace zarr
