// SPDX-License-Identifier: MIT
#include "zarrlib/codec/array_to_bytes/zfp/zfp_codec.h"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "zarrlib/base/error.h"
#include "zarrlib/codec/array_to_bytes/zfp/zfp_library.h"
#include "zarrlib/codec/array_to_bytes/zfp/zfp_parameters.h"
#include "zarrlib/codec/codec_util.h"
#include "zarrlib/codec/number_order.h"
#include "zarrlib/metadata/codec_names.h"

namespace zarr {
namespace {

constexpr std::size_t kMaxDimensions = 4;
constexpr std::uint64_t kStandardStreamSize = std::uint64_t{4} << 30;

struct Closer {
  void operator()(zfp_stream* stream) const { GetZfpLibrary().zfp_stream_close(stream); }
  void operator()(zfp_field* field) const { GetZfpLibrary().zfp_field_free(field); }
  void operator()(bitstream* bits) const { GetZfpLibrary().stream_close(bits); }
  void operator()(std::byte* memory) const { std::free(memory); }  // NOLINT: from calloc
};
template <typename T>
using Owned = std::unique_ptr<T, Closer>;

template <typename T>
Owned<T> Own(T* pointer) {
  if (pointer == nullptr) throw std::bad_alloc();
  return Owned<T>(pointer);
}

/// Allocates zeroed memory, which the system provides only when it is accessed.
Owned<std::byte> MakeZeros(std::size_t size) {
  return Own(static_cast<std::byte*>(std::calloc(std::max<std::size_t>(size, 1), 1)));  // NOLINT: lazily zeroed
}

/// Returns the size of a word, a constant of this build of zfp, which reads and writes streams in whole words. In
/// memory they have the native byte order.
std::size_t GetWordSize() {
  return *GetZfpLibrary().stream_word_bits / 8;
}

/// A stream of encoded bytes, followed by zeros up to `size` bytes.
class Input {
 public:
  Input(ByteSpan encoded, std::size_t size, zfp_stream* stream)
      : memory_(MakeZeros(size)), bits_(Own(GetZfpLibrary().stream_open(memory_.get(), size))) {
    std::memcpy(memory_.get(), encoded.data(), std::min(encoded.size(), size));
    ToOrFromLittleEndian({memory_.get(), size}, GetWordSize());
    GetZfpLibrary().zfp_stream_set_bit_stream(stream, bits_.get());
  }

 private:
  Owned<std::byte> memory_;
  Owned<bitstream> bits_;
};

unsigned GetRank(const zfp_field& field) {
  return field.nw > 0 ? 4 : field.nz > 0 ? 3 : field.ny > 0 ? 2 : 1;
}

/// Returns the number of elements; an axis that the field does not have counts as 1.
std::optional<std::uint64_t> CountElements(const zfp_field& field) {
  Shape shape = {field.nx, field.ny, field.nz, field.nw};
  for (std::uint64_t& length : shape) length = std::max<std::uint64_t>(length, 1);
  return ComputeCheckedProduct(shape);
}

/// Returns the number of blocks, each of 4 elements along each axis.
std::uint64_t CountBlocks(const zfp_field& field) {
  std::uint64_t blocks = 1;
  for (const std::uint64_t length : {field.nx, field.ny, field.nz, field.nw}) {
    blocks *= std::max<std::uint64_t>((length + 3) / 4, 1);
  }
  return blocks;
}

class ResolvedZfp final : public ResolvedArrayToBytes {
 public:
  ResolvedZfp(const ChunkSpec& spec, zfp_type type, const ZfpParameters& parameters, bool has_header)
      : spec_(spec), type_(type), parameters_(parameters), has_header_(has_header) {}

  std::optional<std::uint64_t> encoded_size() const override { return std::nullopt; }
  std::optional<std::uint64_t> max_encoded_size() const override;
  void Decode(ByteSpan encoded, MutableByteSpan decoded) const override;
  void Encode(ByteSpan decoded, Bytes* encoded) const override;

 private:
  /// Makes a zfp field of the chunk, with the last axis first.
  Owned<zfp_field> MakeField(void* elements) const;
  void ReadHeader(zfp_stream* stream, zfp_field* field) const;
  /// Returns a buffer size beyond which zfp never reads a stream of this field and these parameters. zfp itself does
  /// not check.
  static std::size_t GetSafeSize(const zfp_stream& stream, const zfp_field& field, std::size_t encoded_size);
  void Decompress(ByteSpan encoded, void* elements) const;

  ChunkSpec spec_;
  zfp_type type_;
  ZfpParameters parameters_;
  bool has_header_;
};

Owned<zfp_field> ResolvedZfp::MakeField(void* elements) const {
  Owned<zfp_field> field = Own(GetZfpLibrary().zfp_field_alloc());
  GetZfpLibrary().zfp_field_set_type(field.get(), type_);
  GetZfpLibrary().zfp_field_set_pointer(field.get(), elements);
  std::size_t* const lengths[] = {&field->nx, &field->ny, &field->nz, &field->nw};
  field->nx = 1;
  const std::size_t rank = spec_.shape.size();
  for (std::size_t i = 0; i < rank; ++i) *lengths[i] = static_cast<std::size_t>(spec_.shape[rank - 1 - i]);
  return field;
}

/// The header may contain other parameters than the configuration. A stream with these is not larger than one with
/// default parameters, unless it has a fixed rate above the size of the data type.
std::optional<std::uint64_t> ResolvedZfp::max_encoded_size() const {
  const Owned<zfp_stream> stream = Own(GetZfpLibrary().zfp_stream_open(nullptr));
  const Owned<zfp_field> field = MakeField(nullptr);
  const std::size_t any = GetZfpLibrary().zfp_stream_maximum_size(stream.get(), field.get());
  parameters_.Apply(stream.get(), type_, GetRank(*field));
  const std::size_t own = GetZfpLibrary().zfp_stream_maximum_size(stream.get(), field.get());
  return GetCompressedBound({std::max<std::uint64_t>(any, own), false}).bytes;
}

void ResolvedZfp::ReadHeader(zfp_stream* stream, zfp_field* field) const {
  if (GetZfpLibrary().zfp_read_header(stream, field, ZFP_HEADER_FULL) == 0) {
    throw Error(ErrorKind::kCorrupt, "expected the header of a zfp stream");
  }
  if (field->type != type_) {
    throw Error(ErrorKind::kCorrupt, "expected a field of data type \"" + spec_.data_type.name + "\", got another");
  }
  const std::optional<std::uint64_t> elements = CountElements(*field);
  if (elements != spec_.element_count()) {
    throw Error(ErrorKind::kCorrupt,
                FormatExpectedGot("a field of " + std::to_string(spec_.element_count()) + " elements",
                                  elements ? std::to_string(*elements) : "more"));
  }
}

std::size_t ResolvedZfp::GetSafeSize(const zfp_stream& stream, const zfp_field& field, std::size_t encoded_size) {
  const std::uint64_t blocks = CountBlocks(field);
  const auto least_bits = MultiplyChecked(blocks, std::max(stream.minbits, 1u));
  if (!least_bits || *least_bits / 8 > encoded_size) {
    throw Error(ErrorKind::kCorrupt, FormatExpectedGot("a stream of " + std::to_string(blocks) + " blocks",
                                                       std::to_string(encoded_size) + " bytes"));
  }
  const std::size_t size = GetZfpLibrary().zfp_stream_maximum_size(&stream, &field);
  const std::uint64_t limit = std::max(kStandardStreamSize, GetLimit(Limit::kChunk));
  if (size > limit) {
    throw Error(ErrorKind::kLimitExceeded,
                FormatExpectedGot("a stream of at most " + std::to_string(limit) + " bytes", std::to_string(size)));
  }
  return std::max(size, encoded_size) + 2 * sizeof(std::uint64_t);
}

void ResolvedZfp::Decompress(ByteSpan encoded, void* elements) const {
  constexpr std::size_t kHeaderRoom = ZFP_HEADER_MAX_BITS / 8 + 2 * sizeof(std::uint64_t);
  const Owned<zfp_stream> stream = Own(GetZfpLibrary().zfp_stream_open(nullptr));
  const Owned<zfp_field> field = MakeField(elements);
  if (has_header_) {
    const Input start(encoded, kHeaderRoom, stream.get());
    ReadHeader(stream.get(), field.get());
  } else {
    parameters_.Apply(stream.get(), type_, GetRank(*field));
  }
  const Input input(encoded, GetSafeSize(*stream, *field, encoded.size()), stream.get());
  if (has_header_) ReadHeader(stream.get(), field.get());  // again, to move past it
  const std::size_t used = GetZfpLibrary().zfp_decompress(stream.get(), field.get());
  const std::size_t word = GetWordSize();
  if (used == 0 || used > (encoded.size() + word - 1) / word * word) {
    throw Error(ErrorKind::kCorrupt, "the zfp stream is truncated or damaged");
  }
}

void ResolvedZfp::Decode(ByteSpan encoded, MutableByteSpan decoded) const {
  if (encoded.empty()) throw Error(ErrorKind::kCorrupt, "expected a zfp stream, got 0 bytes");
  if (reinterpret_cast<std::uintptr_t>(decoded.data()) % alignof(double) == 0) {
    return Decompress(encoded, decoded.data());
  }
  ScratchBuffer aligned(decoded.size());
  Decompress(encoded, aligned.span().data());
  std::memcpy(decoded.data(), aligned.span().data(), decoded.size());
}

void ResolvedZfp::Encode(ByteSpan decoded, Bytes* encoded) const {
  ScratchBuffer elements(decoded.size());  // zfp does not accept a pointer to const
  std::memcpy(elements.span().data(), decoded.data(), decoded.size());
  const Owned<zfp_stream> stream = Own(GetZfpLibrary().zfp_stream_open(nullptr));
  const Owned<zfp_field> field = MakeField(elements.span().data());
  parameters_.Apply(stream.get(), type_, GetRank(*field));
  encoded->resize(GetZfpLibrary().zfp_stream_maximum_size(stream.get(), field.get()));
  const Owned<bitstream> bits = Own(GetZfpLibrary().stream_open(encoded->data(), encoded->size()));
  GetZfpLibrary().zfp_stream_set_bit_stream(stream.get(), bits.get());
  if (has_header_ && GetZfpLibrary().zfp_write_header(stream.get(), field.get(), ZFP_HEADER_FULL) == 0) {
    throw Error(ErrorKind::kUnsupported, "a header of zfp cannot hold the shape " + ToString(spec_.shape));
  }
  const std::size_t size = GetZfpLibrary().zfp_compress(stream.get(), field.get());
  if (size == 0) throw Error(ErrorKind::kUnsupported, "zfp cannot compress this chunk");
  encoded->resize(size);
  ToOrFromLittleEndian(*encoded, GetWordSize());
}

std::optional<zfp_type> GetZfpType(const DataType& type) {
  if (type.kind == DataType::Kind::kInt && type.size == 4) return zfp_type_int32;
  if (type.kind == DataType::Kind::kInt && type.size == 8) return zfp_type_int64;
  if (type.kind == DataType::Kind::kFloat && type.size == 4) return zfp_type_float;
  if (type.kind == DataType::Kind::kFloat && type.size == 8) return zfp_type_double;
  return std::nullopt;
}

class ZfpCodec final : public ArrayToBytesCodec {
 public:
  ZfpCodec(JsonNode place, const ZfpParameters& parameters, bool has_header)
      : place_(std::move(place)), parameters_(parameters), has_header_(has_header) {}

  std::shared_ptr<const ResolvedArrayToBytes> Resolve(const ChunkSpec& decoded) const override {
    const std::optional<zfp_type> type = GetZfpType(decoded.data_type);
    if (!type) {
      place_.Fail(ErrorKind::kUnsupported, FormatExpectedGot("int32, int64, float32 or float64",
                                                             "data type \"" + decoded.data_type.name + "\""));
    }
    const std::size_t rank = decoded.shape.size();
    if (rank > kMaxDimensions) {
      place_.Fail(ErrorKind::kUnsupported, FormatExpectedGot("at most 4 dimensions", std::to_string(rank)));
    }
    const Owned<zfp_stream> stream = Own(GetZfpLibrary().zfp_stream_open(nullptr));
    if (!parameters_.Apply(stream.get(), *type, std::max(1u, static_cast<unsigned>(rank)))) {
      place_.FailExpected("parameters that zfp takes");
    }
    return std::make_shared<ResolvedZfp>(decoded, *type, parameters_, has_header_);
  }

 private:
  JsonNode place_;
  ZfpParameters parameters_;
  bool has_header_;
};

}  // namespace

Codec MakeZfpCodec(const CodecSpec& spec) {
  const bool zfpy = IsNumcodecs(spec);
  return std::make_shared<ZfpCodec>(spec.configuration, zfpy ? ReadZfpyParameters(spec) : ReadZfpParameters(spec),
                                    zfpy);
}

}  // namespace zarr
