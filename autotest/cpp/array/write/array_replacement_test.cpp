// SPDX-License-Identifier: MIT
#include "zarrlib/array/write/array_replacement.h"

#include "autotest/cpp/support/array_test_util.h"

namespace zarr {
namespace {

using namespace test;

std::string Find(const std::string& known, const std::string& stored) {
  return FindReplacement(ParseArrayV3(Json(known)), ParseArrayV3(Json(stored))).value_or("");
}

TEST(FindReplacement, TellsNothingOfAnotherShape) {
  EXPECT_EQ(Find(Metadata({12, 9}, "[4, 4]", kPlain), Metadata({40, 3}, "[4, 4]", kPlain)), "");
  EXPECT_EQ(Find(Metadata({12}, "[[4, 8]]", kPlain), Metadata({20}, "[[4, 8, 8]]", kPlain)), "");
  EXPECT_EQ(Find(Metadata({20}, "[[4, [8, 2]]]", kPlain), Metadata({12}, "[[4, 8, 3]]", kPlain)), "");
  EXPECT_EQ(Find(Metadata({12}, "[4]", kPlain), Metadata({14}, "[[[4, 3], 2]]", kPlain)), "");
  EXPECT_EQ(Find(Metadata({0}, "[4]", kPlain), Metadata({8}, "[8]", kPlain)), "");
}

TEST(FindReplacement, TellsOfOtherEdges) {
  EXPECT_EQ(Find(Metadata({12}, "[4]", kPlain), Metadata({12}, "[6]", kPlain)), "expected chunks of [4], got [6]");
  EXPECT_EQ(Find(Metadata({12}, "[[4, 8]]", kPlain), Metadata({12}, "[[8, 4]]", kPlain)),
            "expected chunks of [8], got other edges");
  // The last chunk inside both is encoded in full length.
  EXPECT_NE(Find(Metadata({10}, "[4]", kPlain), Metadata({10}, "[[4, 4, 2]]", kPlain)), "");
  EXPECT_NE(Find(Metadata({4}, "[4]", kPlain), Metadata({4, 1}, "[4, 1]", kPlain)), "");
}

TEST(FindReplacement, CountsToTheLastElement) {
  constexpr std::uint64_t kHalf = std::uint64_t{1} << 63;
  const std::string known = Metadata({UINT64_MAX}, "[" + std::to_string(kHalf) + "]", kPlain);
  EXPECT_EQ(Find(known, known), "");
  EXPECT_NE(Find(known, Metadata({UINT64_MAX}, "[" + std::to_string(UINT64_MAX) + "]", kPlain)), "");
}

/// Two lists of codecs of arrays of int8.
std::string FindInCodecs(const std::string& known, const std::string& stored) {
  const auto make = [](const std::string& codecs) {
    std::string document = Metadata({4, 4}, "[4, 4]", codecs);
    const std::string type = "\"int32\"";
    return document.replace(document.find(type), type.size(), "\"int8\"");
  };
  return Find(make(known), make(stored));
}

TEST(FindReplacement, TakesCodecsAsTheyDecode) {
  const std::string little = R"({"name": "bytes", "configuration": {"endian": "little"}})";
  const std::string blosc = R"({"name": "blosc", "configuration": {"cname": "lz4", "clevel": 5, "shuffle": "shuffle",)"
                            R"( "typesize": 1, "blocksize": 0}})";
  const std::string sorted = R"({"name": "blosc", "configuration": {"blocksize": 0, "clevel": 1, "cname": "zstd",)"
                             R"( "shuffle": "noshuffle"}})";
  EXPECT_EQ(FindInCodecs("[" + little + "," + blosc + "]", "[" + little + "," + sorted + "]"), "");
  EXPECT_EQ(FindInCodecs("[" + little + "]", R"(["bytes"])"), "");
  EXPECT_NE(FindInCodecs("[" + little + "]", R"([{"name": "bytes", "configuration": {"endian": "big"}}])"), "");
  const auto shard = [&](const std::string& inner, const std::string& more) {
    return R"([{"name": "sharding_indexed", "configuration": {)" + more + R"("chunk_shape": [2, 2], "codecs": [)" +
           inner + R"(], "index_codecs": [)" + little + "]}}]";
  };
  EXPECT_EQ(FindInCodecs(shard(little, ""), shard("\"bytes\"", R"("index_location": "end",)")), "");
  EXPECT_NE(FindInCodecs(shard(little, ""), shard(little, R"("index_location": "start",)")), "");
  EXPECT_NE(FindInCodecs(shard(little, ""), shard(little + R"(,{"name": "crc32c"})", "")), "");
  EXPECT_NE(FindInCodecs("[" + little + "," + blosc + "]", "[" + little + "]"), "");
  const std::string transposed = R"([{"name": "transpose", "configuration": {"order": [1, 0]}}, "bytes"])";
  const std::string kept = R"([{"name": "transpose", "configuration": {"order": [0, 1]}}, "bytes"])";
  EXPECT_NE(FindInCodecs(transposed, kept), "");
}

TEST(FindReplacement, MayLeaveOutTheFillValue) {
  const ArrayMetadata known = ParseArrayV3(Json(Metadata({4}, "[4]", kPlain, "1")));
  const ArrayMetadata stored = ParseArrayV3(Json(Metadata({4}, "[4]", kPlain, "2")));
  EXPECT_EQ(FindReplacement(known, stored), "expected the fill value 1, got 2");
  EXPECT_EQ(FindReplacement(known, stored, false), std::nullopt);
}

}  // namespace
}  // namespace zarr
