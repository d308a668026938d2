// SPDX-License-Identifier: MIT
#include "zarrlib/codec/array_to_array/quantize_codec.h"

#include <cmath>

#include "zarrlib/codec/array_to_array/array_filter.h"

namespace zarr {
namespace {

/// With more digits a float64 does not change; with fewer than the negative limit, nothing of it is left.
constexpr std::int64_t kMaxDigits = 300;

/// Rounds to a multiple of 1 / `scale`. The scale is a power of two, so only the rounding is inexact.
double Quantize(double value, double scale) {
  const double scaled = value * scale;
  return std::isfinite(scaled) ? std::nearbyint(scaled) / scale : value;
}

FilterLoops MakeQuantizeLoops(const DataType& dtype, const DataType& astype, double scale) {
  return VisitReal(dtype, [&](auto decoded) {
    return VisitReal(astype, [scale](auto encoded) -> FilterLoops {
      using Decoded = decltype(decoded);
      using Encoded = decltype(encoded);
      if constexpr (kIsFloat<Decoded> && kIsFloat<Encoded>) {
        return {MakeElementLoop<Decoded, Encoded>(
                    [scale](Decoded x) { return CastLikeNumPy<Encoded>(Quantize(x, scale)); }),
                MakeElementLoop<Encoded, Decoded>(CastLikeNumPy<Decoded, Encoded>)};
      } else {
        throw Error(ErrorKind::kUnsupported, "only floats can be quantized");
      }
    });
  });
}

}  // namespace

Codec MakeQuantizeCodec(const CodecSpec& spec) {
  const std::int64_t digits = spec.configuration.At("digits").AsIntegerIn(-kMaxDigits, kMaxDigits);
  const double scale = std::exp2(std::ceil(static_cast<double>(digits) * std::log2(10.0)));
  return MakeNumcodecsFilter(spec, {"dtype", "astype", [scale](const DataType& dtype, const DataType& astype) {
                                      return MakeQuantizeLoops(dtype, astype, scale);
                                    }});
}

}  // namespace zarr
