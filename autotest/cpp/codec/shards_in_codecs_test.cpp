// SPDX-License-Identifier: MIT
#include "autotest/cpp/support/codec_pipeline_test_util.h"
#include "autotest/cpp/support/shard_test_util.h"

/// Codecs that follow a sharding codec: the shard is decoded as a whole before its parts are found.
namespace zarr {
namespace {

using namespace test;

CodecSpec Sharding() {
  return NamedCodec("sharding_indexed", ShardingConfiguration("[100]", kLittleBytes, kLittleBytes));
}

/// Codecs that find their bytes at an offset within the encoded ones: behind a checksum, and in a buffer of Blosc that
/// could not be compressed.
std::vector<CodecSpec> ListCodecsWithAnOffset() {
  return {
      NamedCodec("numcodecs.crc32", "{}"),
      NamedCodec("blosc", R"({"cname": "lz4", "clevel": 5, "shuffle": "noshuffle", "typesize": 1, "blocksize": 0})")};
}

Bytes Noise(std::size_t size) {
  Bytes bytes(size);
  std::uint32_t state = 1;
  for (std::byte& byte : bytes) byte = static_cast<std::byte>((state = state * 1664525 + 1013904223) >> 24);
  return bytes;
}

void ExpectSplits(const std::vector<CodecSpec>& codecs) {
  const Resolved pipeline = MakePipeline(codecs, false)->Resolve(ByteSpec({400}));
  const Bytes chunk = Noise(400);
  Bytes encoded;
  pipeline->Encode(chunk, &encoded);
  const auto split = pipeline->shard_encoder()->Split(NotingReader(encoded), [](std::size_t) { return true; });
  ASSERT_TRUE(split);
  ASSERT_EQ(split->inner_chunks.size(), 4U);
  for (std::size_t i = 0; i < 4; ++i) {
    ASSERT_TRUE(split->inner_chunks[i]) << i;
    const ByteRange range = *split->inner_chunks[i];
    const ByteSpan part = ByteSpan(split->bytes).subspan(range.offset, range.length);
    const ByteSpan expected = ByteSpan(chunk).subspan(i * 100, 100);
    EXPECT_TRUE(std::ranges::equal(part, expected)) << i;
  }
}

TEST(ShardsInCodecs, AreFoundWhereverADecodedBufferBegins) {
  const CodecSpec gzip = NamedCodec("gzip", R"({"level": 1})");
  for (const CodecSpec& codec : ListCodecsWithAnOffset()) {
    SCOPED_TRACE(codec.name);
    ExpectSplits({Sharding(), codec});
    ExpectSplits({Sharding(), codec, gzip});
    ExpectSplits({Sharding(), codec, gzip, gzip});
    ExpectSplits({Sharding(), gzip, codec});
    ExpectSplits({Sharding(), codec, codec, gzip});
  }
}

}  // namespace
}  // namespace zarr
