// SPDX-License-Identifier: MIT
#include "zarrlib/codec/array_to_array/reshape_codec.h"

#include "autotest/cpp/support/filter_test_util.h"
#include "zarrlib/codec/codec_pipeline.h"
#include "zarrlib/codec/codec_registry.h"

namespace zarr {
namespace {

using namespace test;  // NOLINT

Shape EncodedShape(std::string_view shape, const Shape& decoded) {
  const std::string configuration = "{\"shape\": " + std::string(shape) + "}";
  return ResolveFilter("reshape", configuration, Spec(decoded, "int16"))->encoded().shape;
}

void ExpectWrong(std::string_view shape, const Shape& decoded, std::string_view pointer, std::string_view part) {
  SCOPED_TRACE(shape);
  ExpectError([&] { EncodedShape(shape, decoded); }, ErrorKind::kCorrupt, pointer, part);
}

TEST(ReshapeCodec, LengthsMayBeGiven) {
  EXPECT_EQ(EncodedShape("[6, 4]", {2, 3, 4}), Shape({6, 4}));
  EXPECT_EQ(EncodedShape("[1, 24, 1]", {2, 3, 4}), Shape({1, 24, 1}));
  EXPECT_EQ(EncodedShape("[]", {1, 1}), Shape());
  EXPECT_EQ(EncodedShape("[1]", {}), Shape({1}));
}

TEST(ReshapeCodec, LengthsMayBeThoseOfDimensions) {
  EXPECT_EQ(EncodedShape("[[0, 1], [2], 3]", {100, 50, 64, 3}), Shape({5000, 64, 3}));
  EXPECT_EQ(EncodedShape("[[0], [], [1, 2]]", {2, 3, 4}), Shape({2, 1, 12}));
  EXPECT_EQ(EncodedShape("[[1], 3, [3]]", {1, 2, 3, 4}), Shape({2, 3, 4}));
}

TEST(ReshapeCodec, OneLengthMayBeWhatIsLeft) {
  EXPECT_EQ(EncodedShape("[-1]", {2, 3, 4}), Shape({24}));
  EXPECT_EQ(EncodedShape("[4, -1, [2]]", {2, 6, 5}), Shape({4, 3, 5}));
  EXPECT_EQ(EncodedShape("[-1]", {}), Shape({1}));
  EXPECT_EQ(EncodedShape("[3, -1]", {0, 3}), Shape({3, 0}));
}

TEST(ReshapeCodec, RefusesAnotherNumberOfElements) {
  for (const char* shape :
       {"[6, 5]", "[]", "[5, -1]", "[48, -1]", "[[0], [1]]", "[4294967296, 4294967296, 4294967296]"}) {
    ExpectWrong(shape, {2, 3, 4}, "/shape", "a shape for the 24 elements of [2,3,4]");
  }
}

TEST(ReshapeCodec, RefusesDimensionsOutOfOrder) {
  ExpectWrong("[[1], [0], 4]", {2, 3, 4}, "/shape/1", "expected dimensions beyond 1, got [0]");
  ExpectWrong("[[1, 0], 4]", {2, 3, 4}, "/shape/0", "expected dimensions beyond 1");
  ExpectWrong("[[0], [0]]", {1}, "/shape/1", "expected dimensions beyond 0");
}

TEST(ReshapeCodec, RefusesDimensionsInAnotherPlace) {
  ExpectWrong("[12, [0]]", {2, 3, 4}, "/shape/1", "stand where this one does in [12,2]");
  ExpectWrong("[[2], 6]", {2, 3, 4}, "/shape/0", "dimensions of [2,3,4]");
  ExpectWrong("[2, [1], 2, 2]", {4, 3, 2}, "/shape/1", "dimensions of [4,3,2]");
}

TEST(ReshapeCodec, RefusesDimensionsThatThereAreNot) {
  ExpectWrong("[[0, 3]]", {2, 3, 4}, "/shape/0", "expected dimensions of 3, got [0,3]");
  ExpectWrong("[[-1]]", {2}, "/shape/0/0", "");
}

TEST(ReshapeCodec, RefusesOtherShapes) {
  ExpectWrong("[-1, -1]", {4}, "/shape/1", "there is a -1 already");
  ExpectWrong("[0]", {0}, "/shape/0", "a length, -1, or a list of dimensions");
  ExpectWrong("[-2]", {4}, "/shape/0", "a length, -1, or a list of dimensions");
  ExpectWrong("[4.0]", {4}, "/shape/0", "a length, -1, or a list of dimensions");
  ExpectWrong("4", {4}, "/shape", "a list");
  ExpectError([] { MakeCodec(NamedCodec("reshape")); }, ErrorKind::kCorrupt, "", "\"shape\"");
}

TEST(ReshapeCodec, KeepsTypeAndFillValue) {
  const auto filter = ResolveFilter("reshape", R"({"shape": [6]})", WithFill<std::int16_t>(Spec({2, 3}, "int16"), -7));
  EXPECT_EQ(filter->encoded().data_type.name, "int16");
  EXPECT_EQ(ValuesOf<std::int16_t>(filter->encoded().fill_value.bytes), std::vector<std::int16_t>({-7}));
  EXPECT_EQ(filter->permutation(), nullptr);
  EXPECT_FALSE(filter->elementwise());
}

TEST(ReshapeCodec, KeepsTheElementsInOrder) {
  const auto filter = ResolveFilter("reshape", R"({"shape": [3, -1]})", Spec({2, 3}, "int16"));
  const std::vector<std::int16_t> elements = {1, 2, 3, 4, 5, 6};
  EXPECT_EQ(EncodeTo<std::int16_t>(filter, elements), elements);
  EXPECT_EQ(DecodeTo<std::int16_t>(filter, elements), elements);
}

/// As a 3 x 2 array that is transposed, 1 2 3 4 5 6 is stored as 1 3 5 2 4 6.
TEST(ReshapeCodec, IsFollowedByATransposeOfTheNewAxes) {
  const std::vector<CodecSpec> codecs = {NamedCodec("reshape", R"({"shape": [3, 2]})"),
                                         NamedCodec("transpose", R"({"order": [1, 0]})"), NamedCodec("bytes")};
  const auto pipeline = MakePipeline(codecs, false)->Resolve(Spec({2, 3}, "uint8"));
  EXPECT_EQ(pipeline->layout(), Strides({3, 1}));
  EXPECT_EQ(DecodeChunk(*pipeline, FromHex("010305020406"), 6), FromHex("010203040506"));
  EXPECT_EQ(EncodeChunk(*pipeline, FromHex("010203040506")), FromHex("010305020406"));
}

TEST(ReshapeCodec, ShardsBehindItAreReadWhole) {
  const std::vector<CodecSpec> codecs = {
      NamedCodec("reshape", R"({"shape": [6]})"),
      NamedCodec("sharding_indexed", R"({"chunk_shape": [3], "codecs": [{"name": "bytes"}],
          "index_codecs": [{"name": "bytes", "configuration": {"endian": "little"}}]})")};
  const auto pipeline = MakePipeline(codecs, false)->Resolve(Spec({2, 3}, "uint8"));
  EXPECT_EQ(pipeline->inner_chunk_shape(), nullptr);
  const Bytes elements = FromHex("010203040506");
  EXPECT_EQ(DecodeChunk(*pipeline, EncodeChunk(*pipeline, elements), 6), elements);
}

TEST(ReshapeCodec, DoesNotTakeStrings) {
  ExpectError(
      [] {
        ResolveFilter("reshape", R"({"shape": [6]})", Spec({2, 3}, "string"));
      },
      ErrorKind::kUnsupported, "/shape", "\"string\"");
}

Shape SqueezedShape(const Shape& decoded) {
  return ResolveFilter("zarrs.squeeze", "{}", Spec(decoded, "int16"))->encoded().shape;
}

TEST(SqueezeCodec, RemovesLengthsOfOne) {
  EXPECT_EQ(SqueezedShape({1, 2, 1, 3, 1}), Shape({2, 3}));
  EXPECT_EQ(SqueezedShape({2, 3}), Shape({2, 3}));
  EXPECT_EQ(SqueezedShape({1, 1}), Shape({1}));
  EXPECT_EQ(SqueezedShape({1}), Shape({1}));
  EXPECT_EQ(SqueezedShape({}), Shape());
}

TEST(SqueezeCodec, KeepsElements) {
  const auto filter = ResolveFilter("zarrs.squeeze", "{}", Spec({1, 2, 1}, "int16"));
  const std::vector<std::int16_t> values = {5, -6};
  EXPECT_EQ(EncodeTo<std::int16_t>(filter, values), values);
  EXPECT_EQ(DecodeTo<std::int16_t>(filter, values), values);
}

TEST(SqueezeCodec, LeavesTheNextCodecFewerAxes) {
  const std::vector<CodecSpec> codecs = {NamedCodec("zarrs.squeeze", "{}"),
                                         NamedCodec("transpose", R"({"order": [1, 0]})"), NamedCodec("bytes", "{}")};
  const auto pipeline = MakePipeline(codecs, false)->Resolve(Spec({2, 1, 3}, "uint8"));
  const std::vector<std::uint8_t> values = {1, 2, 3, 4, 5, 6};
  Bytes encoded;
  pipeline->Encode(BytesOf(values), &encoded);
  EXPECT_EQ(ValuesOf<std::uint8_t>(encoded), (std::vector<std::uint8_t>{1, 4, 2, 5, 3, 6}));
}

TEST(SqueezeCodec, RefusesElementsOfVariableLength) {
  ExpectError([] { ResolveFilter("zarrs.squeeze", "{}", Spec({1}, "string")); }, ErrorKind::kUnsupported, "",
              "elements of fixed size");
}

}  // namespace
}  // namespace zarr
