#pragma once

#include <cstddef>
#include <memory>
#include <string_view>

#include "zarrlib/base/strided_copy.h"
#include "zarrlib/codec/codec_pipeline.h"
#include "zarrlib/grid/chunk_grid.h"

namespace zarr {

/// Elements that go to one part of a chunk.
struct RegionElements {
  Shape first;  ///< Where in the part the first one goes.
  Shape count;
  Shape step;
  const std::byte* data = nullptr;  ///< The first one.
  Strides strides;                  ///< Of neighbours in the selection.
  const RowConverter* converter = nullptr;
};

/// How chunks of one shape are encoded: as one part, which is the chunk, or, where a chunk is a shard, part by part.
/// The elements of a part are in memory as its codecs want them: of fixed size, or std::string_view. Immutable.
class ChunkEncoder {
 public:
  /// With `store_empty`, parts that equal the fill value are encoded like others.
  ChunkEncoder(std::shared_ptr<const ResolvedPipeline> pipeline, bool store_empty);

  const ResolvedPipeline& pipeline() const { return *pipeline_; }
  /// Nullptr if the chunk is the only part.
  const ShardEncoder* shards() const { return shards_; }
  /// The chunk cut into parts.
  const ChunkGrid& grid() const { return grid_; }
  const Shape& inner_chunk_shape() const { return inner_chunk_.decoded().shape; }
  std::uint64_t InnerChunkNumber(const Shape& index) const;

  bool variable() const { return inner_chunk_.decoded().data_type.variable(); }
  std::size_t element_count() const { return element_count_; }
  /// Bytes that the elements of a part take: of string_views, their own only.
  std::size_t memory_size() const { return element_count_ * item_size_; }
  /// Numbers of elements between neighbours.
  const Strides& element_strides() const { return element_strides_; }

  /// Puts the fill value everywhere. string_views of it are valid while this lives.
  void Fill(std::byte* elements) const;
  void Copy(const RegionElements& source, std::byte* elements) const;
  /// Whether the source is a whole part, laid out as the codecs want it.
  bool TakesAsItIs(const RegionElements& source) const;
  /// Whether the part need not be stored: it equals the fill value, byte for byte.
  bool IsEmpty(const std::byte* elements) const;
  /// Returns the encoded bytes: those of `encoded`, or the elements themselves.
  ByteSpan Encode(const std::byte* elements, Bytes* encoded) const;
  void Decode(ByteSpan encoded, std::byte* elements) const;
  void DecodeVariable(ByteSpan encoded, VariableChunk* chunk) const { inner_chunk_.DecodeVariable(encoded, chunk); }

 private:
  std::shared_ptr<const ResolvedPipeline> pipeline_;
  const ShardEncoder* shards_;
  const InnerChunkDecoder& inner_chunk_;
  bool store_empty_;
  ChunkGrid grid_;
  Shape grid_shape_;
  std::size_t item_size_;
  std::size_t element_count_;
  Strides element_strides_;
  Strides byte_strides_;
};

}  // namespace zarr
