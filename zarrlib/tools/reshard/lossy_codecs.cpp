// SPDX-License-Identifier: MIT
#include "zarrlib/tools/reshard/lossy_codecs.h"

#include <algorithm>
#include <string_view>

namespace zarr::tools {
namespace {

/// Codecs that preserve every bit, whatever their configuration, if the codecs inside them do.
constexpr std::string_view kExact[] = {"adler32",
                                       "blosc",
                                       "bytes",
                                       "bz2",
                                       "conditional",
                                       "crc32",
                                       "crc32c",
                                       "endian",
                                       "fletcher32",
                                       "gzip",
                                       "jenkins_lookup3",
                                       "lz4",
                                       "lzma",
                                       "n5_default",
                                       "packbits",
                                       "pcodec",
                                       "reshape",
                                       "sharding_indexed",
                                       "shuffle",
                                       "transpose",
                                       "vlen-bytes",
                                       "vlen-utf8",
                                       "zlib",
                                       "zstd"};

/// Those of the Python package imagecodecs. Its delta and its predictor take floats as integers.
constexpr std::string_view kExactOfImagecodecs[] = {"bz2", "deflate",  "delta",  "floatpred", "lzf", "lzma",
                                                    "lzw", "packbits", "pcodec", "zlib",      "zstd"};

std::string_view GetBareName(std::string_view name) {
  constexpr std::string_view kPrefix = "numcodecs.";
  return name.starts_with(kPrefix) ? name.substr(kPrefix.size()) : name;
}

std::optional<std::string> GetText(const JsonNode& configuration, std::string_view name) {
  const auto member = configuration.IsObject() ? configuration.Find(name) : std::nullopt;
  return member && member->IsString() ? std::optional(member->AsString()) : std::nullopt;
}

/// Returns true if delta preserves every bit: differences of integers are exact in their own type; differences of
/// floats are rounded. The codec takes the bytes of any array as numbers of its own type, if it names one.
bool IsExactDelta(const JsonNode& configuration, const DataType& type) {
  const auto is_integer = [](std::string_view dtype) { return dtype.find_first_of("iu") <= 1; };  // "<i2"
  const auto dtype = GetText(configuration, "dtype");
  const auto astype = GetText(configuration, "astype");
  const bool integers = type.kind == DataType::Kind::kInt || type.kind == DataType::Kind::kUint;
  return (dtype ? is_integer(*dtype) : integers) && (!astype || astype == dtype);
}

/// Returns true if zfp is in its only exact mode; in numcodecs, this is the mode without a rate, a precision or a
/// tolerance.
bool IsReversible(std::string_view bare, const JsonNode& configuration) {
  if (bare == "zfp") return GetText(configuration, "mode") == "reversible";
  const auto is_set = [&](std::string_view name) {
    const auto member = configuration.IsObject() ? configuration.Find(name) : std::nullopt;
    return member && member->IsNumber() && member->AsDouble() >= 0;
  };
  return !is_set("rate") && !is_set("precision") && !is_set("tolerance");
}

bool IsExact(const CodecSpec& spec, const DataType& type) {
  constexpr std::string_view kImagecodecs = "imagecodecs_";
  const std::string_view bare = GetBareName(spec.name);
  if (bare.starts_with(kImagecodecs))
    return std::ranges::find(kExactOfImagecodecs, bare.substr(kImagecodecs.size())) != std::end(kExactOfImagecodecs);
  if (bare == "delta") return IsExactDelta(spec.configuration, type);
  if (bare == "zfp" || bare == "zfpy") return IsReversible(bare, spec.configuration);
  return std::find(std::begin(kExact), std::end(kExact), bare) != std::end(kExact);
}

}  // namespace

std::optional<std::string> FindLossyCodec(const std::vector<CodecSpec>& codecs, const DataType& type) {
  for (const CodecSpec& spec : codecs) {
    if (!IsExact(spec, type)) return std::string(GetBareName(spec.name));
    const auto inner = spec.configuration.IsObject() ? spec.configuration.Find("codecs") : std::nullopt;
    if (!inner) continue;
    if (auto lossy = FindLossyCodec(ParseCodecsV3(*inner), type)) return lossy;
  }
  return std::nullopt;
}

}  // namespace zarr::tools
