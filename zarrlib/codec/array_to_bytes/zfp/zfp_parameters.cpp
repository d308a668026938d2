// SPDX-License-Identifier: MIT
#include "zarrlib/codec/array_to_bytes/zfp/zfp_parameters.h"

#include <limits>
#include <optional>
#include <string>
#include <string_view>

#include "zarrlib/codec/array_to_bytes/zfp/zfp_library.h"
#include "zarrlib/codec/codec_util.h"

namespace zarr {
namespace {

unsigned ReadUnsigned(const CodecSpec& spec, std::string_view name) {
  return static_cast<unsigned>(spec.configuration.At(name).AsIntegerIn(0, std::numeric_limits<int>::max()));
}

constexpr double kMaxRate = 4096;  // bits per value; zfp itself keeps a few dozen

double ReadNumber(const JsonNode& node, double low, double high) {
  const double value = node.AsDouble();
  if (!(value >= low && value <= high)) {
    node.FailExpected("a number of at least " + std::to_string(static_cast<int>(low)) + " that is not too large");
  }
  return value;
}

}  // namespace

bool ZfpParameters::Apply(zfp_stream* stream, zfp_type type, unsigned dimensions) const {
  switch (mode) {
    case zfp_mode_fixed_rate:
      return GetZfpLibrary().zfp_stream_set_rate(stream, rate, type, dimensions, 0) > 0;
    case zfp_mode_fixed_precision:
      return GetZfpLibrary().zfp_stream_set_precision(stream, precision) > 0;
    case zfp_mode_fixed_accuracy:
      GetZfpLibrary().zfp_stream_set_accuracy(stream, tolerance);
      return true;
    case zfp_mode_expert:
      return GetZfpLibrary().zfp_stream_set_params(stream, min_bits, max_bits, max_precision, min_exponent) != 0;
    default:
      GetZfpLibrary().zfp_stream_set_reversible(stream);
      return true;
  }
}

ZfpParameters ReadZfpParameters(const CodecSpec& spec) {
  const JsonNode mode = spec.configuration.At("mode");
  ZfpParameters parameters;
  if (mode.AsString() == "fixed_rate") {
    parameters.mode = zfp_mode_fixed_rate;
    parameters.rate = ReadNumber(spec.configuration.At("rate"), 0, kMaxRate);
  } else if (mode.AsString() == "fixed_precision") {
    parameters.mode = zfp_mode_fixed_precision;
    parameters.precision = ReadUnsigned(spec, "precision");
  } else if (mode.AsString() == "fixed_accuracy") {
    parameters.mode = zfp_mode_fixed_accuracy;
    parameters.tolerance = ReadNumber(spec.configuration.At("tolerance"), 0, std::numeric_limits<double>::max());
  } else if (mode.AsString() == "expert") {
    parameters.mode = zfp_mode_expert;
    parameters.min_bits = ReadUnsigned(spec, "minbits");
    parameters.max_bits = ReadUnsigned(spec, "maxbits");
    parameters.max_precision = ReadUnsigned(spec, "maxprec");
    constexpr std::int64_t kMaxExponent = 1 << 14;
    parameters.min_exponent =
        static_cast<int>(spec.configuration.At("minexp").AsIntegerIn(-kMaxExponent, kMaxExponent));
  } else if (mode.AsString() != "reversible") {
    mode.FailExpected("\"reversible\", \"expert\", \"fixed_accuracy\", \"fixed_rate\" or \"fixed_precision\"");
  }
  return parameters;
}

ZfpParameters ReadZfpyParameters(const CodecSpec& spec) {
  constexpr double kMax = std::numeric_limits<double>::max();
  const auto number = [&spec](std::string_view name, double high) {
    const std::optional<JsonNode> member = FindOption(spec, name);
    return member ? ReadNumber(*member, -1, high) : -1.0;
  };
  ZfpParameters parameters;
  const auto mode =
      static_cast<zfp_mode>(GetIntegerOption(spec, "mode", 0, zfp_mode_reversible, zfp_mode_fixed_accuracy));
  parameters.rate = number("rate", kMaxRate);
  parameters.tolerance = number("tolerance", kMax);
  const double precision = number("precision", ZFP_MAX_PREC);
  if (mode == zfp_mode_fixed_rate && parameters.rate >= 0) parameters.mode = mode;
  if (mode == zfp_mode_fixed_accuracy && parameters.tolerance >= 0) parameters.mode = mode;
  if (mode == zfp_mode_fixed_precision && precision >= 0) {
    parameters.mode = mode;
    parameters.precision = static_cast<unsigned>(precision);
  }
  return parameters;
}

}  // namespace zarr
