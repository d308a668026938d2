// SPDX-License-Identifier: MIT
#include "zarrlib/codec/array_to_bytes/json2_codec.h"

#include "autotest/cpp/support/filter_test_util.h"

namespace zarr {
namespace {

using namespace test;  // NOLINT

using Strings = std::vector<std::string>;

ArrayCodec Json2(const Shape& shape) {
  return ResolveArrayCodec("numcodecs.json2", R"({"id": "json2", "encoding": "utf-8", "indent": null, "strict": true})",
                           Spec(shape, "string"));
}

TEST(Json2Codec, DecodesWhatZarrPythonWrote) {  // zarr-python 2.13.6 with numcodecs 0.11
  EXPECT_EQ(DecodeStrings(*Json2({3}), ToBytes(R"(["foo","h\u00e9llo","","|O",[3]])")),
            (Strings{"foo", "h\u00e9llo", ""}));
  EXPECT_EQ(DecodeStrings(*Json2({2, 3}), ToBytes(R"([["a","b","c"],["d",null,5],"|O",[2,3]])")),
            (Strings{"a", "b", "c", "d", "", "5"}));
}

TEST(Json2Codec, GivesOtherValuesAsJson) {
  EXPECT_EQ(DecodeStrings(*Json2({4}), ToBytes(R"([{"a": [1, "\u00e9"]}, 0.5, true, NaN, "|O", [4]])")),
            (Strings{R"({"a":[1,"\u00e9"]})", "0.5", "true", "NaN"}));
  // Lists inside elements belong to the elements.
  EXPECT_EQ(DecodeStrings(*Json2({2}), ToBytes(R"([[1,2],[],"|O",[2]])")), (Strings{"[1,2]", "[]"}));
}

TEST(Json2Codec, TakesValuesOfOrderFAsZarrPythonDoes) {
  // For a chunk of 3 x 2 elements, which a transpose has made of 2 x 3.
  EXPECT_EQ(DecodeStrings(*Json2({3, 2}), ToBytes(R"([["a","b","c"],["d","e","f"],"|O",[2,3]])")),
            (Strings{"a", "b", "c", "d", "e", "f"}));
}

TEST(Json2Codec, RoundTrips) {
  const Strings values = {"a", "\"", "", "h\u00e9", "|O", "[2]"};
  EXPECT_EQ(AsText(EncodeStrings(*Json2({2, 3}), values)), R"([["a","\"",""],["h\u00e9","|O","[2]"],"|O",[2,3]])");
  for (const Shape& shape : {Shape{6}, Shape{2, 3}, Shape{1, 6, 1}}) {
    EXPECT_EQ(DecodeStrings(*Json2(shape), EncodeStrings(*Json2(shape), values)), values) << ToString(shape);
  }
}

TEST(Json2Codec, KeepsOtherValuesInAnUpdate) {
  constexpr std::string_view kText = R"([null,5,1.5,{"a":[true,null]},NaN,"null","|O",[6]])";
  const auto codec = Json2({6});
  VariableChunk chunk;
  chunk.for_update = true;
  codec->DecodeVariable(AsBytes(kText), &chunk);
  chunk.elements[1] = "5";
  Bytes encoded;
  codec->EncodeVariable(chunk.elements, &encoded);
  EXPECT_EQ(AsText(encoded), R"([null,"5",1.5,{"a":[true,null]},NaN,"null","|O",[6]])");
}

TEST(Json2Codec, RefusesToRoundNumbersInAnUpdate) {
  VariableChunk chunk;
  chunk.for_update = true;
  const auto decode = [&](const std::string& element) {
    Json2({1})->DecodeVariable(AsBytes("[" + element + R"(,"|O",[1]])"), &chunk);
  };
  for (const char* kept : {"1234567890123456789", R"("12345678901234567890123")", R"(["\"", 3])", "-0.25"})
    decode(kept);
  for (const char* rounded : {"123456789012345678901", "[0.1234567890123456789012]"})
    ExpectError([&] { decode(rounded); }, ErrorKind::kUnsupported, "", "20 or more digits");
}

TEST(Json2Codec, HasNull) {
  const auto codec = Json2({2});
  VariableChunk chunk;
  codec->DecodeVariable(AsBytes(R"([null,"","|O",[2]])"), &chunk);
  EXPECT_EQ(chunk.elements[0].data(), kMissingText);
  EXPECT_NE(chunk.elements[1].data(), kMissingText);
  Bytes encoded;
  codec->EncodeVariable(chunk.elements, &encoded);
  EXPECT_EQ(AsText(encoded), R"([null,"","|O",[2]])");
}

TEST(Json2Codec, TakesTheOneElementOfAnArrayWithoutDimensions) {
  EXPECT_EQ(AsText(EncodeStrings(*Json2({}), {"x"})), R"(["x","|O",[]])");
  EXPECT_EQ(DecodeStrings(*Json2({}), ToBytes(R"(["x","|O",[]])")), (Strings{"x"}));
}

TEST(Json2Codec, RefusesAnotherNumberOfElements) {
  for (const char* text : {R"(["a","|O",[1]])", R"(["a","b","c","|O",[3]])", R"([["a"],["b","c"],"|O",[2,1]])"}) {
    ExpectError([&] { DecodeStrings(*Json2({2}), ToBytes(text)); }, ErrorKind::kCorrupt, "", "expected 2 elements");
  }
}

TEST(Json2Codec, RefusesWhatIsNoChunk) {
  for (const char* text : {"", "[", "{}", "[]", R"(["|O"])", R"(["a","b","|O",2])", R"(["a","b","|O",[1,2,3]])", "7"}) {
    const Error error = ErrorOf([&] { DecodeStrings(*Json2({2}), ToBytes(text)); });
    EXPECT_EQ(error.kind(), ErrorKind::kCorrupt) << text;
    EXPECT_EQ(error.pointer(), "") << "that would be taken for one of the metadata";
  }
}

TEST(Json2Codec, KnowsUtf8Only) {
  ExpectError([] { ResolveArrayCodec("json2", R"({"encoding": "utf-16"})", Spec({1}, "string")); },
              ErrorKind::kUnsupported, "/encoding", "utf-8");
  ExpectError([] { ResolveArrayCodec("json2", "{}", Spec({1}, "int32")); }, ErrorKind::kUnsupported, "",
              "variable length");
}

}  // namespace
}  // namespace zarr
