// SPDX-License-Identifier: MIT
#pragma once

#include <memory>
#include <string_view>
#include <vector>

#include "autotest/cpp/support/shard_test_util.h"
#include "zarrlib/array/write/chunk_encoder.h"

namespace zarr::test {

inline constexpr std::string_view kOctets = R"(["bytes"])";

inline std::shared_ptr<const ResolvedPipeline> PipelineOf(std::string_view codecs, const ChunkSpec& spec) {
  return MakePipeline(ParseCodecsV3(Json(codecs)), false)->Resolve(spec);
}

/// The encoder of a chunk of bytes, whose fill value is 7.
inline ChunkEncoder OctetEncoder(const Shape& shape, std::string_view codecs = kOctets, bool store_empty = false) {
  return ChunkEncoder(PipelineOf(codecs, ByteSpec(shape)), store_empty);
}

inline ChunkEncoder TextEncoder(const Shape& shape, std::string_view fill = "none",
                                std::string_view codecs = R"(["vlen-utf8"])") {
  ChunkSpec spec = Spec(shape, "string");
  spec.fill_value = {ToBytes(fill), true};
  return ChunkEncoder(PipelineOf(codecs, spec), false);
}

/// A list of codecs that is one of shards.
inline std::string ShardedCodecs(std::string_view chunk_shape, std::string_view codecs = kOctets) {
  return R"([{"name": "sharding_indexed", "configuration": )" + ShardingConfiguration(chunk_shape, codecs) + "}]";
}

/// Packed elements that go to a part of a chunk from `first` on.
template <typename T>
RegionElements RegionOf(const std::vector<T>& values, const Shape& first, const Shape& count, Shape step = {}) {
  if (step.size() == 0) step = Shape(count.size(), 1);
  return {
      first,  count, step, reinterpret_cast<const std::byte*>(values.data()), GetContiguousStrides(count, sizeof(T)),
      nullptr};
}

}  // namespace zarr::test
