// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "zarrlib/base/bytes.h"
#include "zarrlib/base/memory_share.h"
#include "zarrlib/base/shape.h"
#include "zarrlib/metadata/data_type.h"
#include "zarrlib/metadata/fill_value.h"

/// The interfaces of the three kinds of codecs (Zarr v3 core, "Codecs"), and of the objects that read and write inner
/// chunks of a stored value.
///
/// A codec is made once from its configuration and is immutable. `Resolve` fits it to a chunk's shape, data type and
/// fill value. The resolved codec does the work; it is immutable too, and safe for any number of threads. Codecs know
/// no store and start no threads. All functions throw Error: corrupt for bytes that cannot be decoded, unsupported for
/// a data type that the codec does not take.
namespace zarr {

/// A chunk as a codec sees it: its shape, data type and fill value.
struct ChunkSpec {
  Shape shape;
  DataType data_type;
  FillValue fill_value;

  std::uint64_t element_count() const { return ComputeProduct(shape); }
  /// The size of the decoded chunk, for types of fixed size. CodecPipeline::Resolve checks that it fits into 64 bits.
  std::size_t byte_size() const { return static_cast<std::size_t>(element_count()) * data_type.size; }
};

/// A decoded chunk whose elements have variable length: one view per element, in C order, into memory that it owns.
struct VariableChunk {
  std::vector<std::string_view> elements;
  Bytes arena;
  MemoryShare share;  ///< For a size that was unknown before decoding; released once it is checked.
};

// --- array -> array ---------------------------------------------------------------------------------------------

class ResolvedArrayToArray {
 public:
  virtual ~ResolvedArrayToArray() = default;
  /// The encoded chunk, with which the next codec is resolved.
  virtual const ChunkSpec& encoded() const = 0;
  /// If the codec only reorders axes: axis i of the encoded chunk is axis `order[i]` of the decoded one. Such a codec
  /// is not run when reading; its order is folded into the strides of the last copy.
  virtual const PerAxis<std::uint64_t>* permutation() const { return nullptr; }
  /// Whether each element is encoded on its own, independent of its place.
  virtual bool elementwise() const { return false; }
  /// Both chunks are packed, in C order, and have their exact sizes.
  virtual void Encode(ByteSpan decoded, MutableByteSpan encoded) const = 0;
  virtual void Decode(ByteSpan encoded, MutableByteSpan decoded) const = 0;
};

class ArrayToArrayCodec {
 public:
  virtual ~ArrayToArrayCodec() = default;
  virtual std::shared_ptr<const ResolvedArrayToArray> Resolve(const ChunkSpec& decoded) const = 0;
};

// --- reading ranges of a stored value ---------------------------------------------------------------------------

/// One stored value that can be read in ranges. Thread-safe.
class ValueReader {
 public:
  virtual ~ValueReader() = default;
  /// Fills each buffer with the range of the same index. Returns false if there is no such value. Throws Error(corrupt)
  /// for a range beyond the end of the value.
  virtual bool Read(std::span<const ByteRange> ranges, std::span<const MutableByteSpan> buffers) const = 0;
  /// The last `length` bytes of the value (all bytes, if it is shorter), and the size of the whole value.
  struct Suffix {
    Bytes bytes;
    std::uint64_t value_size = 0;
  };
  virtual std::optional<Suffix> ReadSuffix(std::uint64_t length) const = 0;
  /// Returns the whole value; nothing if there is none. Throws Error(limit_exceeded) if it has more than `max_size`
  /// bytes.
  virtual std::optional<Bytes> ReadAll(std::uint64_t max_size) const = 0;
  /// The size of the value, if an access has told it.
  virtual std::optional<std::uint64_t> value_size() const { return std::nullopt; }
};

/// The encoded bytes of one chunk, of which parts can be read at little cost.
struct EncodedValue {
  std::uint64_t size = 0;  ///< In bytes.
  /// Fills the buffer with the bytes from `offset` on, which must be in the value.
  std::function<void(std::uint64_t offset, MutableByteSpan buffer)> read;
};

/// The value that consists of these bytes, which must live as long.
EncodedValue MakeEncodedValue(ByteSpan bytes);

/// Turns the bytes of a chunk, or of an innermost chunk of a shard, into its elements: a pure function.
class InnerChunkDecoder {
 public:
  virtual ~InnerChunkDecoder() = default;
  /// The decoded chunk; its axes are those of the array.
  virtual const ChunkSpec& decoded() const = 0;
  /// The strides of the decoded buffer along the axes of the array: in bytes, or in elements for types of variable
  /// length.
  virtual const Strides& layout() const = 0;
  /// Decodes elements of fixed size. `out` has exactly `decoded().byte_size()` bytes.
  virtual void Decode(ByteSpan encoded, MutableByteSpan out) const = 0;
  /// Decodes elements of variable length.
  virtual void DecodeVariable(ByteSpan encoded, VariableChunk* out) const = 0;
  /// Whether ReadPart may find a part.
  virtual bool has_parts() const { return false; }
  /// Reads as many of the encoded bytes as DecodePart needs for a range of the decoded buffer. `part` becomes what is
  /// to be given to DecodePart. Returns the range, the smallest that holds `wanted`; nothing if that is longer than
  /// `most`, if the part would be more than twice as long as the range and 64 KiB, or if only the whole buffer can be
  /// decoded.
  virtual std::optional<ByteRange> ReadPart(const EncodedValue& /*value*/, const ByteRange& /*wanted*/,
                                            std::uint64_t /*most*/, Bytes* /*part*/) const {
    return std::nullopt;
  }
  /// Decodes a part. `out` has the length of its range.
  virtual void DecodePart(ByteSpan, MutableByteSpan) const {}
  /// A generous bound on the encoded size, since encoders of other writers count too; nothing if only the content
  /// tells.
  virtual std::optional<std::uint64_t> max_encoded_size() const { return std::nullopt; }
  /// The size in bytes of the largest array that decoding makes on its way, because codecs may change the data type.
  /// Only for types of fixed size.
  virtual std::uint64_t largest_array() const { return decoded().byte_size(); }
  /// Whether the encoded bytes are the elements as they are in memory, so that ranges of them can be read.
  virtual bool is_stored() const { return false; }
};

/// An inner chunk that is to be read.
struct InnerChunkRead {
  Box box;                        ///< The place of its elements, in the coordinates of the outer chunk.
  std::uint64_t inner_index = 0;  ///< Its number, unique within the outer chunk.
  std::optional<ByteRange>
      range;  ///< Its place in the stored value; nothing if it is absent and thus holds the fill value.
  std::shared_ptr<const InnerChunkDecoder> decoder;
  /// The value in which `range` is; nullptr means the stored value itself.
  std::shared_ptr<const ValueReader> source;
};

/// A shard whose index has been read. Thread-safe.
class ShardReader {
 public:
  virtual ~ShardReader() = default;
  /// Appends a task for each inner chunk that meets `selection`, which is in coordinates of the chunk. `source` must be
  /// the value whose index was read; indices of nested shards are read from it.
  virtual void Plan(const Selection& selection, const ValueReader& source,
                    std::vector<InnerChunkRead>* tasks) const = 0;
  /// The memory that this object takes now, in bytes. It grows when Plan keeps indices of nested shards.
  virtual std::size_t memory_size() const = 0;
};

// --- array -> bytes ---------------------------------------------------------------------------------------------

/// A shard that was split: the range in `bytes` of each inner chunk, in C order of the chunk's axes; nothing for an
/// inner chunk that is absent or was not wanted.
struct SplitShard {
  Bytes bytes;
  std::vector<std::optional<ByteRange>> inner_chunks;
};

using InnerChunkFilter = std::function<bool(std::size_t)>;

/// Encodes inner chunks one by one, in any order and in any thread, and puts shards together from them. Immutable,
/// thread-safe.
class ShardEncoder {
 public:
  virtual ~ShardEncoder() = default;
  /// The decoder of the inner chunks. Their shape divides that of the chunk.
  virtual const InnerChunkDecoder& inner_decoder() const = 0;
  /// Encodes elements that have the layout of `inner_decoder()`.
  virtual void EncodeInnerChunk(ByteSpan elements, Bytes* encoded) const = 0;
  virtual void EncodeInnerChunkVariable(std::span<const std::string_view> elements, Bytes* encoded) const = 0;
  /// Reads the inner chunks of a stored shard for whose numbers `wanted` returns true; nothing if the shard is absent.
  /// Throws Error(corrupt) for an impossible index, Error(limit_exceeded) for more than Limit::kKeptOfShard bytes.
  virtual std::optional<SplitShard> Split(const ValueReader& source, const InnerChunkFilter& wanted) const = 0;
  /// Replaces `value` by a shard of encoded inner chunks, which are in C order of the chunk's axes. Those without a
  /// value are absent.
  virtual void Assemble(std::span<const std::optional<ByteSpan>> inner_chunks, Bytes* value) const = 0;
};

class ResolvedArrayToBytes {
 public:
  virtual ~ResolvedArrayToBytes() = default;
  /// The size of the encoded chunk in bytes, if it is the same for all chunks of this spec.
  virtual std::optional<std::uint64_t> encoded_size() const = 0;
  /// Else a generous bound on that size, if the spec tells one. Larger values are not decoded.
  virtual std::optional<std::uint64_t> max_encoded_size() const { return encoded_size(); }
  /// Whether the encoded bytes are the elements as they are in memory.
  virtual bool is_copy() const { return false; }
  /// For elements of fixed size, in C order. `decoded` has exactly the size of the decoded chunk.
  virtual void Decode(ByteSpan encoded, MutableByteSpan decoded) const = 0;
  virtual void Encode(ByteSpan decoded, Bytes* encoded) const = 0;
  /// For elements of variable length. By default throws Error(unsupported).
  virtual void DecodeVariable(ByteSpan encoded, VariableChunk* decoded) const;
  virtual void EncodeVariable(std::span<const std::string_view> decoded, Bytes* encoded) const;

  /// The shape of the inner chunks, which divides that of the chunk; nullptr if a value can only be read whole.
  virtual const Shape* inner_chunk_shape() const { return nullptr; }
  /// Reads the index of a shard; returns nullptr if there is no such value.
  virtual std::shared_ptr<const ShardReader> Open(const ValueReader& source) const;
  /// A bound on the memory that a ShardReader takes, in bytes.
  virtual std::uint64_t max_open_size() const { return 0; }
  /// The encoder of inner chunks; nullptr if a value can only be encoded whole.
  virtual const ShardEncoder* shard_encoder() const { return nullptr; }
};

class ArrayToBytesCodec {
 public:
  virtual ~ArrayToBytesCodec() = default;
  virtual std::shared_ptr<const ResolvedArrayToBytes> Resolve(const ChunkSpec& decoded) const = 0;
};

// --- bytes -> bytes ---------------------------------------------------------------------------------------------

/// A number of bytes: exact, an upper bound, or (nothing) unknown.
struct SizeBound {
  std::optional<std::uint64_t> bytes;
  bool exact = false;
  bool compressed = false;  ///< The bytes come from a compressor: another compressor does not add much to them.
};

class BytesToBytesCodec {
 public:
  virtual ~BytesToBytesCodec() = default;
  /// A generous bound on the encoded size, since encoders of other writers count too.
  virtual SizeBound GetEncodedSize(SizeBound decoded) const = 0;
  /// If decoding only checks the bytes and takes a range of them: that range.
  virtual std::optional<ByteSpan> DecodeView(ByteSpan) const { return std::nullopt; }
  /// The decoded size that the encoded bytes claim to have, if they do. Not to be trusted.
  virtual std::optional<std::uint64_t> GetClaimedSize(ByteSpan) const { return std::nullopt; }
  /// Decodes all of `encoded` to the front of `out` and returns the number of decoded bytes; returns nothing if `out`
  /// is too small, whose content is then indeterminate. Never writes beyond `out`.
  virtual std::optional<std::size_t> Decode(ByteSpan encoded, MutableByteSpan out) const = 0;
  /// Whether ReadPart may find a part.
  virtual bool has_parts() const { return false; }
  /// See InnerChunkDecoder. `part` becomes encoded bytes that `Decode` decodes to the range. Checks the header of the
  /// value, but not the bytes that it does not need. Returns nothing, too, if the value claims to have another decoded
  /// size than `decoded_size`.
  virtual std::optional<ByteRange> ReadPart(const EncodedValue& /*value*/, std::uint64_t /*decoded_size*/,
                                            const ByteRange& /*wanted*/, std::uint64_t /*most*/,
                                            Bytes* /*part*/) const {
    return std::nullopt;
  }
  /// Replaces the content of `encoded`. `item_size` is the size of the array's elements (1 for variable length).
  virtual void Encode(ByteSpan decoded, std::size_t item_size, Bytes* encoded) const = 0;
};

using Codec = std::variant<std::shared_ptr<const ArrayToArrayCodec>, std::shared_ptr<const ArrayToBytesCodec>,
                           std::shared_ptr<const BytesToBytesCodec>>;

struct CodecSpec;

/// Makes a codec of its name and configuration, as MakeCodec does. Codecs that consist of others are given one, so that
/// they know nothing of the codecs that there are.
using CodecFactory = Codec (*)(const CodecSpec& spec);

// --- scratch ----------------------------------------------------------------------------------------------------

/// A buffer from the stock of the calling thread, to which it returns when this object goes out of scope. So chunks can
/// use the same buffers one after the other, without a lock.
class ScratchBuffer {
 public:
  ScratchBuffer();
  explicit ScratchBuffer(std::size_t size) : ScratchBuffer() { bytes_.resize(size); }
  ~ScratchBuffer();
  ScratchBuffer(const ScratchBuffer&) = delete;
  ScratchBuffer& operator=(const ScratchBuffer&) = delete;

  Bytes& bytes() { return bytes_; }
  MutableByteSpan span() { return {bytes_.data(), bytes_.size()}; }

 private:
  Bytes bytes_;
};

}  // namespace zarr
