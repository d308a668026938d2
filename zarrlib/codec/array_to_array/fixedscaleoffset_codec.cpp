// SPDX-License-Identifier: MIT
#include "zarrlib/codec/array_to_array/fixedscaleoffset_codec.h"

#include <cmath>
#include <type_traits>

#include "zarrlib/codec/array_to_array/array_filter.h"

namespace zarr {
namespace {

/// One of the two parameters. Python's int and float lead to different arithmetic.
struct Parameter {
  double value = 0;
  std::optional<std::int64_t> integer;
};

Parameter ReadParameter(const JsonNode& node) {
  if (!node.IsNumber()) node.FailExpected("a number");
  Parameter parameter{node.AsDouble(), std::nullopt};
  if (node.IsInteger()) parameter.integer = node.AsInt64();
  return parameter;
}

struct Parameters {
  Parameter offset;
  Parameter scale;
};

/// The type that NumPy uses to compute with an array of T and a Python float.
template <typename T>
using ComputedAs = std::conditional_t<kIsFloat<T>, T, double>;

template <typename Encoded>
ElementLoop MakeDecoder(const Parameters& parameters, const DataType& decoded) {
  using Number = ComputedAs<Encoded>;
  const auto offset = static_cast<Number>(parameters.offset.value);
  const auto scale = static_cast<Number>(parameters.scale.value);
  const auto decode = [offset, scale](Encoded x) {
    const auto quotient = static_cast<Number>(static_cast<Number>(x) / scale);
    return static_cast<Number>(quotient + offset);
  };
  return MakeCastingLoop<Encoded>(decode, decoded);
}

template <typename Decoded>
ElementLoop MakeEncoder(const Parameters& parameters, const DataType& encoded) {
  if constexpr (kIsInteger<Decoded>) {
    if (parameters.offset.integer && parameters.scale.integer) {
      const auto offset = static_cast<std::uint64_t>(*parameters.offset.integer);
      const auto scale = static_cast<std::uint64_t>(*parameters.scale.integer);
      using Integer = std::conditional_t<std::is_same_v<Decoded, std::uint64_t>, std::uint64_t, std::int64_t>;
      const auto encode = [offset, scale](Decoded x) {
        return static_cast<Integer>((static_cast<std::uint64_t>(x) - offset) * scale);
      };
      return MakeCastingLoop<Decoded>(encode, encoded);
    }
  }
  using Number = ComputedAs<Decoded>;
  const auto offset = static_cast<Number>(parameters.offset.value);
  const auto scale = static_cast<Number>(parameters.scale.value);
  const auto encode = [offset, scale](Decoded x) {
    const auto difference = static_cast<Number>(static_cast<Number>(x) - offset);
    const auto product = static_cast<Number>(difference * scale);
    return static_cast<Number>(std::nearbyint(product));
  };
  return MakeCastingLoop<Decoded>(encode, encoded);
}

FilterLoops MakeFixedScaleOffsetLoops(const DataType& dtype, const DataType& astype, const Parameters& parameters) {
  return {VisitReal(dtype, [&](auto decoded) { return MakeEncoder<decltype(decoded)>(parameters, astype); }),
          VisitReal(astype, [&](auto encoded) { return MakeDecoder<decltype(encoded)>(parameters, dtype); })};
}

}  // namespace

Codec MakeFixedScaleOffsetCodec(const CodecSpec& spec) {
  const Parameters parameters{ReadParameter(spec.configuration.At("offset")),
                              ReadParameter(spec.configuration.At("scale"))};
  if (parameters.scale.value == 0) spec.configuration.At("scale").FailExpected("a scale that is not 0");
  return MakeNumcodecsFilter(spec, {"dtype", "astype", [parameters](const DataType& dtype, const DataType& astype) {
                                      return MakeFixedScaleOffsetLoops(dtype, astype, parameters);
                                    }});
}

}  // namespace zarr
