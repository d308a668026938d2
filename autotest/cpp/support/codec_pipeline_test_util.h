// SPDX-License-Identifier: MIT
#pragma once

#include <initializer_list>
#include <memory>
#include <random>
#include <string>
#include <string_view>
#include <vector>

#include "autotest/cpp/support/array_codec_test_util.h"
#include "zarrlib/codec/codec_pipeline.h"
#include "zarrlib/codec/codec_registry.h"

namespace zarr::test {

using Pipeline = std::shared_ptr<const CodecPipeline>;
using Resolved = std::shared_ptr<const ResolvedPipeline>;

/// Parses a v3 list of codecs.
inline Pipeline V3(std::string_view codecs) {
  return MakePipeline(ParseCodecsV3(Json(codecs)), false);
}

/// Makes codecs as the parsers of v1 and v2 name them.
inline Pipeline V2(const std::vector<CodecSpec>& codecs) {
  return MakePipeline(codecs, true);
}

inline CodecSpec V2Codec(std::string_view name, std::string_view configuration = "{}") {
  return {"numcodecs." + std::string(name), Json(configuration)};
}

inline constexpr std::string_view kLittle = R"({"name": "bytes", "configuration": {"endian": "little"}})";
inline constexpr std::string_view kBig = R"({"name": "bytes", "configuration": {"endian": "big"}})";
inline constexpr std::string_view kGzip = R"({"name": "gzip", "configuration": {"level": 1}})";
inline constexpr std::string_view kZstd = R"({"name": "zstd", "configuration": {"level": 1}})";

inline std::string List(std::initializer_list<std::string_view> codecs) {
  std::string text;
  for (const std::string_view codec : codecs) text += (text.empty() ? "[" : ",") + std::string(codec);
  return text + "]";
}

/// Returns bytes that differ from their neighbours.
inline Bytes Pattern(std::size_t size) {
  std::mt19937 random(3);
  Bytes bytes(size);
  for (std::byte& b : bytes) b = static_cast<std::byte>(random() % 11);
  return bytes;
}

}  // namespace zarr::test
