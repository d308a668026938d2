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

template <typename Decoded, typename Encoded>
ElementLoop MakeDecoder(const Parameters& parameters) {
  using Number = ComputedAs<Encoded>;
  const auto offset = static_cast<Number>(parameters.offset.value);
  const auto scale = static_cast<Number>(parameters.scale.value);
  return MakeElementLoop<Encoded, Decoded>([offset, scale](Encoded x) {
    const auto quotient = static_cast<Number>(static_cast<Number>(x) / scale);
    return CastLikeNumPy<Decoded>(static_cast<Number>(quotient + offset));
  });
}

template <typename Decoded, typename Encoded>
ElementLoop MakeEncoder(const Parameters& parameters) {
  if constexpr (kIsInteger<Decoded>) {
    if (parameters.offset.integer && parameters.scale.integer) {
      const auto offset = static_cast<std::uint64_t>(*parameters.offset.integer);
      const auto scale = static_cast<std::uint64_t>(*parameters.scale.integer);
      return MakeElementLoop<Decoded, Encoded>([offset, scale](Decoded x) {
        const std::uint64_t result = (static_cast<std::uint64_t>(x) - offset) * scale;
        if constexpr (std::is_same_v<Decoded, std::uint64_t>) return CastLikeNumPy<Encoded>(result);
        return CastLikeNumPy<Encoded>(static_cast<std::int64_t>(result));
      });
    }
  }
  using Number = ComputedAs<Decoded>;
  const auto offset = static_cast<Number>(parameters.offset.value);
  const auto scale = static_cast<Number>(parameters.scale.value);
  return MakeElementLoop<Decoded, Encoded>([offset, scale](Decoded x) {
    const auto difference = static_cast<Number>(static_cast<Number>(x) - offset);
    const auto product = static_cast<Number>(difference * scale);
    return CastLikeNumPy<Encoded>(static_cast<Number>(std::nearbyint(product)));
  });
}

FilterLoops MakeFixedScaleOffsetLoops(const DataType& dtype, const DataType& astype, const Parameters& parameters) {
  return VisitReal(dtype, [&](auto decoded) {
    return VisitReal(astype, [&](auto encoded) {
      using Decoded = decltype(decoded);
      using Encoded = decltype(encoded);
      return FilterLoops{MakeEncoder<Decoded, Encoded>(parameters), MakeDecoder<Decoded, Encoded>(parameters)};
    });
  });
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
