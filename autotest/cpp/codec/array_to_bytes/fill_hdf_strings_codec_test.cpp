// SPDX-License-Identifier: MIT
#include "zarrlib/codec/array_to_bytes/fill_hdf_strings_codec.h"

#include "autotest/cpp/support/filter_test_util.h"

namespace zarr {
namespace {

using namespace test;  // NOLINT

constexpr std::string_view kName = "numcodecs.fill_hdf_strings";
constexpr std::string_view kMap =
    R"({"dtype": "|S4", "id_map": {"\u0001": "one", "\u0002\u0000x": "zwei\u00e9", "": ""}})";

ArrayCodec ResolveFill(std::string_view configuration, std::uint64_t count) {
  return ResolveArrayCodec(kName, configuration, Spec({count}, "string"));
}

TEST(FillHdfStringsCodec, LooksUpStringsByTheirNumbers) {
  EXPECT_EQ(DecodeStrings(*ResolveFill(kMap, 4), FromHex("01000000020078000000000001000000")),
            (std::vector<std::string>{"one", "zweié", "", "one"}));
}

TEST(FillHdfStringsCodec, OneStringMayStandForAll) {
  const auto codec = ResolveFill(R"({"dtype": "S2", "id_map": "same"})", 2);
  EXPECT_EQ(DecodeStrings(*codec, FromHex("01000203")), (std::vector<std::string>{"same", "same"}));
}

TEST(FillHdfStringsCodec, WithoutStringsAllAreMissing) {
  const auto codec = ResolveFill(R"({"dtype": "S2", "id_map": null})", 1);
  VariableChunk chunk;
  codec->DecodeVariable(FromHex("0102"), &chunk);
  ASSERT_EQ(chunk.elements.size(), 1u);
  EXPECT_EQ(chunk.elements[0].data(), kMissingText);
}

TEST(FillHdfStringsCodec, SaysWhatIsWrong) {
  const auto codec = ResolveFill(kMap, 2);
  EXPECT_EQ(codec->encoded_size(), 8u);
  ExpectError([&] { DecodeStrings(*codec, FromHex("0100000001000000ff")); }, ErrorKind::kCorrupt, "",
              "expected 8 bytes, got 9");
  ExpectError([&] { DecodeStrings(*codec, FromHex("0100000003000000")); }, ErrorKind::kCorrupt, "",
              "the number of a string");
  ExpectError([&] { DecodeStrings(*codec, FromHex("01000000ff00fe00")); }, ErrorKind::kCorrupt, "",
              "the number of a string");
  ExpectError([&] { EncodeStrings(*codec, {"one", "one"}); }, ErrorKind::kUnsupported, "", "for reading only");
  ExpectError([] { ResolveArrayCodec(kName, kMap, Spec({2}, "int32")); }, ErrorKind::kUnsupported, "", "strings");
}

TEST(FillHdfStringsCodec, ChecksItsConfiguration) {
  const auto make = [](std::string_view configuration) { MakeCodec(NamedCodec(kName, configuration)); };
  ExpectError([&] { make("{}"); }, ErrorKind::kCorrupt, "", "dtype");
  ExpectError([&] { make(R"({"dtype": "<i4"})"); }, ErrorKind::kUnsupported, "/dtype", "bytes");
  ExpectError([&] { make(R"({"dtype": "S0"})"); }, ErrorKind::kUnsupported, "/dtype", "bytes");
  ExpectError([&] { make(R"({"dtype": "[('a', 'S16'), ('b', '<i4')]"})"); }, ErrorKind::kUnsupported, "/dtype", "");
  ExpectError([&] { make(R"({"dtype": [["a", "S16"]]})"); }, ErrorKind::kUnsupported, "/dtype", "");
  ExpectError([&] { make(R"({"dtype": "S2", "id_map": 1})"); }, ErrorKind::kCorrupt, "/id_map", "");
  ExpectError([&] { make(R"({"dtype": "S2", "id_map": {"a": 1}})"); }, ErrorKind::kCorrupt, "/id_map/a", "");
}

}  // namespace
}  // namespace zarr
