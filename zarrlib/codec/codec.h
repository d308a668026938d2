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

/// The interfaces of the three kinds of codecs (Zarr v3 core, "Codecs"), and of what reads parts of a stored value.
///
/// A codec is made once from its configuration and is immutable. `Resolve` fits it to a chunk's shape, type and fill
/// value; what it returns does the work, is immutable too, and safe for any number of threads. Codecs know no store and
/// start no threads. All functions throw Error: corrupt for bytes that cannot be decoded, unsupported for a type that
/// the codec does not take.
namespace zarr {

/// What a codec needs to know of the chunk that it is given.
struct ChunkSpec {
  Shape shape;
  DataType data_type;
  FillValue fill_value;

  std::uint64_t element_count() const { return Product(shape); }
  /// Of the decoded chunk, for types of fixed size. Checked by CodecPipeline::Resolve to fit.
  std::size_t byte_size() const { return static_cast<std::size_t>(element_count()) * data_type.size; }
};

/// A decoded chunk of a type of variable length: one view per element, in C order, into memory that it owns.
struct VariableChunk {
  std::vector<std::string_view> elements;
  Bytes arena;
  MemoryShare share;  ///< Of a large one whose size nothing told before: to be given up once that has been checked.
};

// --- array -> array ---------------------------------------------------------------------------------------------

class ResolvedArrayToArray {
 public:
  virtual ~ResolvedArrayToArray() = default;
  /// What encoding gives: the spec that the next codec is resolved with.
  virtual const ChunkSpec& encoded() const = 0;
  /// If all that the codec does is to reorder axes: axis i of the encoded chunk is axis `order[i]` of the decoded one.
  /// Such a codec is never run on reading; its order is folded into the strides of the last copy.
  virtual const PerAxis<std::uint64_t>* permutation() const { return nullptr; }
  /// Whether each element is encoded on its own, whatever its place.
  virtual bool elementwise() const { return false; }
  /// Both chunks are packed, in C order. Sizes are exact.
  virtual void Encode(ByteSpan decoded, MutableByteSpan encoded) const = 0;
  virtual void Decode(ByteSpan encoded, MutableByteSpan decoded) const = 0;
};

class ArrayToArrayCodec {
 public:
  virtual ~ArrayToArrayCodec() = default;
  virtual std::shared_ptr<const ResolvedArrayToArray> Resolve(const ChunkSpec& decoded) const = 0;
};

// --- partial reading --------------------------------------------------------------------------------------------

/// One stored value, of which parts can be read. Thread-safe.
class ValueReader {
 public:
  virtual ~ValueReader() = default;
  /// Fills each of `buffers` with the range of the same number. False if there is no such value. A range beyond the
  /// value's end is Error(corrupt).
  virtual bool Read(std::span<const ByteRange> ranges, std::span<const MutableByteSpan> buffers) const = 0;
  /// The value's last `length` bytes (all, if it is shorter), and its whole size; nothing if there is no such value.
  struct Suffix {
    Bytes bytes;
    std::uint64_t value_size = 0;
  };
  virtual std::optional<Suffix> ReadSuffix(std::uint64_t length) const = 0;
  /// Error(limit_exceeded) if it has more than `max_size` bytes.
  virtual std::optional<Bytes> ReadAll(std::uint64_t max_size) const = 0;
  /// The value's size, where an access has told it.
  virtual std::optional<std::uint64_t> value_size() const { return std::nullopt; }
};

/// Turns the bytes of an inner chunk, an innermost chunk, into its elements: a pure function.
class InnerChunkDecoder {
 public:
  virtual ~InnerChunkDecoder() = default;
  /// Shape, type and fill value of what is decoded, axes as in the array.
  virtual const ChunkSpec& decoded() const = 0;
  /// Where element [i, j, ...] stands in the decoded buffer: bytes between neighbours along each axis of the array,
  /// or, for types of variable length, elements.
  virtual const Strides& layout() const = 0;
  /// `out` has exactly `decoded().byte_size()` bytes.
  virtual void Decode(ByteSpan encoded, MutableByteSpan out) const = 0;
  /// For types of variable length.
  virtual void DecodeVariable(ByteSpan encoded, VariableChunk* out) const = 0;
  /// The least part of the decoded buffer that can be decoded on its own and holds `wanted`; nothing if there is none
  /// smaller than the whole. DecodeRange decodes such a part.
  virtual std::optional<ByteRange> DecodableRange(ByteSpan, const ByteRange&) const { return std::nullopt; }
  virtual void DecodeRange(ByteSpan, const ByteRange&, MutableByteSpan) const {}
  /// What encoding can give, generously: other writers' encoders count too. Nothing where only the content tells.
  virtual std::optional<std::uint64_t> max_encoded_size() const { return std::nullopt; }
  /// Bytes of the largest array that decoding makes, for types of fixed size: codecs may change the type.
  virtual std::uint64_t largest_array() const { return decoded().byte_size(); }
  /// Whether encoded bytes are the elements as they are in memory, so that ranges of them can be read.
  virtual bool is_stored() const { return false; }
};

/// An inner chunk to read.
struct InnerChunkRead {
  Box box;                         ///< Its elements, in the coordinates of the outer chunk.
  std::uint64_t inner_index = 0;   ///< Unique within the outer chunk.
  std::optional<ByteRange> range;  ///< Where it stands in the value; nothing if it is absent: the fill value.
  std::shared_ptr<const InnerChunkDecoder> decoder;
  /// Where `range` is to be read from; nullptr for the stored value itself.
  std::shared_ptr<const ValueReader> source;
};

/// A stored value with inner chunks, opened: it has read its index. Thread-safe.
class ShardReader {
 public:
  virtual ~ShardReader() = default;
  /// Appends a task per inner chunk from which `selection` (in coordinates of the chunk) takes elements. `source` must
  /// be the value that was opened; nested indices are read from it.
  virtual void Plan(const Selection& selection, const ValueReader& source,
                    std::vector<InnerChunkRead>* tasks) const = 0;
  /// Memory that keeping this takes now, in bytes: nested indices that Plan has read are kept too, some of them.
  virtual std::size_t memory_size() const = 0;
};

// --- array -> bytes ---------------------------------------------------------------------------------------------

/// A stored value taken apart: where each of its parts stands in `bytes`, in C order of the chunk's axes; nothing for
/// one that is absent, or was not asked for.
struct SplitShard {
  Bytes bytes;
  std::vector<std::optional<ByteRange>> inner_chunks;
};

using InnerChunkFilter = std::function<bool(std::size_t)>;

/// How values are put together of parts (the inner chunks of a shard) that are each encoded on its own, in any order
/// and by any thread. Immutable, thread-safe.
class ShardEncoder {
 public:
  virtual ~ShardEncoder() = default;
  /// Shape (which divides the chunk's), layout and decoder of a part.
  virtual const InnerChunkDecoder& inner_chunk() const = 0;
  /// From elements laid out as `part().layout()` says.
  virtual void EncodeInnerChunk(ByteSpan elements, Bytes* encoded) const = 0;
  virtual void EncodeInnerChunkVariable(std::span<const std::string_view> elements, Bytes* encoded) const = 0;
  /// Reads the parts of a stored value for whose numbers `wanted` returns true; nothing if there is no such value.
  /// Throws Error(corrupt) for an index that cannot be, Error(limit_exceeded) for more than kMaxKeptOfShard bytes.
  virtual std::optional<SplitShard> Split(const ValueReader& source, const InnerChunkFilter& wanted) const = 0;
  /// Makes a value of parts in C order of the chunk's axes; those without a value are absent. Replaces `value`.
  virtual void Assemble(std::span<const std::optional<ByteSpan>> inner_chunks, Bytes* value) const = 0;
};

class ResolvedArrayToBytes {
 public:
  virtual ~ResolvedArrayToBytes() = default;
  /// Bytes of the encoded chunk, if that is the same for all chunks of this spec.
  virtual std::optional<std::uint64_t> encoded_size() const = 0;
  /// Else what they can be at most, generously, if the spec tells: what claims to be more is not decoded.
  virtual std::optional<std::uint64_t> max_encoded_size() const { return encoded_size(); }
  /// Whether the encoded bytes are the elements as they are in memory.
  virtual bool is_copy() const { return false; }
  /// For types of fixed size: both directions, C order, `decoded` of exact size.
  virtual void Decode(ByteSpan encoded, MutableByteSpan decoded) const = 0;
  virtual void Encode(ByteSpan decoded, Bytes* encoded) const = 0;
  /// For types of variable length. The default throws Error(unsupported).
  virtual void DecodeVariable(ByteSpan encoded, VariableChunk* decoded) const;
  virtual void EncodeVariable(std::span<const std::string_view> decoded, Bytes* encoded) const;

  /// The shape of the inner chunks, which divides the chunk's; nullptr if the value can only be read whole.
  virtual const Shape* inner_chunk_shape() const { return nullptr; }
  /// Opens a value that has inner chunks, reading its index; nullptr if there is no such value.
  virtual std::shared_ptr<const ShardReader> Open(const ValueReader& source) const;
  /// A bound on the memory that an opened value keeps, in bytes.
  virtual std::uint64_t max_open_size() const { return 0; }
  /// How to encode in parts; nullptr if a value can only be encoded whole.
  virtual const ShardEncoder* shard_encoder() const { return nullptr; }
};

class ArrayToBytesCodec {
 public:
  virtual ~ArrayToBytesCodec() = default;
  virtual std::shared_ptr<const ResolvedArrayToBytes> Resolve(const ChunkSpec& decoded) const = 0;
};

// --- bytes -> bytes ---------------------------------------------------------------------------------------------

/// How many bytes something has: exactly, at most, or (nothing) unknown.
struct SizeBound {
  std::optional<std::uint64_t> bytes;
  bool exact = false;
  bool compressed = false;  ///< A compressor has given these bytes: another one does not add much to them.
};

class BytesToBytesCodec {
 public:
  virtual ~BytesToBytesCodec() = default;
  /// What encoding `decoded` bytes can give, generously: other writers' encoders count too.
  virtual SizeBound EncodedSize(SizeBound decoded) const = 0;
  /// If decoding only takes a part of the bytes, after checks: that part.
  virtual std::optional<ByteSpan> DecodeView(ByteSpan) const { return std::nullopt; }
  /// The decoded size that the encoded bytes claim, if they do. Not to be trusted.
  virtual std::optional<std::uint64_t> ClaimedSize(ByteSpan) const { return std::nullopt; }
  /// Decodes all of `encoded` to the front of `out`; returns the bytes decoded, or nothing if `out` is too small for
  /// them (its content is then indeterminate). Never writes beyond `out`.
  virtual std::optional<std::size_t> Decode(ByteSpan encoded, MutableByteSpan out) const = 0;
  /// As those of InnerChunkDecoder. The header of `encoded` is checked by both; what they are not asked for is not.
  virtual std::optional<ByteRange> DecodableRange(ByteSpan, const ByteRange&) const { return std::nullopt; }
  virtual void DecodeRange(ByteSpan, const ByteRange&, MutableByteSpan) const {}
  /// Replaces the content of `encoded`. `item_size` is that of the array's elements (1 for variable length).
  virtual void Encode(ByteSpan decoded, std::size_t item_size, Bytes* encoded) const = 0;
};

using Codec = std::variant<std::shared_ptr<const ArrayToArrayCodec>, std::shared_ptr<const ArrayToBytesCodec>,
                           std::shared_ptr<const BytesToBytesCodec>>;

// --- scratch ----------------------------------------------------------------------------------------------------

/// A buffer from the calling thread's stock, given back when this goes out of scope. Buffers are thus reused from chunk
/// to chunk without a lock.
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
