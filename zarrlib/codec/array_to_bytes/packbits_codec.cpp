// SPDX-License-Identifier: MIT
#include "zarrlib/codec/array_to_bytes/packbits_codec.h"

#include <algorithm>
#include <cstring>
#include <string>
#include <utility>

#include "zarrlib/base/small_float.h"
#include "zarrlib/codec/array_to_bytes/numpy_packbits.h"
#include "zarrlib/codec/codec_util.h"
#include "zarrlib/metadata/codec_names.h"

namespace zarr {
namespace {

enum class Padding { kNone, kFirstByte, kLastByte };

/// The stored bits of a number.
struct BitField {
  unsigned first = 0;
  unsigned width = 1;
  bool is_signed = false;

  std::uint64_t mask() const { return width == 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << width) - 1; }
};

/// Writes a sequence of bits to bytes, the first in the lowest bit.
class BitWriter {
 public:
  explicit BitWriter(std::byte* out) : out_(out) {}
  /// `bits` may be set only in the lowest `width` bits.
  void Put(std::uint64_t bits, unsigned width) {
    buffer_ |= bits << used_;
    const unsigned room = 64 - used_;
    if (width < room) {
      used_ += width;
      return;
    }
    WriteLittleEndian(out_, buffer_);
    out_ += sizeof buffer_;
    buffer_ = room == 64 ? 0 : bits >> room;
    used_ = width - room;
  }
  void Flush() {
    const std::uint64_t rest = ToOrFromLittleEndian(buffer_);
    std::memcpy(out_, &rest, (used_ + 7) / 8);
  }

 private:
  std::byte* out_;
  std::uint64_t buffer_ = 0;
  unsigned used_ = 0;
};

class BitReader {
 public:
  explicit BitReader(ByteSpan in) : in_(in) {}
  std::uint64_t Get(std::uint64_t position, unsigned width) const {
    const auto byte = static_cast<std::size_t>(position / 8);
    const auto shift = static_cast<unsigned>(position % 8);
    const std::size_t size = std::min(sizeof(std::uint64_t), in_.size() - byte);
    std::uint64_t bits = LoadLittleEndianBits(in_.data() + byte, size) >> shift;
    if (shift + width > 64) bits |= std::to_integer<std::uint64_t>(in_[byte + 8]) << (64 - shift);
    return bits;
  }

 private:
  ByteSpan in_;
};

/// Packs `count` numbers of `item_size` bytes, storing one bit field of each.
class ResolvedPackBits final : public ResolvedArrayToBytes {
 public:
  ResolvedPackBits(std::size_t item_size, std::uint64_t count, BitField field, Padding padding)
      : item_size_(item_size),
        count_(count),
        field_(field),
        padding_(padding),
        packed_size_(static_cast<std::size_t>((count * field.width + 7) / 8)) {}

  std::optional<std::uint64_t> encoded_size() const override { return packed_size_ + padding_size(); }
  void Decode(ByteSpan encoded, MutableByteSpan decoded) const override;
  void Encode(ByteSpan decoded, Bytes* encoded) const override;

 private:
  std::size_t padding_size() const { return padding_ == Padding::kNone ? 0 : 1; }
  std::size_t padding_position() const { return padding_ == Padding::kFirstByte ? 0 : packed_size_; }
  std::size_t packed_position() const { return padding_ == Padding::kFirstByte ? 1 : 0; }
  std::byte padding_bits() const { return static_cast<std::byte>(packed_size_ * 8 - count_ * field_.width); }

  std::size_t item_size_;
  std::uint64_t count_;
  BitField field_;
  Padding padding_;
  std::size_t packed_size_;
};

void ResolvedPackBits::Decode(ByteSpan encoded, MutableByteSpan decoded) const {
  if (encoded.size() != packed_size_ + padding_size()) {
    throw Error(ErrorKind::kCorrupt, FormatExpectedGot(std::to_string(packed_size_ + padding_size()) + " bytes",
                                                       std::to_string(encoded.size())));
  }
  if (padding_ != Padding::kNone && encoded[padding_position()] != padding_bits()) {
    throw Error(ErrorKind::kCorrupt,
                FormatExpectedGot(std::to_string(std::to_integer<int>(padding_bits())) + " padding bits",
                                  std::to_string(std::to_integer<int>(encoded[padding_position()]))));
  }
  const BitReader reader(encoded.subspan(packed_position(), packed_size_));
  const std::uint64_t mask = field_.mask();
  const std::uint64_t sign = field_.is_signed ? std::uint64_t{1} << (field_.width - 1) : 0;
  std::byte* out = decoded.data();
  for (std::uint64_t i = 0; i < count_; ++i, out += item_size_) {
    std::uint64_t bits = reader.Get(i * field_.width, field_.width) & mask;
    bits = ((bits ^ sign) - sign) << field_.first;
    WriteBits(out, item_size_, bits);
  }
}

void ResolvedPackBits::Encode(ByteSpan decoded, Bytes* encoded) const {
  encoded->resize(packed_size_ + padding_size());
  if (padding_ != Padding::kNone) (*encoded)[padding_position()] = padding_bits();
  BitWriter writer(encoded->data() + packed_position());
  const std::byte* in = decoded.data();
  for (std::uint64_t i = 0; i < count_; ++i, in += item_size_) {
    const std::uint64_t bits = LoadBits(in, item_size_);
    writer.Put(bits >> field_.first & field_.mask(), field_.width);
  }
  writer.Flush();
}

unsigned GetSmallFloatBits(const SmallFloat& format) {
  const int sign_bits = format.specials == SmallFloat::Specials::kE8m0 ? 0 : 1;
  return static_cast<unsigned>(sign_bits + format.exponent_bits + format.mantissa_bits);
}

/// Returns the number of bits of a number of this type (of each half of a complex one); 0 for a type that cannot be
/// packed.
unsigned GetBitCount(const DataType& type) {
  switch (type.kind) {
    case DataType::Kind::kBool:
      return 1;
    case DataType::Kind::kInt:
    case DataType::Kind::kUint:
    case DataType::Kind::kFloat:
    case DataType::Kind::kBfloat16:
    case DataType::Kind::kComplex:
      return type.bits > 0 ? type.bits : static_cast<unsigned>(8 * type.swap_size());
    case DataType::Kind::kNarrowComplex:
      return GetBitCount(GetComplexPart(type));
    case DataType::Kind::kSmallFloat:
      return GetSmallFloatBits(*FindSmallFloat(type.name));
    default:
      return 0;
  }
}

class PackBitsCodec final : public ArrayToBytesCodec {
 public:
  PackBitsCodec(const CodecSpec& spec, Padding padding)
      : place_(spec.configuration),
        padding_(padding),
        first_bit_(FindOption(spec, "first_bit")),
        last_bit_(FindOption(spec, "last_bit")) {}

  std::shared_ptr<const ResolvedArrayToBytes> Resolve(const ChunkSpec& decoded) const override {
    const DataType& type = decoded.data_type;
    const std::int64_t bits = GetBitCount(type);
    if (bits == 0) {
      place_.Fail(ErrorKind::kUnsupported, FormatExpectedGot("numbers or booleans", "data type \"" + type.name + "\""));
    }
    const std::int64_t first = first_bit_ ? first_bit_->AsIntegerIn(0, bits - 1) : 0;
    const std::int64_t last = last_bit_ ? last_bit_->AsIntegerIn(first, bits - 1) : bits - 1;
    const BitField field{static_cast<unsigned>(first), static_cast<unsigned>(last - first + 1),
                         type.kind == DataType::Kind::kInt};
    const bool is_complex = type.kind == DataType::Kind::kComplex || type.kind == DataType::Kind::kNarrowComplex;
    const std::size_t item_size = is_complex ? type.size / 2 : type.size;
    return std::make_shared<ResolvedPackBits>(item_size, decoded.element_count() * (type.size / item_size), field,
                                              padding_);
  }

 private:
  JsonNode place_;
  Padding padding_;
  std::optional<JsonNode> first_bit_;
  std::optional<JsonNode> last_bit_;
};

Padding ReadPadding(const CodecSpec& spec) {
  const std::optional<JsonNode> padding = FindOption(spec, "padding_encoding");
  if (!padding || padding->AsString() == "none") return Padding::kNone;
  if (padding->AsString() == "first_byte") return Padding::kFirstByte;
  if (padding->AsString() == "last_byte") return Padding::kLastByte;
  padding->FailExpected("\"none\", \"first_byte\" or \"last_byte\"");
}

}  // namespace

Codec MakePackBitsCodec(const CodecSpec& spec) {
  if (IsNumcodecs(spec)) return MakeNumPyPackBitsCodec(spec);
  return std::make_shared<PackBitsCodec>(spec, ReadPadding(spec));
}

}  // namespace zarr
