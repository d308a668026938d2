// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <memory>
#include <string_view>

#include "zarrlib/base/strided_copy.h"
#include "zarrlib/codec/codec_pipeline.h"
#include "zarrlib/grid/chunk_grid.h"

namespace zarr {

/// The elements that a write puts into one chunk or inner chunk.
struct RegionElements {
  Shape first;  ///< The position of the first element in the chunk.
  Shape count;
  Shape step;
  const std::byte* data = nullptr;  ///< The first element.
  Strides strides;                  ///< In bytes, between neighbours of the selection.
  const RowConverter* converter = nullptr;
};

/// Encodes chunks of one shape. A shard is encoded by its inner chunks; a chunk that is not a shard counts as its only
/// inner chunk. In memory, the elements of an inner chunk have the layout that its codecs expect, and are of fixed size
/// or std::string_view. Immutable.
class ChunkEncoder {
 public:
  /// With `store_empty`, inner chunks that equal the fill value are encoded like all others.
  ChunkEncoder(std::shared_ptr<const ResolvedPipeline> pipeline, bool store_empty);

  const ResolvedPipeline& pipeline() const { return *pipeline_; }
  /// Returns null if the chunk is not a shard.
  const ShardEncoder* shards() const { return shards_; }
  /// Returns the division of the chunk into inner chunks.
  const ChunkGrid& grid() const { return grid_; }
  const Shape& inner_chunk_shape() const { return decoder_.decoded().shape; }
  std::uint64_t GetInnerChunkNumber(const Shape& index) const;

  bool variable() const { return decoder_.decoded().data_type.variable(); }
  std::size_t element_count() const { return element_count_; }
  /// Returns the memory of the elements of an inner chunk, in bytes, without the text that std::string_view elements
  /// point to.
  std::size_t memory_size() const { return element_count_ * item_size_; }
  /// Returns the distance between neighbours along each axis, in elements.
  const Strides& element_strides() const { return element_strides_; }
  /// Returns the distance between neighbours along each axis, in bytes.
  const Strides& byte_strides() const { return byte_strides_; }

  /// Fills an inner chunk with the fill value. Its string_views are valid while this object exists.
  void Fill(std::byte* elements) const;
  void Copy(const RegionElements& source, std::byte* elements) const;
  /// Returns true if the source is a whole inner chunk in the layout of the codecs, so that no copy is needed.
  bool TakesAsItIs(const RegionElements& source) const;
  /// Returns true if an inner chunk need not be stored because it equals the fill value byte for byte.
  bool IsEmpty(const std::byte* elements) const;
  /// Encodes an inner chunk. Returns a view of `encoded`, or of the elements if the codecs do not change them.
  ByteSpan Encode(const std::byte* elements, Bytes* encoded) const;
  void Decode(ByteSpan encoded, std::byte* elements) const;
  void DecodeVariable(ByteSpan encoded, VariableChunk* chunk) const { decoder_.DecodeVariable(encoded, chunk); }

 private:
  std::shared_ptr<const ResolvedPipeline> pipeline_;
  const ShardEncoder* shards_;
  const InnerChunkDecoder& decoder_;
  bool store_empty_;
  ChunkGrid grid_;
  Shape grid_shape_;
  std::size_t item_size_;
  std::size_t element_count_;
  Strides element_strides_;
  Strides byte_strides_;
};

}  // namespace zarr
