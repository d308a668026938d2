#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "zarrlib/codec/codec.h"
#include "zarrlib/metadata/array_metadata.h"

namespace zarr {

/// A pipeline fitted to one chunk shape. An array-to-bytes codec itself, so that a shard can hold one; and the decoder
/// of its chunks, where those are inner chunks.
class ResolvedPipeline final : public ResolvedArrayToBytes,
                               public InnerChunkDecoder,
                               public std::enable_shared_from_this<ResolvedPipeline> {
 public:
  // InnerChunkDecoder. The layout is that of the elements as they leave the innermost codec that is run: leading
  // transposes are folded into it.
  const ChunkSpec& decoded() const override { return decoded_; }
  const Strides& layout() const override { return layout_; }
  void Decode(ByteSpan encoded, MutableByteSpan out) const override;
  void DecodeVariable(ByteSpan encoded, VariableChunk* out) const override;
  std::optional<ByteRange> DecodableRange(ByteSpan encoded, const ByteRange& wanted) const override;
  void DecodeRange(ByteSpan encoded, const ByteRange& range, MutableByteSpan out) const override;
  std::uint64_t largest_array() const override;
  bool is_stored() const override { return is_copy(); }

  std::optional<std::uint64_t> encoded_size() const override;
  std::optional<std::uint64_t> max_encoded_size() const override { return bounds_.back().bytes; }
  bool is_copy() const override;
  /// From elements in C order of the array's axes.
  void Encode(ByteSpan decoded, Bytes* encoded) const override;
  void EncodeVariable(std::span<const std::string_view> decoded, Bytes* encoded) const override;
  /// The same from elements that are laid out as `layout()` says. Returns the encoded bytes: those of `encoded`, or
  /// `elements` themselves where encoding changes nothing (`is_copy()`; `encoded` is then left alone).
  ByteSpan EncodeLaidOut(ByteSpan elements, Bytes* encoded) const;
  void EncodeLaidOutVariable(std::span<const std::string_view> elements, Bytes* encoded) const;

  const Shape* inner_chunk_shape() const override;
  /// Leading transposes permute the inner chunks' axes, elementwise codecs are run inner chunk by inner chunk; where
  /// bytes-to-bytes codecs follow the shards, the value is read and decoded whole first.
  std::shared_ptr<const ShardReader> Open(const ValueReader& source) const override;
  std::uint64_t max_open_size() const override;
  /// Whether Open reads the value whole.
  bool opens_whole() const { return !bytes_to_bytes_.empty(); }
  /// There is one where there are inner chunks. Where shards hold shards, the parts are those of the outermost.
  const ShardEncoder* shard_encoder() const override { return partial_encoder_.get(); }

 private:
  friend class CodecPipeline;
  friend class PartsOfPipeline;
  /// What is left after the bytes-to-bytes codecs: in `direct` (not used if empty, else of exact size), in one of
  /// `scratch`, or a part of `encoded`. `share` is one of the memory that this takes, where it is much.
  ByteSpan DecodeBytes(ByteSpan encoded, MutableByteSpan direct, std::span<ScratchBuffer, 2> scratch,
                       MemoryShare* share) const;
  /// One bytes-to-bytes codec, to `direct` or `scratch`. Where no bound is known, `unknown_limit` is one.
  ByteSpan DecodeStep(std::size_t step, ByteSpan encoded, std::uint64_t unknown_limit, MutableByteSpan direct,
                      ScratchBuffer* scratch, MemoryShare* share) const;
  /// Undoes the array-to-array codecs that are not folded, the innermost of which gave `elements`.
  void DecodeArrays(MutableByteSpan elements, MutableByteSpan out) const;
  /// The bytes-to-bytes codecs from the one of that number on, on what is in `encoded`.
  void EncodeBytes(std::size_t first, Bytes* encoded) const;
  /// The array-to-array codecs from the one of that number on, and all that follow. As EncodeLaidOut.
  ByteSpan EncodeFrom(std::size_t first, ByteSpan elements, Bytes* encoded) const;
  /// Works out the layout and the inner chunks from the codecs.
  void Fold();
  std::unique_ptr<const ShardEncoder> MakePartialEncoder() const;

  ChunkSpec decoded_;
  Strides layout_;
  Shape axes_;  // axis i of what the innermost folded transpose gives is axis axes_[i] of the array
  std::optional<Shape> inner_chunk_shape_;
  std::unique_ptr<const ShardEncoder> partial_encoder_;
  std::size_t leading_permutations_ = 0;  // how many of array_to_array_ are folded into the layout
  std::vector<std::shared_ptr<const ResolvedArrayToArray>> array_to_array_;
  std::shared_ptr<const ResolvedArrayToBytes> array_to_bytes_;
  std::vector<std::shared_ptr<const BytesToBytesCodec>> bytes_to_bytes_;
  std::vector<std::string> names_;  // of all codecs, for messages
  std::vector<SizeBound> bounds_;   // before each bytes-to-bytes codec, and after the last
};

/// A list of codecs: array-to-array, one array-to-bytes, bytes-to-bytes (Zarr v3 core, "Codecs").
class CodecPipeline {
 public:
  /// Throws Error at the codec that is unknown, wrong, out of order, or one too many (kMaxCodecs). With
  /// `implicit_bytes`, a missing array-to-bytes codec is "bytes" in the order that the data type names.
  static std::shared_ptr<const CodecPipeline> Make(std::span<const CodecSpec> specs, bool implicit_bytes);

  /// Throws Error(limit_exceeded) for a chunk of more than 2^47 bytes, unsupported for a type that a codec cannot take.
  std::shared_ptr<const ResolvedPipeline> Resolve(const ChunkSpec& spec) const;

 private:
  struct Named {
    Codec codec;
    CodecSpec spec;
  };
  std::vector<Named> codecs_;
};

}  // namespace zarr
