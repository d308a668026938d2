// SPDX-License-Identifier: MIT
#include "zarrlib/codec/codec_pipeline.h"

#include "autotest/cpp/support/codec_pipeline_test_util.h"
#include "zarrlib/base/limits.h"

namespace zarr {
namespace {

using namespace test;

/// Returns the chunk in C order, from the layout to which the pipeline decodes.
Bytes InCOrder(const ResolvedPipeline& pipeline, const Bytes& laid_out) {
  const ChunkSpec& spec = pipeline.decoded();
  Bytes result;
  Shape index(spec.shape.size(), 0);
  if (laid_out.empty()) return result;
  do {
    std::ptrdiff_t offset = 0;
    for (std::size_t i = 0; i < index.size(); ++i)
      offset += static_cast<std::ptrdiff_t>(index[i]) * pipeline.layout()[i];
    for (std::size_t k = 0; k < spec.data_type.size; ++k)
      result.push_back(laid_out[static_cast<std::size_t>(offset) + k]);
  } while (AdvanceIndex(spec.shape, &index));
  return result;
}

Bytes Decoded(const ResolvedPipeline& pipeline, const Bytes& encoded) {
  Bytes out(pipeline.decoded().byte_size());
  pipeline.Decode(encoded, out);
  return InCOrder(pipeline, out);
}

void ExpectRoundTrip(const Pipeline& pipeline, const ChunkSpec& spec) {
  const Resolved resolved = pipeline->Resolve(spec);
  const Bytes chunk = Pattern(spec.byte_size());
  Bytes encoded = ToBytes("to be replaced");
  resolved->Encode(chunk, &encoded);
  EXPECT_EQ(Decoded(*resolved, encoded), chunk);
  if (resolved->encoded_size()) {
    EXPECT_EQ(*resolved->encoded_size(), encoded.size());
  }
  if (resolved->is_copy()) {
    EXPECT_EQ(encoded.size(), chunk.size());
  }
}

// --- making ------------------------------------------------------------------------------------------------------

/// Arrays of one size take turns in two buffers; others have buffers of their own.
TEST(CodecPipeline, DecodesThroughManyArrays) {
  const CodecSpec delta = V2Codec("delta", R"({"dtype": "<i2"})");
  const CodecSpec wider = V2Codec("astype", R"({"decode_dtype": "<i2", "encode_dtype": "<i4"})");
  const CodecSpec delta_of_wider = V2Codec("delta", R"({"dtype": "<i4"})");
  std::vector<CodecSpec> codecs;
  for (int narrow = 0; narrow < 4; ++narrow) {
    for (int wide = 0; wide < 4; ++wide) {
      for (const bool with_wide : {false, true}) {
        codecs.assign(narrow, delta);
        if (with_wide) codecs.push_back(wider);
        if (with_wide) codecs.insert(codecs.end(), wide, delta_of_wider);
        const Resolved resolved = V2(codecs)->Resolve(Spec({50}, "int16"));
        Bytes encoded;
        resolved->Encode(Pattern(100), &encoded);
        Bytes decoded(100);
        resolved->Decode(encoded, decoded);
        EXPECT_EQ(decoded, Pattern(100)) << narrow << " " << wide << " " << with_wide;
      }
    }
  }
}

TEST(CodecPipeline, RefusesCodecsOutOfOrder) {
  const std::pair<std::string, const char*> wrong[] = {
      {List({kGzip, kLittle}), "/0/configuration"},
      {List({kGzip}), "/0/configuration"},
      {List({kLittle, kGzip, kLittle}), "/2/configuration"},
      {List({kLittle, kLittle}), "/1/configuration"},
      {List({kLittle, R"({"name": "transpose", "configuration": {"order": [0]}})"}), "/1/configuration"},
      {List({R"({"name": "transpose", "configuration": {"order": [0]}})"}), "/0/configuration"},
      {List({R"({"name": "transpose", "configuration": {"order": [0]}})", kGzip}), "/1/configuration"},
  };
  for (const auto& [codecs, pointer] : wrong) {
    SCOPED_TRACE(codecs);
    ExpectError([&codecs = codecs] { V3(codecs); }, ErrorKind::kCorrupt, pointer, "expected");
  }
  ExpectError([] { V3("[]"); }, ErrorKind::kCorrupt, "", "an array-to-bytes codec");
}

TEST(CodecPipeline, SaysWhichCodecIsOutOfOrder) {
  ExpectError(
      [] {
        V3(List({kGzip, kLittle}));
      },
      ErrorKind::kCorrupt, "/0/configuration", "expected an array-to-bytes codec first, got gzip (bytes to bytes)");
  ExpectError(
      [] {
        V3(List({kLittle, kLittle}));
      },
      ErrorKind::kCorrupt, "/1/configuration", "expected a bytes-to-bytes codec, got bytes (array to bytes)");
}

TEST(CodecPipeline, RefusesUnknownCodecs) {
  ExpectError([] { V3(List({kLittle, R"("nosuch")"})); }, ErrorKind::kUnsupported, "/1", "\"nosuch\"");
}

TEST(CodecPipeline, BytesAreImpliedInV2) {
  const Resolved none = V2({})->Resolve(SpecV2({2}, ">u2"));
  Bytes encoded;
  none->Encode(BytesOf<std::uint16_t>({1, 2}), &encoded);
  EXPECT_EQ(HexOf(encoded), "00 01 00 02");
  ExpectRoundTrip(V2({V2Codec("zlib")}), SpecV2({5, 7}, ">f8"));
  ExpectRoundTrip(V2({{"transpose", Json(R"({"order": [1, 0]})")}, V2Codec("zlib")}), SpecV2({5, 7}, "<f8"));
  ExpectRoundTrip(V2({{"transpose", Json(R"({"order": [1, 0]})")}}), SpecV2({5, 7}, "<f8"));
}

TEST(CodecPipeline, AnArrayFilterBehindABytesFilterIsUnsupportedInV2) {
  ExpectError(
      [] {
        V2({V2Codec("zlib"), {"transpose", Json(R"({"order": [0]})")}});
      },
      ErrorKind::kUnsupported, "", "transpose (array to array)");
}

TEST(CodecPipeline, CodecsThatDoNotFitAreFoundInResolving) {
  const Pipeline pipeline = V3(List({R"({"name": "transpose", "configuration": {"order": [0, 1]}})", kLittle}));
  EXPECT_NO_THROW(pipeline->Resolve(Spec({2, 3}, "int16")));
  ExpectError([&] { pipeline->Resolve(Spec({2}, "int16")); }, ErrorKind::kCorrupt, "/0/configuration/order",
              "a permutation");
}

TEST(CodecPipeline, RefusesHugeChunks) {
  const Pipeline pipeline = V3(List({kLittle}));
  const std::uint64_t limit = std::uint64_t{1} << 47;
  EXPECT_NO_THROW(pipeline->Resolve(Spec({limit}, "uint8")));
  EXPECT_NO_THROW(pipeline->Resolve(Spec({0, UINT64_MAX}, "uint8")));
  for (const Shape& shape : {Shape{limit + 1}, Shape{UINT64_MAX}, Shape{65536, 65536, 65536, 65536},
                             Shape{std::uint64_t{1} << 62, std::uint64_t{1} << 62}}) {
    ExpectError([&] { pipeline->Resolve(Spec(shape, "uint8")); }, ErrorKind::kLimitExceeded, "",
                "shape " + ToString(shape));
  }
  ExpectError([&] { pipeline->Resolve(Spec({limit / 4}, "uint64")); }, ErrorKind::kLimitExceeded, "", "2^47");
}

// --- properties --------------------------------------------------------------------------------------------------

TEST(CodecPipeline, KnowsSizesWhereTheyAreFixed) {
  EXPECT_EQ(V3(List({kLittle}))->Resolve(Spec({3}, "int32"))->encoded_size(), 12u);
  EXPECT_EQ(V3(List({kLittle, R"("crc32c")"}))->Resolve(Spec({3}, "int32"))->encoded_size(), 16u);
  EXPECT_EQ(V3(List({kLittle, R"("crc32c")", R"("crc32c")"}))->Resolve(Spec({3}, "int32"))->encoded_size(), 20u);
  EXPECT_EQ(V3(List({kLittle, kGzip}))->Resolve(Spec({3}, "int32"))->encoded_size(), std::nullopt);
  EXPECT_EQ(V3(List({kLittle, kGzip, R"("crc32c")"}))->Resolve(Spec({3}, "int32"))->encoded_size(), std::nullopt);
}

TEST(CodecPipeline, IsACopyIfNothingIsDone) {
  const bool is_little = kNativeEndian == Endian::kLittle;
  EXPECT_EQ(V3(List({kLittle}))->Resolve(Spec({3}, "int32"))->is_copy(), is_little);
  EXPECT_EQ(V3(List({kBig}))->Resolve(Spec({3}, "int32"))->is_copy(), !is_little);
  EXPECT_FALSE(V3(List({kLittle, R"("crc32c")"}))->Resolve(Spec({3}, "int32"))->is_copy());
}

TEST(CodecPipeline, LayoutIsCOrder) {
  EXPECT_EQ(V3(List({kLittle, kGzip}))->Resolve(Spec({2, 3, 4}, "int32"))->layout(), (Strides{48, 16, 4}));
}

TEST(CodecPipeline, TransposesAreFoldedIntoTheLayout) {
  const Resolved resolved = V3(List({R"({"name": "transpose", "configuration": {"order": [1, 2, 0]}})", kLittle}))
                                ->Resolve(Spec({2, 3, 4}, "int32"));
  // Stored as [3, 4, 2]: the axes of the array are the last, the first and the second.
  EXPECT_EQ(resolved->layout(), (Strides{4, 32, 8}));
  EXPECT_EQ(resolved->is_copy(), kNativeEndian == Endian::kLittle);
  EXPECT_EQ(resolved->decoded().shape, (Shape{2, 3, 4}));
}

TEST(CodecPipeline, TwoTransposesAreFoldedOneAfterTheOther) {
  const Resolved resolved = V3(List({R"({"name": "transpose", "configuration": {"order": [1, 2, 0]}})",
                                     R"({"name": "transpose", "configuration": {"order": [0, 2, 1]}})", kLittle}))
                                ->Resolve(Spec({2, 3, 4}, "int32"));
  // [2, 3, 4] -> [3, 4, 2] -> [3, 2, 4].
  EXPECT_EQ(resolved->layout(), (Strides{16, 32, 4}));
}

/// A codec that uses neighbouring elements must see them in its own order.
TEST(CodecPipeline, TransposesBehindOtherCodecsAreRun) {
  const CodecSpec delta = V2Codec("delta", R"({"dtype": "<i2"})");
  const CodecSpec transpose{"transpose", Json(R"({"order": [1, 0]})")};
  const ChunkSpec spec = SpecV2({2, 3}, "<i2");
  const Bytes chunk = BytesOf<std::int16_t>({1, 2, 4, 8, 16, 32});
  const std::tuple<std::vector<CodecSpec>, Strides, const char*> pipelines[] = {
      {{delta, transpose}, {6, 2}, "01 00 04 00 01 00 08 00 02 00 10 00"},
      {{transpose, delta}, {2, 4}, "01 00 07 00 fa ff 0e 00 f4 ff 1c 00"},
      {{transpose, delta, transpose}, {2, 4}, "01 00 fa ff f4 ff 07 00 0e 00 1c 00"}};
  for (const auto& [codecs, layout, stored] : pipelines) {
    const Resolved resolved = V2(codecs)->Resolve(spec);
    EXPECT_EQ(resolved->layout(), layout);
    EXPECT_FALSE(resolved->is_copy());
    Bytes encoded;
    resolved->Encode(chunk, &encoded);
    EXPECT_EQ(HexOf(encoded), stored);
    EXPECT_EQ(Decoded(*resolved, encoded), chunk);
  }
  ExpectRoundTrip(V2({transpose, delta, transpose, V2Codec("zlib")}), SpecV2({50, 30}, "<i2"));
}

TEST(CodecPipeline, TypesMayChangeOnTheWay) {
  const CodecSpec astype = V2Codec("astype", R"({"encode_dtype": "<i8", "decode_dtype": "<i2"})");
  const CodecSpec transpose{"transpose", Json(R"({"order": [1, 0]})")};
  for (const auto& codecs : {std::vector{astype}, std::vector{transpose, astype}, std::vector{astype, transpose}}) {
    const Resolved resolved = V2(codecs)->Resolve(SpecV2({5, 7}, "<i2"));
    EXPECT_EQ(resolved->encoded_size(), 5u * 7 * 8);
    ExpectRoundTrip(V2(codecs), SpecV2({5, 7}, "<i2"));
  }
}

TEST(CodecPipeline, TheBytesOfATransposedChunk) {
  const Resolved resolved = V3(List({R"({"name": "transpose", "configuration": {"order": [1, 0]}})", kLittle}))
                                ->Resolve(Spec({2, 3}, "uint8"));
  Bytes encoded;
  resolved->Encode(BytesOf<std::uint8_t>({1, 2, 3, 4, 5, 6}), &encoded);
  EXPECT_EQ(HexOf(encoded), "01 04 02 05 03 06");
}

// --- round trips -------------------------------------------------------------------------------------------------

TEST(CodecPipeline, RoundTrips) {
  constexpr std::string_view kTranspose = R"({"name": "transpose", "configuration": {"order": [2, 0, 1]}})";
  constexpr std::string_view kReverse = R"({"name": "transpose", "configuration": {"order": [2, 1, 0]}})";
  constexpr std::string_view kCrc = R"("crc32c")";
  const std::string lists[] = {List({kLittle}),
                               List({kBig}),
                               List({kLittle, kGzip}),
                               List({kBig, kGzip}),
                               List({kLittle, kCrc}),
                               List({kBig, kCrc}),
                               List({kTranspose, kLittle}),
                               List({kTranspose, kBig}),
                               List({kTranspose, kReverse, kBig, kGzip}),
                               List({kLittle, kGzip, kZstd}),
                               List({kBig, kZstd, kGzip, kZstd}),
                               List({kLittle, kCrc, kGzip, kCrc}),
                               List({kLittle, kCrc, kCrc, kCrc})};
  for (const std::string& codecs : lists) {
    for (const char* type : {"uint8", "int16", "float64", "complex64", "r24"}) {
      SCOPED_TRACE(codecs + " of " + type);
      ExpectRoundTrip(V3(codecs), Spec({5, 6, 7}, type));
      ExpectRoundTrip(V3(codecs), Spec({1, 1, 1}, type));
      ExpectRoundTrip(V3(codecs), Spec({4, 0, 3}, type));
    }
  }
}

/// A checksum codec returns a view of the input, which the next decoder must not overwrite.
TEST(CodecPipeline, ChecksumsBetweenCompressors) {
  constexpr std::string_view kCrc = R"("crc32c")";
  for (const std::string& codecs :
       {List({kBig, kZstd, kCrc, kGzip}), List({kLittle, kZstd, kCrc, kGzip}), List({kBig, kGzip, kZstd, kCrc, kGzip}),
        List({kLittle, kGzip, kZstd, kCrc, kGzip, kCrc, kZstd}), List({kBig, kCrc, kGzip, kCrc, kCrc, kZstd, kCrc})}) {
    SCOPED_TRACE(codecs);
    for (const std::uint64_t length : {1, 50, 3000, 100000}) ExpectRoundTrip(V3(codecs), Spec({length}, "int16"));
  }
}

TEST(CodecPipeline, RankZero) {
  ExpectRoundTrip(V3(List({kBig, kGzip})), Spec({}, "float64"));
  ExpectRoundTrip(V3(List({R"({"name": "transpose", "configuration": {"order": []}})", kLittle})), Spec({}, "int16"));
}

TEST(CodecPipeline, StructsOfV2) {
  ExpectRoundTrip(V2({V2Codec("zlib")}), SpecV2({5, 3}, R"([["a", ">i2"], ["b", "|S3"], ["c", "<f8", [2]]])"));
  ExpectRoundTrip(V2({{"transpose", Json(R"({"order": [1, 0]})")}, V2Codec("zlib")}),
                  SpecV2({5, 3}, R"([["a", ">i2"], ["b", "|S3"]])"));
}

TEST(CodecPipeline, ElementsOfNoBytes) {
  ExpectRoundTrip(V2({}), SpecV2({4}, "|S0"));
  ExpectRoundTrip(V2({V2Codec("zlib")}), SpecV2({4}, "|S0"));
}

// --- variable length ---------------------------------------------------------------------------------------------

std::vector<std::string_view> DecodedTexts(const ResolvedPipeline& pipeline, const Bytes& encoded,
                                           VariableChunk* chunk) {
  pipeline.DecodeVariable(encoded, chunk);
  std::vector<std::string_view> texts;
  Shape index(pipeline.decoded().shape.size(), 0);
  do {
    std::ptrdiff_t place = 0;
    for (std::size_t i = 0; i < index.size(); ++i)
      place += static_cast<std::ptrdiff_t>(index[i]) * pipeline.layout()[i];
    texts.push_back(chunk->elements.at(static_cast<std::size_t>(place)));
  } while (AdvanceIndex(pipeline.decoded().shape, &index));
  return texts;
}

/// Only the content tells the decoded size of strings: buffers grow until it fits.
TEST(CodecPipeline, DecodesToSizesThatAreNotKnown) {
  constexpr std::string_view kText = R"("vlen-utf8")";
  constexpr std::string_view kTranspose = R"({"name": "transpose", "configuration": {"order": [1, 0]}})";
  const std::string long_text(1000000, 'x');  // compresses to a thousandth
  const std::vector<std::string_view> texts = {"", "a", long_text, "\xC3\xA9", "tail", long_text};
  for (const std::string& codecs : {List({kText}), List({kText, kGzip}), List({kTranspose, kText, kZstd, kGzip}),
                                    List({kTranspose, kText, kGzip, R"("crc32c")", kGzip})}) {
    SCOPED_TRACE(codecs);
    const Resolved resolved = V3(codecs)->Resolve(Spec({2, 3}, "string"));
    EXPECT_EQ(resolved->encoded_size(), std::nullopt);
    Bytes encoded;
    resolved->EncodeVariable(texts, &encoded);
    VariableChunk chunk;
    EXPECT_EQ(DecodedTexts(*resolved, encoded, &chunk), texts);
  }
}

TEST(CodecPipeline, ErrorsOfStringsNameTheCodec) {
  const Resolved resolved = V3(List({R"("vlen-utf8")", kGzip}))->Resolve(Spec({2}, "string"));
  VariableChunk chunk;
  EXPECT_TRUE(ErrorOf([&] { resolved->DecodeVariable(ToBytes("garbage"), &chunk); }).message().starts_with("gzip: "));
  Bytes encoded;
  V3(List({R"("bytes")", kGzip}))->Resolve(Spec({3}, "uint8"))->Encode(Bytes(3), &encoded);
  EXPECT_TRUE(ErrorOf([&] { resolved->DecodeVariable(encoded, &chunk); }).message().starts_with("vlen-utf8: "));
}

}  // namespace
}  // namespace zarr
