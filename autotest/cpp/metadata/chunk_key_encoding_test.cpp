// SPDX-License-Identifier: MIT
#include "zarrlib/metadata/chunk_key_encoding.h"

#include "autotest/cpp/support/test_util.h"

namespace zarr {
namespace {

using Keys = ChunkKeyEncoding::Kind;
using test::ExpectError;
using test::Json;

const ChunkKeyEncoding kDefaultSlash{Keys::kDefault, '/'};
const ChunkKeyEncoding kDefaultDot{Keys::kDefault, '.'};
const ChunkKeyEncoding kV2Dot{Keys::kV2, '.'};
const ChunkKeyEncoding kV2Slash{Keys::kV2, '/'};
const ChunkKeyEncoding kV1{Keys::kV1, '.'};
const ChunkKeyEncoding kV0{Keys::kV0, '.'};

ChunkKeyEncoding FromV3(std::string_view text) {
  return ChunkKeyEncoding::FromV3(Json(text));
}

TEST(ChunkKeyEncoding, ReadsNamesAndObjects) {
  EXPECT_EQ(FromV3(R"("default")"), kDefaultSlash);
  EXPECT_EQ(FromV3(R"({"name": "default"})"), kDefaultSlash);
  EXPECT_EQ(FromV3(R"({"name": "default", "configuration": {}})"), kDefaultSlash);
  EXPECT_EQ(FromV3(R"({"name": "default", "configuration": {"separator": "."}})"), kDefaultDot);
  EXPECT_EQ(FromV3(R"("v2")"), kV2Dot);
  EXPECT_EQ(FromV3(R"({"name": "v2", "configuration": {"separator": "/"}})"), kV2Slash);
}

TEST(ChunkKeyEncoding, RefusesWhatIsWrong) {
  ExpectError([] { FromV3(R"("v1")"); }, ErrorKind::kUnsupported, "", "got \"v1\"");
  ExpectError([] { FromV3(R"({"name": "fanout"})"); }, ErrorKind::kUnsupported, "/name", "got \"fanout\"");
  ExpectError([] { FromV3("{}"); }, ErrorKind::kCorrupt, "", "expected a member \"name\"");
  ExpectError([] { FromV3("7"); }, ErrorKind::kCorrupt, "", "expected an object");
  ExpectError([] { FromV3(R"({"name": 7})"); }, ErrorKind::kCorrupt, "/name", "expected a string");
  ExpectError([] { FromV3(R"({"name": "v2", "configuration": []})"); }, ErrorKind::kCorrupt, "/configuration",
              "expected an object");
  for (const char* separator : {"\"/../\"", "\"\"", "\"//\"", "\"-\"", "5", "null"}) {
    ExpectError([&] { FromV3(R"({"name": "v2", "configuration": {"separator": )" + std::string(separator) + "}}"); },
                ErrorKind::kCorrupt, "/configuration/separator", "expected");
  }
}

TEST(ChunkKeyEncoding, Formats) {
  const Shape index{1, 23, 45};
  EXPECT_EQ(kDefaultSlash.Format(index), "c/1/23/45");
  EXPECT_EQ(kDefaultDot.Format(index), "c.1.23.45");
  EXPECT_EQ(kV2Dot.Format(index), "1.23.45");
  EXPECT_EQ(kV2Slash.Format(index), "1/23/45");
  EXPECT_EQ(kV1.Format(index), "1.23.45");
  EXPECT_EQ(kV0.Format(index), "__zdata__/1.23.45.blosc");
}

TEST(ChunkKeyEncoding, FormatsRankZero) {
  EXPECT_EQ(kDefaultSlash.Format({}), "c");
  EXPECT_EQ(kDefaultDot.Format({}), "c");
  EXPECT_EQ(kV2Dot.Format({}), "0");
  EXPECT_EQ(kV2Slash.Format({}), "0");
  EXPECT_EQ(kV1.Format({}), "0");
}

TEST(ChunkKeyEncoding, FormatsTheLargestIndex) {
  EXPECT_EQ(kV2Dot.Format({UINT64_MAX, 0}), "18446744073709551615.0");
}

TEST(ChunkKeyEncoding, AppendsToAKey) {
  std::string key = "a/";
  kDefaultSlash.AppendTo({7}, &key);
  EXPECT_EQ(key, "a/c/7");
}

TEST(ChunkKeyEncoding, ParsesWhatItFormats) {
  for (const ChunkKeyEncoding& encoding : {kDefaultSlash, kDefaultDot, kV2Dot, kV2Slash, kV1, kV0}) {
    for (const Shape& index : {Shape{}, Shape{0}, Shape{10}, Shape{0, 0}, Shape{1, 23, 45}, Shape{UINT64_MAX, 7}}) {
      EXPECT_EQ(encoding.Parse(encoding.Format(index), index.size()), index) << encoding.Format(index);
      EXPECT_FALSE(encoding.Parse(encoding.Format(index), index.size() + 2)) << encoding.Format(index);
    }
  }
}

TEST(ChunkKeyEncoding, ParsesNoOtherKeys) {
  for (const char* key :
       {"", "c", "c/", "c/1/", "c//1", "c/1/2/3", "c/01/2", "c/1/-2", "c/1/+2", "c/ 1/2", "c/1/2 ", "c.1.2", "1/2",
        "c1/2", "C/1/2", "c/1/18446744073709551616", "c/1/2x", "zarr.json", "c/x/y"}) {
    EXPECT_FALSE(kDefaultSlash.Parse(key, 2)) << key;
  }
  for (const char* key : {"", "1", "1.", ".1", "1.2.3", "1.2.", "01.2", "1..2", "1/2", "1.2 ", ".zarray", "-1.2"}) {
    EXPECT_FALSE(kV2Dot.Parse(key, 2)) << key;
  }
  for (const char* key : {"1.2", "__zdata__/1.2", "1.2.blosc", "__zdata__/.blosc", "__zdata__/1.blosc", "__zdata__/"}) {
    EXPECT_FALSE(kV0.Parse(key, 2)) << key;
  }
}

TEST(ChunkKeyEncoding, ParsesRankZeroExactly) {
  EXPECT_TRUE(kDefaultSlash.Parse("c", 0));
  EXPECT_FALSE(kDefaultSlash.Parse("c/0", 0));
  EXPECT_FALSE(kDefaultSlash.Parse("0", 0));
  EXPECT_TRUE(kV2Dot.Parse("0", 0));
  EXPECT_FALSE(kV2Dot.Parse("", 0));
  EXPECT_FALSE(kV2Dot.Parse("1", 0));
}

TEST(ChunkKeyEncoding, Forms) {
  EXPECT_EQ(kV2Dot.WithForm("/"), kV2Slash);
  EXPECT_EQ(kDefaultSlash.WithForm("."), kDefaultDot);
  EXPECT_EQ(kDefaultSlash.WithForm("0/0"), kV2Slash);
  EXPECT_EQ(kV2Dot.WithForm("c.0.0"), kDefaultDot);
  const ChunkKeyEncoding upper = *kDefaultSlash.WithForm("C/0/0");
  EXPECT_EQ(upper.Format({1, 2}), "C/1/2");
  EXPECT_EQ(upper.Parse("C/1/2", 2), (Shape{1, 2}));
  EXPECT_FALSE(upper.Parse("c/1/2", 2));
  for (const char* form : {"", "-", "0", "c", "1.0"}) EXPECT_FALSE(kV2Dot.WithForm(form)) << form;
  EXPECT_FALSE(kV1.WithForm("/"));
  EXPECT_FALSE(kV0.WithForm("/"));
}

TEST(ChunkKeyEncoding, FindsTheShortestForm) {
  EXPECT_EQ(kV2Dot.FindForm(kV2Slash), "/");
  EXPECT_EQ(kDefaultSlash.FindForm(kDefaultDot), ".");
  EXPECT_EQ(kDefaultSlash.FindForm(kV2Slash), "0/0");
  EXPECT_EQ(kV2Slash.FindForm(kDefaultSlash), "c/0/0");
  EXPECT_EQ(kV2Dot.FindForm(kV1), "");
}

ChunkKeyEncoding WithSuffix(std::string_view name, std::string_view more) {
  return FromV3(R"({"name": ")" + std::string(name) + R"(", "configuration": {)" + std::string(more) + "}}");
}

TEST(ChunkKeyEncoding, AddsASuffix) {
  for (const char* name : {"zarrs.default_suffix", "default_suffix"}) {
    const ChunkKeyEncoding slashes = WithSuffix(name, R"("suffix": ".tiff")");
    EXPECT_EQ(slashes.Format({1, 23, 45}), "c/1/23/45.tiff");
    EXPECT_EQ(slashes.Format({}), "c.tiff");
    const ChunkKeyEncoding dots = WithSuffix(name, R"("separator": ".", "suffix": ".shard.zip")");
    EXPECT_EQ(dots.Format({1, 23}), "c.1.23.shard.zip");
    EXPECT_EQ(dots.Format({}), "c.shard.zip");
  }
}

TEST(ChunkKeyEncoding, ParsesKeysWithASuffix) {
  const ChunkKeyEncoding encoding = WithSuffix("zarrs.default_suffix", R"("suffix": "5")");
  EXPECT_EQ(encoding.Parse("c/1/25", 2), Shape({1, 2}));
  EXPECT_EQ(encoding.Parse("c/1/2", 2), std::nullopt);
  EXPECT_EQ(encoding.Parse("c/1/5", 2), std::nullopt);
  EXPECT_EQ(encoding.Parse("c5", 0), Shape());
  EXPECT_EQ(encoding.Parse("c", 0), std::nullopt);
  EXPECT_EQ(WithSuffix("zarrs.default_suffix", R"("suffix": "c")").Parse("c", 0), std::nullopt);
}

TEST(ChunkKeyEncoding, KeepsTheSuffixInOtherForms) {
  const ChunkKeyEncoding encoding = WithSuffix("zarrs.default_suffix", R"("suffix": ".a")");
  EXPECT_EQ(encoding.WithForm(".")->Format({1, 2}), "c.1.2.a");
  EXPECT_EQ(encoding.WithForm("C/0/0")->Format({1, 2}), "C/1/2.a");
  EXPECT_EQ(encoding.WithForm("0.0")->Format({1, 2}), "1.2");
}

TEST(ChunkKeyEncoding, RefusesOtherSuffixes) {
  for (const char* suffix : {R"("/a")", R"("\u0000")", "5", "null"}) {
    ExpectError([&] { WithSuffix("zarrs.default_suffix", "\"suffix\": " + std::string(suffix)); }, ErrorKind::kCorrupt,
                "/configuration/suffix", "expected");
  }
  ExpectError([] { WithSuffix("zarrs.default_suffix", ""); }, ErrorKind::kCorrupt, "/configuration",
              "expected a member \"suffix\"");
  ExpectError([] { FromV3(R"("zarrs.default_suffix")"); }, ErrorKind::kCorrupt, "", "expected an object");
}

}  // namespace
}  // namespace zarr
