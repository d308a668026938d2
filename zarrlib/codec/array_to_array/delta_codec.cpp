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

bool IsInteger(const DataType& type) {
  return type.kind == DataType::Kind::kInt || type.kind == DataType::Kind::kUint;
}

/// The float type to which NumPy converts numbers of a type in floating-point computations.
DataType AsFloat(const DataType& type) {
  if (!IsInteger(type)) return type;
  return DataType::FromV3(JsonNode::MakeString(type.size == 1 ? "float16" : type.size == 2 ? "float32" : "float64"));
}

/// The type of the sums. As in NumPy, it can hold both types if one of them is a float; integers wrap around in any
/// type.
DataType GetSumType(const DataType& decoded, const DataType& encoded) {
  if (IsInteger(decoded) && IsInteger(encoded)) return decoded;
  DataType first = AsFloat(decoded);
  DataType second = AsFloat(encoded);
  return first.size >= second.size ? first : second;
}

template <typename Decoded>
ElementLoop MakeEncoder(const DataType& encoded) {
  using Wide = WideOf<Decoded>;
  return [store = GetStoreElements<Wide>(encoded), size = encoded.size](ByteSpan from, MutableByteSpan to) {
    Decoded before{};
    ComputeElements<Wide>(store, size, to, [&](std::size_t i) {
      const auto value = LoadElement<Decoded>(from, i);
      const auto difference = i == 0 ? value : Subtract(value, before);
      before = value;
      return difference;
    });
  };
}

template <typename Sum>
ElementLoop MakeDecoder(const DataType& encoded, const DataType& sum_type, const DataType& decoded) {
  using Wide = WideOf<Sum>;
  return [load = MakeCast(encoded, sum_type), encoded_size = encoded.size, store = GetStoreElements<Wide>(decoded),
          size = decoded.size](ByteSpan from, MutableByteSpan to) {
    std::array<Sum, kElementBlock> steps;
    Sum sum{};
    ComputeElements<Wide>(store, size, to, [&](std::size_t i) {
      const std::size_t in_block = i % kElementBlock;
      if (in_block == 0) {
        const std::size_t count = std::min(kElementBlock, to.size() / size - i);
        load(from.subspan(i * encoded_size, count * encoded_size),
             std::as_writable_bytes(std::span(steps.data(), count)));
      }
      sum = i == 0 ? steps[0] : Add(sum, steps[in_block]);
      return sum;
    });
  };
}

FilterLoops MakeDeltaLoops(const DataType& dtype, const DataType& astype) {
  VisitReal(astype, [](auto) {});  // throws for other types
  const DataType sum_type = GetSumType(dtype, astype);
  return {VisitReal(dtype, [&](auto decoded) { return MakeEncoder<decltype(decoded)>(astype); }),
          VisitReal(sum_type, [&](auto sum) { return MakeDecoder<decltype(sum)>(astype, sum_type, dtype); }), false};
}

}  // namespace

Codec MakeDeltaCodec(const CodecSpec& spec) {
  return MakeNumcodecsFilter(spec, {"dtype", "astype", MakeDeltaLoops});
}

}  // namespace zarr
