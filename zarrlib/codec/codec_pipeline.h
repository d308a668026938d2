// SPDX-License-Identifier: MIT
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "zarrlib/codec/codec.h"
#include "zarrlib/metadata/array_metadata.h"

namespace zarr {

/// A pipeline bound to one chunk shape. It is an array-to-bytes codec, so that a shard can contain a pipeline, and the
/// decoder of its chunks if they are not shards.
class ResolvedPipeline final : public ResolvedArrayToBytes,
                               public InnerChunkDecoder,
                               public std::enable_shared_from_this<ResolvedPipeline> {
 public:
  // InnerChunkDecoder. The layout is that of the elements after the last codec that is run; leading transposes are
  // folded into it.
  const ChunkSpec& decoded() const override { return decoded_; }
  const Strides& layout() const override { return layout_; }
  void Decode(ByteSpan encoded, MutableByteSpan out) const override;
  void DecodeVariable(ByteSpan encoded, VariableChunk* out) const override;
  bool has_parts() const override;
  std::optional<ByteRange> ReadPart(const EncodedValue& value, const ByteRange& wanted, std::uint64_t most,
                                    Bytes* part) const override;
  void DecodePart(ByteSpan part, MutableByteSpan out) const override;
  std::uint64_t largest_array() const override;
  bool is_stored() const override { return is_copy(); }
  bool stores_null() const override { return array_to_bytes_->stores_null(); }

  std::optional<std::uint64_t> encoded_size() const override;
  std::optional<std::uint64_t> max_encoded_size() const override { return bounds_.back().bytes; }
  bool is_copy() const override;
  /// Encodes elements that are in C order of the array's axes.
  void Encode(ByteSpan decoded, Bytes* encoded) const override;
  void EncodeVariable(std::span<const std::string_view> decoded, Bytes* encoded) const override;
  /// Encodes elements that have the layout `layout()`. Returns a view of `encoded`. If encoding changes nothing
  /// (`is_copy()`), returns `elements` itself and does not modify `encoded`.
  ByteSpan EncodeLaidOut(ByteSpan elements, Bytes* encoded) const;
  void EncodeLaidOutVariable(std::span<const std::string_view> elements, Bytes* encoded) const;

  const Shape* inner_chunk_shape() const override;
  /// Leading transposes permute the axes of the inner chunks, and elementwise codecs are run for each inner chunk. If
  /// bytes-to-bytes codecs follow the sharding codec, the value is read and decoded as a whole.
  std::shared_ptr<const ShardReader> Open(const ValueReader& source) const override;
  std::uint64_t max_open_size() const override;
  /// Returns true if Open reads and decodes the whole value.
  bool opens_whole() const { return !bytes_to_bytes_.empty(); }
  /// Not nullptr if chunks are shards. If shards contain shards, it encodes the outermost inner chunks.
  const ShardEncoder* shard_encoder() const override { return partial_encoder_.get(); }

 private:
  friend class CodecPipeline;
  friend class PartsOfPipeline;
  /// Decodes the bytes-to-bytes codecs. Returns a view of `direct` (which is used unless it is empty, and has the exact
  /// size), of one of `scratch`, or of `encoded`. If this uses much memory, it is reserved in `share`.
  ByteSpan DecodeBytes(ByteSpan encoded, MutableByteSpan direct, std::span<ScratchBuffer, 2> scratch,
                       MemoryShare* share) const;
  /// Decodes one bytes-to-bytes codec, into `direct` or `scratch`. `unknown_limit` bounds the size if nothing else
  /// does.
  ByteSpan DecodeStep(std::size_t step, ByteSpan encoded, std::uint64_t unknown_limit, MutableByteSpan direct,
                      ScratchBuffer* scratch, MemoryShare* share) const;
  /// Decodes the array-to-array codecs that are not folded. `elements` is the output of the innermost of them, in the
  /// buffer that ChooseBuffer returns for it.
  void DecodeArrays(ByteSpan elements, MutableByteSpan out, std::span<ScratchBuffer, 2> scratch) const;
  /// Returns the buffer for the array encoded by the first `level` array-to-array codecs. The last one and every second
  /// one before it use `out` if it has the right size. Arrays of equal size thus need only one more buffer.
  MutableByteSpan ChooseBuffer(std::size_t level, MutableByteSpan out, std::span<ScratchBuffer, 2> scratch) const;
  /// Applies the bytes-to-bytes codecs, starting with number `first`, to the content of `encoded`.
  void EncodeBytes(std::size_t first, Bytes* encoded) const;
  /// Applies the array-to-array codecs, starting with number `first`, and all codecs after them. Returns the same as
  /// EncodeLaidOut.
  ByteSpan EncodeFrom(std::size_t first, ByteSpan elements, Bytes* encoded) const;
  /// Determines the layout and the shape of the inner chunks from the codecs.
  void Fold();
  std::unique_ptr<const ShardEncoder> MakePartialEncoder() const;

  ChunkSpec decoded_;
  Strides layout_;
  Shape axes_;  // axis i of the output of the innermost folded transpose is axis axes_[i] of the array
  std::optional<Shape> inner_chunk_shape_;
  std::unique_ptr<const ShardEncoder> partial_encoder_;
  std::size_t leading_permutations_ = 0;  // the number of codecs of array_to_array_ that are folded into the layout
  std::uint64_t array_work_ = 0;          // the bytes of all arrays that the other ones encode
  std::vector<std::shared_ptr<const ResolvedArrayToArray>> array_to_array_;
  std::shared_ptr<const ResolvedArrayToBytes> array_to_bytes_;
  std::vector<std::shared_ptr<const BytesToBytesCodec>> bytes_to_bytes_;
  std::vector<std::string> names_;  // of all codecs, for messages
  std::vector<SizeBound> bounds_;   // of the input of each bytes-to-bytes codec, and of the output of the last one
};

/// A list of codecs: array-to-array, one array-to-bytes, bytes-to-bytes (Zarr v3 core, "Codecs").
class CodecPipeline {
 public:
  /// Throws Error at a codec that is unknown, invalid, out of order, or beyond Limit::kCodecs. With `implicit_bytes`, a
  /// missing array-to-bytes codec is "bytes" in the byte order of the data type. `make` makes each codec.
  static std::shared_ptr<const CodecPipeline> Make(std::span<const CodecSpec> specs, bool implicit_bytes,
                                                   CodecFactory make);

  /// Throws Error: limit_exceeded for a chunk of more than 2^47 bytes, unsupported for a data type that a codec does
  /// not support.
  std::shared_ptr<const ResolvedPipeline> Resolve(const ChunkSpec& spec) const;

 private:
  struct Named {
    Codec codec;
    CodecSpec spec;
  };
  std::vector<Named> codecs_;
};

}  // namespace zarr
