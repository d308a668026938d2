// SPDX-License-Identifier: MIT
#include "zarrlib/codec/array_to_bytes/vlen_codec.h"

#include "autotest/cpp/support/filter_test_util.h"

namespace zarr {
namespace {

using namespace test;  // NOLINT

using Strings = std::vector<std::string>;

ArrayCodec Utf8(const Shape& shape) {
  return ResolveArrayCodec("vlen-utf8", "{}", Spec(shape, "string"));
}

// A chunk of a 1 x 2 chunk grid by zarr-python 3.4.1.
constexpr std::string_view kZarrPython = "0200000003000000666f6f0600000068c3a96c6c6f";

TEST(VlenCodec, DecodesWhatZarrPythonWrote) {
  EXPECT_EQ(DecodeStrings(*Utf8({1, 2}), FromHex(kZarrPython)), (Strings{"foo", "h\u00e9llo"}));
  const auto v2 = SpecV2({2}, "|O");
  ChunkSpec spec = v2;
  spec.data_type.kind = DataType::Kind::kString;
  EXPECT_EQ(
      DecodeStrings(*ResolveArrayCodec("numcodecs.vlen-utf8", R"({"id": "vlen-utf8"})", spec), FromHex(kZarrPython)),
      (Strings{"foo", "h\u00e9llo"}));
}

TEST(VlenCodec, EncodesTheSame) {
  EXPECT_EQ(EncodeStrings(*Utf8({1, 2}), {"foo", "h\u00e9llo"}), FromHex(kZarrPython));
}

TEST(VlenCodec, KeepsAllBytes) {
  const auto codec = ResolveArrayCodec("vlen-bytes", "{}", Spec({2}, "bytes"));
  const Strings values = {std::string("\0\xFF\0", 3), ""};
  EXPECT_EQ(HexOf(EncodeStrings(*codec, values)), "02 00 00 00 03 00 00 00 00 ff 00 00 00 00 00");
  EXPECT_EQ(DecodeStrings(*codec, EncodeStrings(*codec, values)), values);
}

TEST(VlenCodec, ViewsPointIntoTheArena) {
  VariableChunk chunk;
  Utf8({2})->DecodeVariable(FromHex(kZarrPython), &chunk);
  const std::string_view arena = AsText(chunk.arena);
  for (const std::string_view element : chunk.elements) {
    EXPECT_GE(element.data(), arena.data());
    EXPECT_LE(element.data() + element.size(), arena.data() + arena.size());
  }
}

TEST(VlenCodec, TakesTheOneElementOfAnArrayWithoutDimensions) {
  EXPECT_EQ(DecodeStrings(*Utf8({}), FromHex("010000000100000061")), (Strings{"a"}));
}

TEST(VlenCodec, RefusesAnotherCount) {
  ExpectError([] { DecodeStrings(*Utf8({3}), FromHex(kZarrPython)); }, ErrorKind::kCorrupt, "",
              "expected 3 elements, got 2");
  ExpectError([] { DecodeStrings(*Utf8({2}), FromHex("ffffffff00000000")); }, ErrorKind::kCorrupt, "",
              "got 4294967295");
}

TEST(VlenCodec, RefusesEveryTruncation) {
  const Bytes encoded = FromHex(kZarrPython);
  for (std::size_t length = 0; length < encoded.size(); ++length) {
    const Error error = ErrorOf([&] { DecodeStrings(*Utf8({2}), ByteSpan(encoded).first(length)); });
    EXPECT_EQ(error.kind(), ErrorKind::kCorrupt) << length;
  }
}

TEST(VlenCodec, TakesNoMemoryForElementsThatCannotBeThere) {
  const auto codec = Utf8({std::uint64_t{0xFFFFFFFF}});
  ExpectError([&] { DecodeStrings(*codec, FromHex("ffffffff00000000")); }, ErrorKind::kCorrupt, "", "the lengths of");
}

TEST(VlenCodec, RefusesLengthsBeyondTheEnd) {
  for (const char* hex : {"02000000ffffffff666f6f00000000", "020000000300000066"}) {
    ExpectError([&] { DecodeStrings(*Utf8({2}), FromHex(hex)); }, ErrorKind::kCorrupt, "", "");
  }
}

TEST(VlenCodec, RefusesBytesBehindTheLastElement) {
  ExpectError([] { DecodeStrings(*Utf8({1}), FromHex("0100000001000000616263")); }, ErrorKind::kCorrupt, "",
              "2 bytes follow");
}

TEST(VlenCodec, RefusesElementsOfFixedSize) {
  ExpectError([] { ResolveArrayCodec("vlen-utf8", "{}", Spec({2}, "int32")); }, ErrorKind::kUnsupported, "",
              "variable length");
  Bytes out(8);
  EXPECT_EQ(ErrorOf([&] { Utf8({2})->Decode(FromHex(kZarrPython), out); }).kind(), ErrorKind::kUnsupported);
}

}  // namespace
}  // namespace zarr
