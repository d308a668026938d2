// SPDX-License-Identifier: MIT
#include "zarrlib/codec/array_to_array/bitround_codec.h"

#include <bit>
#include <cstring>
#include <limits>

#include "zarrlib/codec/array_to_array/array_filter.h"
#include "zarrlib/metadata/codec_names.h"

namespace zarr {
namespace {

/// Rounds `value` to a multiple of 2^`dropped`, half to even; rounds down if the result would exceed `max`.
template <typename Unsigned>
Unsigned RoundBits(Unsigned value, int dropped, Unsigned max) {
  constexpr int kWidth = std::numeric_limits<Unsigned>::digits;
  if (dropped <= 0) return value;
  if (dropped >= kWidth) return 0;
  const auto unit = static_cast<Unsigned>(Unsigned{1} << dropped);
  const auto rest = static_cast<Unsigned>(value & (unit - 1));
  const auto low = static_cast<Unsigned>(value - rest);
  const auto half = static_cast<Unsigned>(unit >> 1);
  const bool up = rest > half || (rest == half && (low & unit) != 0);
  return up && unit <= max && low <= max - unit ? static_cast<Unsigned>(low + unit) : low;
}

/// Rounds the bits of a float whose mantissa has `mantissa_bits` bits.
template <typename Unsigned>
Unsigned RoundFloat(Unsigned bits, int mantissa_bits, int keep) {
  constexpr auto kSign = static_cast<Unsigned>(Unsigned{1} << (std::numeric_limits<Unsigned>::digits - 1));
  const auto infinity = static_cast<Unsigned>((kSign - 1) >> mantissa_bits << mantissa_bits);
  const auto magnitude = static_cast<Unsigned>(bits & ~kSign);
  if (magnitude >= infinity) return bits;  // infinity or NaN
  return static_cast<Unsigned>((bits & kSign) |
                               RoundBits(magnitude, mantissa_bits - keep, static_cast<Unsigned>(infinity - 1)));
}

template <typename Integer>
Integer RoundInteger(Integer value, int keep) {
  using Unsigned = std::make_unsigned_t<Integer>;
  constexpr auto kMax = static_cast<Unsigned>(std::numeric_limits<Integer>::max());
  const bool negative = value < 0;
  const auto magnitude = static_cast<Unsigned>(negative ? -static_cast<Unsigned>(value) : static_cast<Unsigned>(value));
  const Unsigned rounded = RoundBits(magnitude, static_cast<int>(std::bit_width(magnitude)) - keep,
                                     static_cast<Unsigned>(negative ? kMax + 1 : kMax));
  return static_cast<Integer>(negative ? -rounded : rounded);
}

template <typename Unsigned>
ElementLoop FloatRounder(int mantissa_bits, int keep) {
  return MakeElementLoop<Unsigned, Unsigned>(
      [mantissa_bits, keep](Unsigned bits) { return RoundFloat(bits, mantissa_bits, keep); });
}

ElementLoop FloatRounder(std::size_t size, int keep) {
  if (size == 2) return FloatRounder<std::uint16_t>(10, keep);
  if (size == 4) return FloatRounder<std::uint32_t>(23, keep);
  return FloatRounder<std::uint64_t>(52, keep);
}

ElementLoop IntegerRounder(const DataType& type, int keep) {
  return VisitReal(type, [keep](auto element) -> ElementLoop {
    using Element = decltype(element);
    if constexpr (kIsInteger<Element>) {
      return MakeElementLoop<Element, Element>([keep](Element x) { return RoundInteger(x, keep); });
    } else {
      return {};
    }
  });
}

ElementLoop MakeRounder(const DataType& type, int keep, const JsonNode& place) {
  switch (type.bits > 0 ? DataType::Kind::kUnknown : type.kind) {
    case DataType::Kind::kFloat:
      return FloatRounder(type.size, keep);
    case DataType::Kind::kComplex:
      return FloatRounder(type.size / 2, keep);
    case DataType::Kind::kBfloat16:
      return FloatRounder<std::uint16_t>(7, keep);
    case DataType::Kind::kDatetime64:
    case DataType::Kind::kTimedelta64:
      return MakeElementLoop<std::int64_t, std::int64_t>([keep](std::int64_t x) {
        return x == std::numeric_limits<std::int64_t>::min() ? x : RoundInteger(x, keep);  // "not a time" is kept
      });
    case DataType::Kind::kInt:
    case DataType::Kind::kUint:
      return IntegerRounder(type, keep);
    default:
      place.Fail(ErrorKind::kUnsupported, FormatExpectedGot("numbers to round", "data type \"" + type.name + "\""));
  }
}

class BitRoundCodec final : public ArrayToArrayCodec {
 public:
  BitRoundCodec(JsonNode place, int keep) : place_(std::move(place)), keep_(keep) {}

  std::shared_ptr<const ResolvedArrayToArray> Resolve(const ChunkSpec& decoded) const override {
    const auto copy = [](ByteSpan from, MutableByteSpan to) {
      if (!to.empty()) std::memcpy(to.data(), from.data(), to.size());
    };
    return MakeArrayFilter(decoded, decoded.data_type, {MakeRounder(decoded.data_type, keep_, place_), copy}, place_);
  }

 private:
  JsonNode place_;
  int keep_;
};

}  // namespace

Codec MakeBitRoundCodec(const CodecSpec& spec) {
  const std::int64_t lowest = IsNumcodecs(spec) ? 0 : 1;
  const std::int64_t keep = spec.configuration.At("keepbits").AsIntegerIn(lowest, 64);
  return std::make_shared<BitRoundCodec>(spec.configuration, static_cast<int>(keep));
}

}  // namespace zarr
