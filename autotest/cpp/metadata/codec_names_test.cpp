// SPDX-License-Identifier: MIT
#include "zarrlib/metadata/codec_names.h"

#include "autotest/cpp/support/test_util.h"
#include "zarrlib/metadata/array_metadata.h"

namespace zarr {
namespace {

using test::ExpectError;
using test::Json;

std::vector<CodecSpec> V2Codecs(std::string_view text) {
  std::vector<CodecSpec> codecs;
  for (const JsonNode& item : Json(text).GetItems()) codecs.push_back({"numcodecs." + item.At("id").AsString(), item});
  return codecs;
}

/// Converts v2's filters and compressor, for a data type of v2, to the codecs of v3.
std::string ForV3(std::string_view v2_codecs, std::string_view dtype = R"("<i4")") {
  const DataType type = DataType::FromV2(Json(dtype));
  return MakeCodecListJson(ConvertCodecsToV3(V2Codecs(v2_codecs), type)).Dump();
}

constexpr std::string_view kBytes = R"({"name":"bytes","configuration":{"endian":"little"}})";

std::string Behind(std::string_view codec) {
  return "[" + std::string(kBytes) + "," + std::string(codec) + "]";
}

struct NameCase {
  const char* v2;
  const char* v3;
};
class BytesCodecNames : public testing::TestWithParam<NameCase> {};

TEST_P(BytesCodecNames, InV3) {
  EXPECT_EQ(ForV3(std::string("[") + GetParam().v2 + "]"), Behind(GetParam().v3));
}

INSTANTIATE_TEST_SUITE_P(
    All, BytesCodecNames,
    testing::Values(
        NameCase{R"({"id": "zlib", "level": 3})", R"({"name":"numcodecs.zlib","configuration":{"level":3}})"},
        NameCase{R"({"id": "gzip"})", R"({"name":"gzip","configuration":{"level":1}})"},
        NameCase{R"({"id": "gzip", "level": -1})", R"({"name":"gzip","configuration":{"level":6}})"},
        NameCase{R"({"id": "zlib", "level": -1})", R"({"name":"numcodecs.zlib","configuration":{"level":-1}})"},
        NameCase{R"({"id": "zstd", "level": 7})", R"({"name":"zstd","configuration":{"level":7,"checksum":false}})"},
        NameCase{R"({"id": "zstd", "level": 7, "checksum": true})",
                 R"({"name":"zstd","configuration":{"level":7,"checksum":true}})"},
        NameCase{R"({"id": "bz2", "level": 9})", R"({"name":"numcodecs.bz2","configuration":{"level":9}})"},
        NameCase{R"({"id": "lz4", "acceleration": 1})",
                 R"({"name":"numcodecs.lz4","configuration":{"acceleration":1}})"},
        NameCase{R"({"id": "crc32c"})", R"({"name":"crc32c"})"},
        NameCase{R"({"id": "crc32c", "location": "start"})",
                 R"({"name":"numcodecs.crc32c","configuration":{"location":"start"}})"},
        NameCase{R"({"id": "crc32"})", R"({"name":"numcodecs.crc32"})"},
        NameCase{R"({"id": "fletcher32"})", R"({"name":"numcodecs.fletcher32"})"},
        NameCase{R"({"id": "shuffle", "elementsize": 4})",
                 R"({"name":"numcodecs.shuffle","configuration":{"elementsize":4}})"},
        NameCase{
            R"({"id": "blosc", "cname": "zstd", "clevel": 3, "shuffle": 2, "blocksize": 0})",
            R"({"name":"blosc","configuration":{"typesize":4,"cname":"zstd","clevel":3,"shuffle":"bitshuffle","blocksize":0}})"},
        NameCase{
            R"({"id": "blosc", "shuffle": -1})",
            R"({"name":"blosc","configuration":{"typesize":4,"cname":"lz4","clevel":5,"shuffle":"shuffle","blocksize":0}})"}));

TEST(CodecNames, ByteOrderIsThatOfTheType) {
  EXPECT_EQ(ForV3("[]", R"(">f8")"), R"([{"name":"bytes","configuration":{"endian":"big"}}])");
  EXPECT_EQ(ForV3("[]", R"("|u1")"), R"([{"name":"bytes"}])");
}

TEST(CodecNames, FiltersStandBeforeTheBytes) {
  EXPECT_EQ(ForV3(R"([{"id": "delta", "dtype": "<i4", "astype": "<i2"}, {"id": "zlib", "level": 1}])"),
            R"([{"name":"numcodecs.delta","configuration":{"dtype":"<i4","astype":"<i2"}},)" + std::string(kBytes) +
                R"(,{"name":"numcodecs.zlib","configuration":{"level":1}}])");
}

TEST(CodecNames, BloscCountsTheBytesOfWhatItIsGiven) {
  const std::string codecs =
      ForV3(R"([{"id": "delta", "dtype": "<i4", "astype": "|i1"}, {"id": "blosc", "shuffle": -1}])");
  EXPECT_NE(codecs.find(R"("typesize":1)"), std::string::npos) << codecs;
  EXPECT_NE(codecs.find("bitshuffle"), std::string::npos) << codecs;
  EXPECT_NE(codecs.find(R"({"name":"bytes"})"), std::string::npos) << codecs;
}

TEST(CodecNames, WhatHasNoEqualIsRefused) {
  for (const char* id : {"json2", "pickle", "msgpack2", "categorize", "vlen-array", "imagecodecs_jpeg2k"}) {
    const std::string text = std::string(R"([{"id": ")") + id + R"("}])";
    EXPECT_EQ(test::ErrorOf([&] { ForV3(text); }).kind(), ErrorKind::kUnsupported) << id;
  }
  // A filter of bytes before one of elements.
  ExpectError([] { ForV3(R"([{"id": "zlib"}, {"id": "delta", "dtype": "<i4"}])"); }, ErrorKind::kUnsupported, "/1",
              "behind a codec of bytes");
}

TEST(CodecNames, ShardsHaveCompleteCodecs) {
  const CodecSpec blosc{"numcodecs.blosc", Json(R"({"id": "blosc", "cname": "lz4", "clevel": 5, "shuffle": 1})")};
  const auto codecs = ConvertCodecsToV3({MakeShardingSpec({4, 5}, {blosc})}, DataType::FromV2(Json(R"(">i2")")));
  ASSERT_EQ(codecs.size(), 1u);
  EXPECT_EQ(MakeCodecListJson(codecs).Dump(),
            R"([{"name":"sharding_indexed","configuration":{"chunk_shape":[4,5],"codecs":)"
            R"([{"name":"bytes","configuration":{"endian":"big"}},{"name":"blosc","configuration":)"
            R"({"typesize":2,"cname":"lz4","clevel":5,"shuffle":"shuffle","blocksize":0}}],)"
            R"("index_codecs":[{"name":"bytes","configuration":{"endian":"little"}},{"name":"crc32c"}],)"
            R"("index_location":"end"}}])");
}

TEST(CodecNames, OfV3InV2) {
  EXPECT_EQ(ConvertCodecToV2({"zstd", Json(R"({"level": 3, "checksum": false})")}).Dump(JsonNode::Style::kV2),
            Json(R"({"id": "zstd", "level": 3, "checksum": false})").Dump(JsonNode::Style::kV2));
  EXPECT_EQ(
      ConvertCodecToV2({"blosc", Json(R"({"cname": "lz4", "clevel": 5, "shuffle": "noshuffle", "typesize": 4})")})
          .Dump(JsonNode::Style::kV2),
      Json(R"({"id": "blosc", "cname": "lz4", "clevel": 5, "shuffle": 0, "blocksize": 0})").Dump(JsonNode::Style::kV2));
  ExpectError([] { ConvertCodecToV2({"sharding_indexed", Json("{}")}); }, ErrorKind::kUnsupported, "", "no codec");
}

/// Expects that all names denote the codec whose name in v3 is `name`.
void ExpectNames(std::string_view name, std::initializer_list<std::string_view> names) {
  for (const std::string_view one : names) {
    const CodecName* const found = FindCodecName(one);
    ASSERT_NE(found, nullptr) << one;
    EXPECT_EQ(found->name, name) << one;
  }
}

TEST(CodecNames, IncludeThoseOfZarrs) {
  const auto at = [](const char* codec) { return "https://codec.zarrs.dev/array_to_bytes/" + std::string(codec); };
  ExpectNames("zarrs.optional", {"optional", "zarrs.optional", at("optional")});
  ExpectNames("zarrs.vlen", {"vlen", "zarrs.vlen", at("vlen")});
  ExpectNames("zarrs.vlen_v2", {"vlen_v2", "zarrs.vlen_v2", at("vlen_v2")});
  ExpectNames("zarrs.squeeze", {"squeeze", "zarrs.squeeze", "https://codec.zarrs.dev/array_to_array/squeeze"});
  ExpectNames("reshape", {"reshape", "zarrs.reshape"});
  ExpectNames("zfp", {"zfp", "zarrs.zfp", at("zfp")});
  ExpectNames("numcodecs.zfpy", {"numcodecs.zfpy", at("zfpy")});
  ExpectNames("numcodecs.pcodec", {"numcodecs.pcodec", "pcodec", at("pcodec")});
  // Of both kinds: zarrs reads the second address.
  ExpectNames("numcodecs.bitround", {"bitround", "https://codec.zarrs.dev/array_to_array/bitround", at("bitround")});
  ExpectNames("numcodecs.fletcher32", {"https://codec.zarrs.dev/bytes_to_bytes/fletcher32"});
  ExpectNames("vlen-utf8", {at("vlen_utf8"), at("vlen-utf8")});
  ExpectNames("vlen-bytes", {at("vlen_bytes")});
}

TEST(CodecNames, AreNotTakenFromElsewhere) {
  for (const char* name : {"zarrs.", "zarrs.gdeflate", "https://codec.zarrs.dev/", "https://codec.zarrs.dev/vlen/",
                           "https://example.org/array_to_bytes/vlen", "numcodecs.vlen"}) {
    EXPECT_EQ(FindCodecName(name), nullptr) << name;
  }
}

}  // namespace
}  // namespace zarr
