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
#include "zarrlib/base/limits.h"
#include "zarrlib/base/memory_share.h"
#include "zarrlib/base/shape.h"
#include "zarrlib/metadata/data_type.h"
#include "zarrlib/metadata/fill_value.h"

/// The interfaces of the three kinds of codecs (Zarr v3 core, "Codecs"), and of the objects that read and write inner
/// chunks of a stored value.
///
/// A codec is made once from its configuration and is immutable. `Resolve` binds it to a chunk's shape, data type and
/// fill value. The resolved codec does the work; it is also immutable, and safe for any number of threads. Codecs do
/// not access stores or start threads.
///
/// All functions throw Error: corrupt for bytes that cannot be decoded, unsupported for a data type that the codec does
/// not support.
namespace zarr {

/// The decoded side of a codec: the shape, data type and fill value of a chunk.
struct ChunkSpec {
  Shape shape;
  DataType data_type;
  FillValue fill_value;

  std::uint64_t element_count() const { return ComputeProduct(shape); }
  /// Returns the size of the decoded chunk, for types of fixed size. CodecPipeline::Resolve checks that it fits into 64
  /// bits.
  std::uint64_t byte_size() const { return element_count() * data_type.size; }
};

/// Begins an element that stands for a value other than text, which the codec has encoded as the rest of the element.
/// It is not UTF-8, so that no text begins with it.
inline constexpr std::string_view kStoredValueMark{"\xFF\0stored", 8};

/// A decoded chunk of variable-length elements: one view per element, in C order, into memory owned by the chunk.
struct VariableChunk {
  /// Set by callers that will encode the elements again. Codecs of values other than text, which would decode to text,
  /// then return them as kStoredValueMark with what is stored, and encode them as they were.
  bool for_update = false;
  std::vector<std::string_view> elements;
  Bytes arena;
  MemoryShare share;  ///< For a size that was unknown before decoding; released once it is checked.
};

// --- array -> array ---------------------------------------------------------------------------------------------

class ResolvedArrayToArray {
 public:
  virtual ~ResolvedArrayToArray() = default;
  /// Returns the encoded chunk, with which the next codec is resolved.
  virtual const ChunkSpec& encoded() const = 0;
  /// If the codec only reorders axes: axis i of the encoded chunk is axis `order[i]` of the decoded one. Such a codec
  /// is not run when reading; its order is folded into the strides of the last copy.
  virtual const PerAxis<std::uint64_t>* permutation() const { return nullptr; }
  /// Returns true if each element is encoded independently of the others and of its position.
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

/// A stored value that can be read in ranges. Thread-safe.
class ValueReader {
 public:
  virtual ~ValueReader() = default;
  /// Fills each buffer with the range of the same index. Returns false if the value does not exist. Throws
  /// Error(corrupt) for a range beyond the end of the value.
  virtual bool Read(std::span<const ByteRange> ranges, std::span<const MutableByteSpan> buffers) const = 0;
  /// The last `length` bytes of the value (all bytes, if it is shorter), and the size of the whole value.
  struct Suffix {
    Bytes bytes;
    std::uint64_t value_size = 0;
  };
  virtual std::optional<Suffix> ReadSuffix(std::uint64_t length) const = 0;
  /// Returns the whole value, or nullopt if it does not exist. Throws Error(limit_exceeded) if it has more than
  /// `max_size` bytes.
  virtual std::optional<Bytes> ReadAll(std::uint64_t max_size) const = 0;
  /// Returns the size of the value if it is known from an earlier access.
  virtual std::optional<std::uint64_t> value_size() const { return std::nullopt; }
};

/// The encoded bytes of a chunk, which can be read in parts at low cost.
struct EncodedValue {
  std::uint64_t size = 0;  ///< In bytes.
  /// Fills the buffer with the bytes starting at `offset`, which must be in the value.
  std::function<void(std::uint64_t offset, MutableByteSpan buffer)> read;
};

/// Makes a value that consists of these bytes, which must outlive it.
EncodedValue MakeEncodedValue(ByteSpan bytes);

/// Turns the bytes of a chunk, or of an innermost chunk of a shard, into its elements: a pure function.
class InnerChunkDecoder {
 public:
  virtual ~InnerChunkDecoder() = default;
  /// Returns the decoded chunk; its axes are those of the array.
  virtual const ChunkSpec& decoded() const = 0;
  /// Returns the strides of the decoded buffer along the axes of the array: in bytes, or in elements for
  /// variable-length types.
  virtual const Strides& layout() const = 0;
  /// Decodes elements of fixed size. `out` must have exactly `decoded().byte_size()` bytes.
  virtual void Decode(ByteSpan encoded, MutableByteSpan out) const = 0;
  virtual void DecodeVariable(ByteSpan encoded, VariableChunk* out) const = 0;
  /// Returns true if a variable-length element can be stored as null, and is then no empty string.
  virtual bool stores_null() const { return false; }
  /// Returns true if a variable-length element reads the same if it is not stored.
  bool IsFill(std::string_view element) const {
    return element == AsText(decoded().fill_value.bytes) && !(stores_null() && element.data() == kMissingText);
  }
  /// Returns the variable-length element to write where nothing was written: null or a number if the fill value is one
  /// and can be stored. Valid as long as the decoder.
  std::string_view GetGap() const {
    const FillValue& fill = decoded().fill_value;
    if (!fill.defined) return std::string_view(kMissingText).substr(0, 0);
    return AsText(stores_null() && !fill.number.empty() ? fill.number : fill.bytes);
  }
  /// Returns true if ReadPart may find a part.
  virtual bool has_parts() const { return false; }
  /// Reads the encoded bytes that DecodePart needs for a range of the decoded buffer, and stores its input in `part`.
  /// Returns the range, which is the smallest that contains `wanted`. Returns nullopt if
  /// - the range is longer than `most`,
  /// - the part would be longer than twice the range plus 64 KiB, or
  /// - only the whole buffer can be decoded.
  virtual std::optional<ByteRange> ReadPart(const EncodedValue& /*value*/, const ByteRange& /*wanted*/,
                                            std::uint64_t /*most*/, Bytes* /*part*/) const {
    return std::nullopt;
  }
  /// Decodes a part. `out` must have the length of its range.
  virtual void DecodePart(ByteSpan, MutableByteSpan) const {}
  /// Returns a generous upper bound on the encoded size, which must also hold for the encoders of other writers.
  /// Returns nullopt if the size depends on the content.
  virtual std::optional<std::uint64_t> max_encoded_size() const { return std::nullopt; }
  /// Returns the size in bytes of the largest intermediate array of decoding, because codecs may change the data type.
  /// Only for types of fixed size.
  virtual std::uint64_t largest_array() const { return decoded().byte_size(); }
  /// Returns true if the encoded bytes are the elements as they are in memory, so that ranges of them can be read.
  virtual bool is_stored() const { return false; }
};

struct InnerChunkRead {
  Box box;                        ///< The position of its elements, in the coordinates of the outer chunk.
  std::uint64_t inner_index = 0;  ///< Its number, unique within the outer chunk.
  std::optional<ByteRange>
      range;  ///< Its range in the stored value; nullopt if it is absent and thus holds the fill value.
  std::shared_ptr<const InnerChunkDecoder> decoder;
  /// The value that contains `range`; nullptr means the stored value itself.
  std::shared_ptr<const ValueReader> source;
};

/// A shard whose index has been read. Thread-safe.
class ShardReader {
 public:
  virtual ~ShardReader() = default;
  /// Appends a task for each inner chunk that intersects `selection`, which is in coordinates of the chunk. `source`
  /// must be the value whose index was read; indices of nested shards are read from it.
  virtual void Plan(const Selection& selection, const ValueReader& source,
                    std::vector<InnerChunkRead>* tasks) const = 0;
  /// Returns the memory used by this object, in bytes. It grows when Plan keeps indices of nested shards.
  virtual std::size_t memory_size() const = 0;
};

// --- array -> bytes ---------------------------------------------------------------------------------------------

/// A shard split into inner chunks: the range of each inner chunk in `bytes`, in C order of the chunk's axes. nullopt
/// for an inner chunk that is absent or was filtered out.
struct SplitShard {
  Bytes bytes;
  std::vector<std::optional<ByteRange>> inner_chunks;
};

using InnerChunkFilter = std::function<bool(std::size_t)>;

/// Encodes inner chunks one by one, in any order and in any thread, and assembles shards from them. Immutable,
/// thread-safe.
class ShardEncoder {
 public:
  virtual ~ShardEncoder() = default;
  /// Returns the decoder of the inner chunks. Their shape divides the shape of the chunk.
  virtual const InnerChunkDecoder& inner_decoder() const = 0;
  /// Encodes elements that have the layout of `inner_decoder()`.
  virtual void EncodeInnerChunk(ByteSpan elements, Bytes* encoded) const = 0;
  virtual void EncodeInnerChunkVariable(std::span<const std::string_view> elements, Bytes* encoded) const = 0;
  /// Reads the inner chunks of a stored shard for whose numbers `wanted` returns true. Returns nullopt if the shard is
  /// absent. Throws Error(corrupt) for an impossible index, Error(limit_exceeded) for more than Limit::kKeptOfShard
  /// bytes.
  virtual std::optional<SplitShard> Split(const ValueReader& source, const InnerChunkFilter& wanted) const = 0;
  /// Replaces `value` by a shard of encoded inner chunks, which are in C order of the chunk's axes. Those that are
  /// nullopt are absent.
  virtual void Assemble(std::span<const std::optional<ByteSpan>> inner_chunks, Bytes* value) const = 0;
};

class ResolvedArrayToBytes {
 public:
  virtual ~ResolvedArrayToBytes() = default;
  /// Returns the size of the encoded chunk in bytes if it is the same for all chunks of this spec, otherwise nullopt.
  virtual std::optional<std::uint64_t> encoded_size() const = 0;
  /// Returns a generous upper bound on the encoded size if the spec determines one. Larger values are not decoded.
  virtual std::optional<std::uint64_t> max_encoded_size() const { return encoded_size(); }
  /// Returns true if the encoded bytes are the elements as they are in memory.
  virtual bool is_copy() const { return false; }
  /// Returns true if a variable-length element can be stored as null.
  virtual bool stores_null() const { return false; }
  /// For elements of fixed size, in C order. `decoded` must have exactly the size of the decoded chunk.
  virtual void Decode(ByteSpan encoded, MutableByteSpan decoded) const = 0;
  virtual void Encode(ByteSpan decoded, Bytes* encoded) const = 0;
  /// For variable-length elements. By default throws Error(unsupported).
  virtual void DecodeVariable(ByteSpan encoded, VariableChunk* decoded) const;
  virtual void EncodeVariable(std::span<const std::string_view> decoded, Bytes* encoded) const;

  /// Returns the shape of the inner chunks, which divides the shape of the chunk; nullptr if a value can only be read
  /// as a whole.
  virtual const Shape* inner_chunk_shape() const { return nullptr; }
  /// Reads the index of a shard. Returns nullptr if the value does not exist.
  virtual std::shared_ptr<const ShardReader> Open(const ValueReader& source) const;
  /// Returns an upper bound on the memory used by a ShardReader, in bytes.
  virtual std::uint64_t max_open_size() const { return 0; }
  /// Returns the encoder of inner chunks; nullptr if a value can only be encoded as a whole.
  virtual const ShardEncoder* shard_encoder() const { return nullptr; }
};

class ArrayToBytesCodec {
 public:
  virtual ~ArrayToBytesCodec() = default;
  virtual std::shared_ptr<const ResolvedArrayToBytes> Resolve(const ChunkSpec& decoded) const = 0;
};

// --- bytes -> bytes ---------------------------------------------------------------------------------------------

/// A number of bytes: exact, an upper bound, or (nullopt) unknown.
struct SizeBound {
  std::optional<std::uint64_t> bytes;
  bool exact = false;
  bool compressed = false;  ///< True if the bytes come from a compressor: another compressor does not add much to them.
};

class BytesToBytesCodec {
 public:
  virtual ~BytesToBytesCodec() = default;
  /// Returns a generous upper bound on the encoded size, which must also hold for the encoders of other writers.
  virtual SizeBound GetEncodedSize(SizeBound decoded) const = 0;
  /// If decoding only checks the bytes and extracts a range of them, returns that range; otherwise nullopt.
  virtual std::optional<ByteSpan> DecodeView(ByteSpan) const { return std::nullopt; }
  /// Returns the decoded size claimed by the encoded bytes, if any. Must not be trusted.
  virtual std::optional<std::uint64_t> GetClaimedSize(ByteSpan) const { return std::nullopt; }
  /// Decodes all of `encoded` to the start of `out` and returns the number of decoded bytes. Returns nullopt if `out`
  /// is too small; its content is then indeterminate. Never writes beyond `out`.
  virtual std::optional<std::size_t> Decode(ByteSpan encoded, MutableByteSpan out) const = 0;
  /// Returns true if ReadPart may find a part.
  virtual bool has_parts() const { return false; }
  /// See InnerChunkDecoder. `part` becomes encoded bytes that `Decode` decodes to the range. Checks the header of the
  /// value, but not the bytes that are not needed. Also returns nullopt if the value claims a decoded size other than
  /// `decoded_size`.
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

/// Makes a codec from its name and configuration, like MakeCodec. Codecs that contain other codecs receive a factory,
/// so that they do not depend on the registry.
using CodecFactory = Codec (*)(const CodecSpec& spec);

// --- scratch ----------------------------------------------------------------------------------------------------

/// A buffer from the calling thread's pool, which it returns to when this object goes out of scope. Successive chunks
/// thus reuse the same buffers without a lock.
class ScratchBuffer {
 public:
  ScratchBuffer();
  explicit ScratchBuffer(std::uint64_t size) : ScratchBuffer() { bytes_.resize(ToMemorySize(size)); }
  ~ScratchBuffer();
  ScratchBuffer(const ScratchBuffer&) = delete;
  ScratchBuffer& operator=(const ScratchBuffer&) = delete;

  Bytes& bytes() { return bytes_; }
  MutableByteSpan span() { return {bytes_.data(), bytes_.size()}; }

 private:
  Bytes bytes_;
};

}  // namespace zarr
