// SPDX-License-Identifier: MIT
#include "zarrlib/codec/array_to_array/delta_codec.h"

#include "zarrlib/codec/array_to_array/array_filter.h"

namespace zarr {
namespace {

/// Adds with wraparound; signed integers are added as unsigned ones.
template <typename T>
T Add(T a, T b) {
  if constexpr (kIsInteger<T>) {
    using Unsigned = std::make_unsigned_t<T>;
    return static_cast<T>(static_cast<Unsigned>(a) + static_cast<Unsigned>(b));
  } else {
    return static_cast<T>(a + b);
  }
}

template <typename T>
T Subtract(T a, T b) {
  if constexpr (kIsInteger<T>) {
    using Unsigned = std::make_unsigned_t<T>;
    return static_cast<T>(static_cast<Unsigned>(a) - static_cast<Unsigned>(b));
  } else {
    return static_cast<T>(a - b);
  }
}

/// The float type to which NumPy converts numbers of T in floating-point computations.
template <typename T>
using AsFloat =
    std::conditional_t<kIsFloat<T>, T,
                       std::conditional_t<sizeof(T) == 1, Half, std::conditional_t<sizeof(T) == 2, float, double>>>;

/// The type of the sums. As in NumPy, it can hold both types if one of them is a float; integers wrap around in any
/// type.
template <typename Decoded, typename Encoded>
using SumOf = std::conditional_t<
    kIsInteger<Decoded> && kIsInteger<Encoded>, Decoded,
    std::conditional_t<(sizeof(AsFloat<Decoded>) >= sizeof(AsFloat<Encoded>)), AsFloat<Decoded>, AsFloat<Encoded>>>;

template <typename Decoded, typename Encoded>
void Encode(ByteSpan from, MutableByteSpan to) {
  const std::size_t count = from.size() / sizeof(Decoded);
  Decoded before{};
  for (std::size_t i = 0; i < count; ++i) {
    const auto value = LoadElement<Decoded>(from, i);
    WriteElement(to, i, CastLikeNumPy<Encoded>(i == 0 ? value : Subtract(value, before)));
    before = value;
  }
}

template <typename Decoded, typename Encoded>
void Decode(ByteSpan from, MutableByteSpan to) {
  const std::size_t count = to.size() / sizeof(Decoded);
  using Sum = SumOf<Decoded, Encoded>;
  Sum sum{};
  for (std::size_t i = 0; i < count; ++i) {
    const auto step = CastLikeNumPy<Sum>(LoadElement<Encoded>(from, i));
    sum = i == 0 ? step : Add(sum, step);
    WriteElement(to, i, CastLikeNumPy<Decoded>(sum));
  }
}

FilterLoops MakeDeltaLoops(const DataType& dtype, const DataType& astype) {
  return VisitReal(dtype, [&](auto decoded) {
    return VisitReal(astype, [](auto encoded) {
      using Decoded = decltype(decoded);
      using Encoded = decltype(encoded);
      return FilterLoops{Encode<Decoded, Encoded>, Decode<Decoded, Encoded>, false};
    });
  });
}

}  // namespace

Codec MakeDeltaCodec(const CodecSpec& spec) {
  return MakeNumcodecsFilter(spec, {"dtype", "astype", MakeDeltaLoops});
}

}  // namespace zarr
