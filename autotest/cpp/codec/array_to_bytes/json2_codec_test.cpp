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
            (Strings{"a", "b", "c", "d", "null", "5"}));
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
