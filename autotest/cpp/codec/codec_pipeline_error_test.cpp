// SPDX-License-Identifier: MIT
#include "autotest/cpp/support/codec_pipeline_test_util.h"
#include "autotest/cpp/support/limit_test_util.h"
#include "zarrlib/base/limits.h"
#include "zarrlib/codec/codec_pipeline.h"

namespace zarr {
namespace {

using namespace test;

Error DecodeError(std::string_view codecs, const ChunkSpec& spec, const Bytes& encoded) {
  const Resolved resolved = V3(codecs)->Resolve(spec);
  return ErrorOf([&] {
    Bytes out(spec.byte_size());
    resolved->Decode(encoded, out);
  });
}

TEST(CodecPipeline, ErrorsNameTheCodec) {
  const ChunkSpec spec = Spec({4}, "int16");
  EXPECT_STREQ(DecodeError(List({kLittle}), spec, Bytes(7)).what(), "bytes: expected 8 bytes, got 7");
  EXPECT_STREQ(DecodeError(List({kBig}), spec, Bytes(9)).what(), "bytes: expected 8 bytes, got 9");
  EXPECT_TRUE(DecodeError(List({kLittle, kGzip}), spec, ToBytes("garbage")).message().starts_with("gzip: "));
  EXPECT_TRUE(DecodeError(List({kLittle, kGzip, R"("crc32c")"}), spec, Bytes(3)).message().starts_with("crc32c: "));
}

TEST(CodecPipeline, RefusesChunksOfAnotherSize) {
  for (const std::uint64_t length : {3, 5}) {
    Bytes encoded;
    V3(List({kLittle, kGzip}))->Resolve(Spec({length}, "int16"))->Encode(Pattern(2 * length), &encoded);
    const Error error = DecodeError(List({kLittle, kGzip}), Spec({4}, "int16"), encoded);
    EXPECT_EQ(error.kind(), ErrorKind::kCorrupt);
    EXPECT_EQ(error.message(), length == 3 ? "gzip: expected 8 bytes, got 6" : "gzip: expected 8 bytes, got more");
  }
  Bytes encoded;
  V3(List({kLittle, R"("crc32c")"}))->Resolve(Spec({3}, "int16"))->Encode(Pattern(6), &encoded);
  EXPECT_EQ(DecodeError(List({kLittle, R"("crc32c")"}), Spec({4}, "int16"), encoded).message(),
            "crc32c: expected 8 bytes, got 6");
}

/// Between two compressors there is only a bound on the size; the output of the inner one is exact again.
TEST(CodecPipeline, RefusesAnotherSizeBehindTwoCompressors) {
  Bytes encoded;
  V3(List({kLittle, kGzip, kZstd}))->Resolve(Spec({3}, "int16"))->Encode(Pattern(6), &encoded);
  EXPECT_EQ(DecodeError(List({kLittle, kGzip, kZstd}), Spec({4}, "int16"), encoded).message(),
            "gzip: expected 8 bytes, got 6");
}

/// All that codecs make of a chunk is at most four times the largest chunk.
TEST(CodecPipeline, TheWorkOfAllCodecsIsBounded) {
  const auto decode = [](const std::vector<CodecSpec>& codecs) {
    const Resolved resolved = V2(codecs)->Resolve(Spec({100}, "uint8"));
    Bytes encoded;
    resolved->Encode(Pattern(100), &encoded);
    Bytes decoded(100);
    resolved->Decode(encoded, decoded);
    EXPECT_EQ(decoded, Pattern(100));
  };
  const CodecSpec delta = V2Codec("delta", R"({"dtype": "|u1"})");
  const CodecSpec shuffle = V2Codec("shuffle", R"({"elementsize": 1})");
  ExpectNeed(Limit::kChunk, 50, [&] { decode({delta, delta}); });
  ExpectNeed(Limit::kChunk, 75, [&] { decode({delta, delta, delta}); });
  ExpectNeed(Limit::kChunk, 100, [&] { decode({delta, delta, shuffle, shuffle}); });
}

TEST(CodecPipeline, BombsTakeNoMemory) {
  Bytes bomb;
  V3(List({kLittle, kGzip}))
      ->Resolve(Spec({std::uint64_t{64} << 20}, "uint8"))
      ->Encode(Bytes(64 << 20, std::byte{0}), &bomb);
  EXPECT_EQ(DecodeError(List({kLittle, kGzip}), Spec({100}, "uint8"), bomb).kind(), ErrorKind::kCorrupt);
  Bytes twice;
  V3(List({kLittle, kZstd}))->Resolve(Spec({bomb.size()}, "uint8"))->Encode(bomb, &twice);
  EXPECT_EQ(DecodeError(List({kLittle, kGzip, kZstd}), Spec({100}, "uint8"), twice).kind(), ErrorKind::kCorrupt);
}

/// The bound for each compressor is a little more than the bound for the one before it.
TEST(CodecPipeline, ManyCompressorsTakeMemoryForWhatThereIs) {
  std::string codecs = "[" + std::string(kLittle);
  for (int i = 0; i < 60; ++i) codecs += "," + std::string(kZstd);
  const ChunkSpec spec = Spec({500}, "int16");
  const Resolved resolved = V3(codecs + "]")->Resolve(spec);
  Bytes encoded;
  resolved->Encode(Pattern(1000), &encoded);
  Bytes decoded(1000);
  resolved->Decode(encoded, decoded);
  EXPECT_EQ(decoded, Pattern(1000));
  EXPECT_EQ(DecodeError(codecs + "]", spec, ToBytes("garbage")).kind(), ErrorKind::kCorrupt);
}

TEST(CodecPipeline, BoundsGrowWithTheNumberOfCodecsAndNotMore) {
  const std::string conditional =
      R"({"name": "conditional", "configuration": {"codecs": [)" + std::string(kGzip) + "]}}";
  for (const std::string_view codec : {kGzip, kZstd, std::string_view(conditional)}) {
    std::string codecs(kLittle);
    for (int i = 0; i < 24; ++i) codecs += "," + std::string(codec);
    const auto pipeline = V3("[" + codecs + "]")->Resolve(Spec({1024}, "uint8"));
    EXPECT_LT(pipeline->max_encoded_size(), 4u << 20) << codec;
  }
}

TEST(CodecPipeline, RefusesMoreCodecsThanMakeSense) {
  std::string codecs(kLittle);
  for (std::size_t i = 1; i < GetLimit(Limit::kCodecs); ++i) codecs += "," + std::string(kGzip);
  V3("[" + codecs + "]");
  ExpectError([&] { V3("[" + codecs + "," + std::string(kGzip) + "]"); }, ErrorKind::kLimitExceeded, "",
              "expected at most 64 codecs (ZARR_MAX_CODECS), got 65");
}

TEST(CodecPipeline, NoTruncationGoesUnnoticed) {
  const std::string codecs = List({kBig, kZstd, kGzip});
  const ChunkSpec spec = Spec({500}, "int16");
  Bytes encoded;
  V3(codecs)->Resolve(spec)->Encode(Pattern(1000), &encoded);
  for (std::size_t size = 0; size < encoded.size(); size += 7) {
    EXPECT_EQ(
        DecodeError(codecs, spec, Bytes(encoded.begin(), encoded.begin() + static_cast<std::ptrdiff_t>(size))).kind(),
        ErrorKind::kCorrupt);
  }
}

}  // namespace
}  // namespace zarr
