// SPDX-License-Identifier: MIT
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "zarrlib/base/error.h"
#include "zarrlib/codec/array_to_bytes/shard_index.h"
#include "zarrlib/codec/codec_pipeline.h"
#include "zarrlib/codec/codec_util.h"
#include "zarrlib/grid/chunk_grid.h"

namespace zarr {

enum class IndexLocation { kStart, kEnd };

/// The codec `sharding_indexed` for one shape of shards; see MakeShardingCodec.
class ResolvedSharding final : public ResolvedArrayToBytes,
                               public ShardEncoder,
                               public std::enable_shared_from_this<ResolvedSharding> {
 public:
  ResolvedSharding(const ChunkSpec& shard, std::shared_ptr<const ResolvedPipeline> inner,
                   const CodecPipeline& index_codecs, IndexLocation location, const JsonNode& place)
      : shard_(shard),
        inner_(std::move(inner)),
        grid_(ChunkGrid::MakeRegular(shard.shape, inner_->decoded().shape)),
        index_codec_(index_codecs, grid_.grid_shape(), place),
        location_(location) {}

  std::optional<std::uint64_t> encoded_size() const override { return std::nullopt; }
  /// Shards may have gaps: allows the same number of bytes again for them.
  std::optional<std::uint64_t> max_encoded_size() const override {
    const auto inner_chunk = GetMaxInnerChunkSize();
    const auto inner_chunks = inner_chunk ? MultiplyChecked(*inner_chunk, ComputeProduct(inner_grid_)) : std::nullopt;
    const auto all = inner_chunks ? AddChecked(*inner_chunks, index_codec_.encoded_size()) : std::nullopt;
    return GetCompressedBound({all, false}).bytes;
  }
  void Decode(ByteSpan encoded, MutableByteSpan decoded) const override;
  bool stores_null() const override { return inner_->stores_null(); }
  void DecodeVariable(ByteSpan encoded, VariableChunk* decoded) const override;
  void Encode(ByteSpan decoded, Bytes* encoded) const override;
  void EncodeVariable(std::span<const std::string_view> decoded, Bytes* encoded) const override;
  const Shape* inner_chunk_shape() const override {
    return is_nested() ? inner_->inner_chunk_shape() : &inner_->decoded().shape;
  }
  std::uint64_t max_open_size() const override;
  std::shared_ptr<const ShardReader> Open(const ValueReader& source) const override;
  const ShardEncoder* shard_encoder() const override { return this; }

  // ShardEncoder. An inner chunk may be a shard itself.
  const InnerChunkDecoder& inner_decoder() const override { return *inner_; }
  void EncodeInnerChunk(ByteSpan elements, Bytes* encoded) const override {
    const ByteSpan bytes = inner_->EncodeLaidOut(elements, encoded);
    if (bytes.data() != encoded->data()) encoded->assign(bytes.begin(), bytes.end());
  }
  void EncodeInnerChunkVariable(std::span<const std::string_view> elements, Bytes* encoded) const override {
    inner_->EncodeLaidOutVariable(elements, encoded);
  }
  std::optional<SplitShard> Split(const ValueReader& source, const InnerChunkFilter& wanted) const override;
  void Assemble(std::span<const std::optional<ByteSpan>> inner_chunks, Bytes* value) const override;

  const std::shared_ptr<const ResolvedPipeline>& inner() const { return inner_; }
  const ChunkGrid& grid() const { return grid_; }
  const Shape& inner_grid() const { return inner_grid_; }
  /// Returns true if inner chunks are shards whose own inner chunks can be read one by one. A shard that must be
  /// decoded as a whole counts as one inner chunk.
  bool is_nested() const { return inner_->inner_chunk_shape() && !inner_->opens_whole(); }

 private:
  std::optional<std::uint64_t> GetMaxInnerChunkSize() const;
  /// Returns the ranges of the wanted inner chunks in the value.
  static std::vector<std::optional<ByteRange>> GetInnerRanges(const ShardIndex& index, std::uint64_t value_size,
                                                              const InnerChunkFilter& wanted);
  /// Reads only those ranges. `end` is the end of the value, which is not read again.
  static std::optional<SplitShard> Gather(const ValueReader& source, std::vector<std::optional<ByteRange>> inner_chunks,
                                          const ValueReader::Suffix& end);
  /// Reads the index. Returns nullopt if the value does not exist. Sets `value_size` if the size becomes known.
  std::optional<ShardIndex> ReadIndex(const ValueReader& source, std::optional<std::uint64_t>* value_size) const;
  ShardIndex GetIndex(ByteSpan value) const;
  [[noreturn]] void FailShort(std::uint64_t got) const {
    throw Error(ErrorKind::kCorrupt,
                FormatExpectedGot("a shard with an index of " + std::to_string(index_codec_.encoded_size()) + " bytes",
                                  std::to_string(got) + " bytes"));
  }
  Selection SelectAll() const { return Selection::FromBox({Shape(shard_.shape.size(), 0), shard_.shape}); }

  ChunkSpec shard_;
  std::shared_ptr<const ResolvedPipeline> inner_;
  ChunkGrid grid_;
  Shape inner_grid_ = grid_.grid_shape();
  ShardIndexCodec index_codec_;
  IndexLocation location_;
};

}  // namespace zarr
