// SPDX-License-Identifier: MIT
#include "zarrlib/codec/array_to_array/quantize_codec.h"

#include <cmath>
#include <utility>

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
  const auto check_float = [](auto element) {
    if (!kIsFloat<decltype(element)>) throw Error(ErrorKind::kUnsupported, "only floats can be quantized");
  };
  VisitReal(astype, check_float);
  ElementLoop encode = VisitReal(dtype, [&](auto decoded) {
    using Decoded = decltype(decoded);
    check_float(decoded);
    return MakeCastingLoop<Decoded>([scale](Decoded x) { return Quantize(static_cast<double>(x), scale); }, astype);
  });
  return {std::move(encode), MakeCast(astype, dtype)};
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
