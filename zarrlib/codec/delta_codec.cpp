#include "zarrlib/codec/delta_codec.h"

#include "zarrlib/codec/array_filter.h"

namespace zarr {
namespace {

/// Integers wrap around, which signed ones only do by way of unsigned ones.
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

template <typename Decoded, typename Encoded>
void Encode(ByteSpan from, MutableByteSpan to) {
  const std::size_t count = from.size() / sizeof(Decoded);
  Decoded before{};
  for (std::size_t i = 0; i < count; ++i) {
    const auto value = LoadElement<Decoded>(from, i);
    StoreElement(to, i, CastLikeNumPy<Encoded>(i == 0 ? value : Subtract(value, before)));
    before = value;
  }
}

template <typename Decoded, typename Encoded>
void Decode(ByteSpan from, MutableByteSpan to) {
  const std::size_t count = to.size() / sizeof(Decoded);
  Decoded sum{};
  for (std::size_t i = 0; i < count; ++i) {
    const auto step = CastLikeNumPy<Decoded>(LoadElement<Encoded>(from, i));
    sum = i == 0 ? step : Add(sum, step);
    StoreElement(to, i, sum);
  }
}

FilterLoops MakeLoops(const DataType& dtype, const DataType& astype) {
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
  return MakeNumcodecsFilter(spec, {"dtype", "astype", MakeLoops});
}

}  // namespace zarr
