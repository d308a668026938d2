// SPDX-License-Identifier: MIT
#include "zarrlib/codec/array_to_bytes/zarrs_vlen_codec.h"

#include "autotest/cpp/support/filter_test_util.h"
#include "autotest/cpp/support/limit_test_util.h"

namespace zarr {
namespace {

using namespace test;  // NOLINT

using Strings = std::vector<std::string>;

std::string Configure(std::string_view offsets, std::string_view more = "") {
  return R"({"index_codecs": [{"name": "bytes", "configuration": {"endian": "little"}}],
      "data_codecs": [{"name": "bytes"}], "index_data_type": ")" +
         std::string(offsets) + "\"" + std::string(more) + "}";
}

ArrayCodec ResolveVlen(const std::string& configuration, const Shape& shape = {2}) {
  return ResolveArrayCodec("zarrs.vlen", configuration, Spec(shape, "string"));
}

const Strings kValues = {"foo", "h\u00e9llo"};
constexpr std::string_view kElements = "666f6f68c3a96c6c6f";

std::string WithIndex(std::string_view offsets, std::string_view elements = kElements) {
  return "0c00000000000000" + std::string(offsets) + std::string(elements);
}

/// Writes and reads the same bytes, which follow the description of the codec.
void ExpectForm(const std::string& configuration, const std::string& hex) {
  SCOPED_TRACE(configuration);
  EXPECT_EQ(DecodeStrings(*ResolveVlen(configuration), FromHex(hex)), kValues);
  EXPECT_EQ(EncodeStrings(*ResolveVlen(configuration), kValues), FromHex(hex));
}

TEST(ZarrsVlenCodec, KeepsOffsetsAndElementsApart) {
  ExpectForm(Configure("uint32"), WithIndex("000000000300000009000000"));
  ExpectForm(Configure("uint32", R"(, "index_location": "start")"), WithIndex("000000000300000009000000"));
  ExpectForm(Configure("uint32", R"(, "index_location": "end")"),
             std::string(kElements) + "000000000300000009000000" + "0c00000000000000");
  ExpectForm(Configure("uint64"),
             "1800000000000000"
             "0000000000000000"
             "0300000000000000"
             "0900000000000000" +
                 std::string(kElements));
}

TEST(ZarrsVlenCodec, EncodesBothByTheirOwnCodecs) {
  const std::string packed = R"({"index_codecs": [{"name": "bytes", "configuration": {"endian": "big"}}, "crc32c"],
      "data_codecs": ["bytes", "crc32c"], "index_data_type": "uint32", "index_location": "end"})";
  const auto codec = ResolveVlen(packed);
  const Bytes encoded = EncodeStrings(*codec, kValues);
  EXPECT_EQ(encoded.size(), 9u + 4 + 12 + 4 + 8);
  EXPECT_EQ(encoded[13 + 7], std::byte{3});  // the second offset, the last byte of which is the lowest
  EXPECT_EQ(DecodeStrings(*codec, encoded), kValues);
}

TEST(ZarrsVlenCodec, LeavesOutTheElementsIfAllAreEmpty) {
  const auto codec = ResolveVlen(Configure("uint32"));
  const Bytes encoded = FromHex(WithIndex("000000000000000000000000", ""));
  EXPECT_EQ(EncodeStrings(*codec, {"", ""}), encoded);
  EXPECT_EQ(DecodeStrings(*codec, encoded), (Strings{"", ""}));
}

TEST(ZarrsVlenCodec, RefusesWhatIsBroken) {
  const auto expect = [](const std::string& hex, std::string_view part) {
    ExpectError([&] { DecodeStrings(*ResolveVlen(Configure("uint32")), FromHex(hex)); }, ErrorKind::kCorrupt, "", part);
  };
  expect("0c000000", "expected at least 8 bytes, got 4");
  expect(
      "1000000000000000"
      "000000000300000009000000",
      "an index of at most 12 bytes, got 16");
  expect(WithIndex("000000000900000003000000"), "element 1 of 2 ends before it begins");
  expect(WithIndex("00000000030000000a000000"), "expected 10 bytes, got 9");
}

TEST(ZarrsVlenCodec, RefusesTooMany) {
  const LimitSetting limit(Limit::kUnknownChunk, 8);
  ExpectError([] { DecodeStrings(*ResolveVlen(Configure("uint32")), FromHex(WithIndex("000000000300000009000000"))); },
              ErrorKind::kLimitExceeded, "", "got 9");
}

TEST(ZarrsVlenCodec, RefusesOtherConfigurations) {
  ExpectError([] { ResolveVlen(Configure("uint8")); }, ErrorKind::kCorrupt, "/index_data_type",
              "\"uint32\" or \"uint64\"");
  ExpectError([] { ResolveVlen(Configure("uint32", R"(, "index_location": "middle")")); }, ErrorKind::kCorrupt,
              "/index_location", "\"start\" or \"end\"");
  ExpectError([] { ResolveArrayCodec("zarrs.vlen", Configure("uint32"), Spec({2}, "int32")); }, ErrorKind::kUnsupported,
              "", "variable length");
}

TEST(ZarrsVlenCodec, HasAnOlderFormThatIsThatOfNumcodecs) {
  const auto codec = ResolveArrayCodec("zarrs.vlen_v2", "{}", Spec({2}, "bytes"));
  EXPECT_EQ(DecodeStrings(*codec, FromHex("0200000003000000666f6f0600000068c3a96c6c6f")), kValues);
}

}  // namespace
}  // namespace zarr
