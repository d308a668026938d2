// SPDX-License-Identifier: MIT
#include "zarrlib/codec/array_to_bytes/categorize_codec.h"

#include "autotest/cpp/support/filter_test_util.h"

namespace zarr {
namespace {

using namespace test;  // NOLINT

using Strings = std::vector<std::string>;

constexpr std::string_view kThreeLabels =
    R"({"id": "categorize", "labels": ["female", "male", "\u00e9\u20ac"], "dtype": "|O", "astype": "|u1"})";

ArrayCodec Categorize(const ChunkSpec& spec, std::string_view configuration = kThreeLabels) {
  return ResolveArrayCodec("numcodecs.categorize", configuration, spec);
}

TEST(CategorizeCodec, NumbersLabels) {
  const auto codec = Categorize(Spec({2, 3}, "string"));
  EXPECT_EQ(codec->encoded_size(), 6u);
  const Strings values = {"male", "\u00e9\u20ac", "", "female", "", "male"};
  EXPECT_EQ(DecodeStrings(*codec, FromHex("020300010402")), values) << "4 is no label";
  EXPECT_EQ(HexOf(EncodeStrings(*codec, values)), "02 03 00 01 00 02");
  EXPECT_EQ(HexOf(EncodeStrings(*codec, Strings(6, "Female"))), "00 00 00 00 00 00");
}

TEST(CategorizeCodec, NumbersMayHaveMoreBytes) {
  const auto little = Categorize(Spec({3}, "string"), R"({"labels": ["ab", "c"], "dtype": "|O", "astype": "<u2"})");
  EXPECT_EQ(DecodeStrings(*little, FromHex("020000000100")), (Strings{"c", "", "ab"}));
  EXPECT_EQ(HexOf(EncodeStrings(*little, {"c", "x", "ab"})), "02 00 00 00 01 00");
  const auto big = Categorize(Spec({2}, "string"), R"({"labels": ["ab"], "dtype": "|O", "astype": ">i8"})");
  EXPECT_EQ(DecodeStrings(*big, FromHex("0000000000000001ffffffffffffffff")), (Strings{"ab", ""}));
  EXPECT_EQ(HexOf(EncodeStrings(*big, {"", "ab"})), "00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 01");
}

/// numcodecs 0.11 wrote these numbers.
TEST(CategorizeCodec, TakesTextOfFixedLength) {
  const auto codec = Categorize(SpecV2({3}, "<U3"), R"({"labels": ["ab", "c"], "dtype": "<U3", "astype": "<u2"})");
  const Bytes elements = BytesOf<char32_t>({'c', 0, 0, 0, 0, 0, 'a', 'b', 0});
  EXPECT_EQ(DecodeChunk(*codec, FromHex("020000000100"), 36), elements);
  EXPECT_EQ(HexOf(EncodeChunk(*codec, elements)), "02 00 00 00 01 00");
}

/// Together, the labels as elements would take 100 GiB.
TEST(CategorizeCodec, KeepsLabelsWithoutTheirPadding) {
  std::string labels;
  for (int i = 0; i < 100000; ++i) labels += (i > 0 ? ", \"" : "\"") + std::to_string(i) + "\"";
  const auto codec =
      Categorize(SpecV2({1}, "<U262144"), R"({"dtype": "<U262144", "astype": "<u4", "labels": [)" + labels + "]}");
  Bytes element(std::size_t{1} << 20, std::byte{0});
  const Bytes text = BytesOf<char32_t>({'9', '9'});
  std::copy(text.begin(), text.end(), element.begin());
  EXPECT_EQ(DecodeChunk(*codec, FromHex("64000000"), element.size()), element);
  EXPECT_EQ(HexOf(EncodeChunk(*codec, element)), "64 00 00 00");
}

/// The default of `astype` is one byte.
TEST(CategorizeCodec, TakesTheDefaults) {
  const auto codec = Categorize(Spec({2}, "string"), R"({"labels": ["a", "b", "a"]})");
  EXPECT_EQ(DecodeStrings(*codec, FromHex("0301")), (Strings{"a", "a"}));
  EXPECT_EQ(HexOf(EncodeStrings(*codec, {"a", "b"})), "03 02") << "as numcodecs does it";
}

TEST(CategorizeCodec, RefusesAnotherSize) {
  const auto codec = Categorize(Spec({2}, "string"));
  for (const char* hex : {"", "01", "010101"}) {
    ExpectError([&] { DecodeStrings(*codec, FromHex(hex)); }, ErrorKind::kCorrupt, "", "expected 2 bytes");
  }
}

TEST(CategorizeCodec, ChecksItsConfiguration) {
  const auto expect = [](std::string_view configuration, ErrorKind kind, std::string_view pointer) {
    ExpectError([&] { Categorize(Spec({2}, "string"), configuration); }, kind, pointer, "");
  };
  expect("{}", ErrorKind::kCorrupt, "");
  expect(R"({"labels": "a"})", ErrorKind::kCorrupt, "/labels");
  expect(R"({"labels": ["a", 1]})", ErrorKind::kCorrupt, "/labels/1");
  expect(R"({"labels": ["a"], "astype": "<f4"})", ErrorKind::kUnsupported, "/astype");
  ExpectError([] { Categorize(Spec({2}, "int32")); }, ErrorKind::kUnsupported, "", "text");
}

}  // namespace
}  // namespace zarr
