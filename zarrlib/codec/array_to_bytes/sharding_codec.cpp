// SPDX-License-Identifier: MIT
#include "zarrlib/codec/array_to_bytes/sharding_codec.h"

#include "zarrlib/codec/array_to_bytes/resolved_sharding.h"

namespace zarr {
namespace {

std::shared_ptr<const CodecPipeline> ParsePipeline(const JsonNode& codecs, CodecFactory make) {
  if (codecs.IsArray() && codecs.size() == 0) codecs.FailExpected("at least an array-to-bytes codec");
  return CodecPipeline::Make(ParseCodecsV3(codecs), false, make);
}

class ShardingCodec final : public ArrayToBytesCodec {
 public:
  ShardingCodec(const CodecSpec& spec, CodecFactory make)
      : configuration_(spec.configuration),
        chunk_shape_(configuration_.At("chunk_shape")),
        inner_(ParsePipeline(configuration_.At("codecs"), make)),
        index_codecs_(ParsePipeline(configuration_.At("index_codecs"), make)) {
    const auto location = configuration_.Find("index_location");
    if (!location || location->IsNull()) return;
    if (location->AsString() != "start" && location->AsString() != "end")
      location->FailExpected("\"start\" or \"end\"");
    if (location->AsString() == "start") location_ = IndexLocation::kStart;
  }

  std::shared_ptr<const ResolvedArrayToBytes> Resolve(const ChunkSpec& shard) const override {
    if (!chunk_shape_.IsArray() || chunk_shape_.size() != shard.shape.size()) {
      chunk_shape_.FailExpected("a list of " + std::to_string(shard.shape.size()) + " integers");
    }
    ChunkSpec inner = shard;
    for (std::size_t i = 0; i < shard.shape.size(); ++i) {
      const JsonNode edge = chunk_shape_[i];
      if (!edge.IsInteger() || edge.AsDouble() < 1 || shard.shape[i] % edge.AsUint64() != 0) {
        edge.FailExpected("a divisor of the shard's edge " + std::to_string(shard.shape[i]));
      }
      inner.shape[i] = edge.AsUint64();
    }
    return std::make_shared<ResolvedSharding>(shard, inner_->Resolve(inner), *index_codecs_, location_,
                                              configuration_.At("index_codecs"));
  }

 private:
  JsonNode configuration_;
  JsonNode chunk_shape_;
  std::shared_ptr<const CodecPipeline> inner_;
  std::shared_ptr<const CodecPipeline> index_codecs_;
  IndexLocation location_ = IndexLocation::kEnd;
};

}  // namespace

Codec MakeShardingCodec(const CodecSpec& spec, CodecFactory make) {
  return std::shared_ptr<const ArrayToBytesCodec>(std::make_shared<ShardingCodec>(spec, make));
}

}  // namespace zarr
