// SPDX-License-Identifier: MIT
#include "zarrlib/codec/array_to_bytes/vlen_array_codec.h"

#include "autotest/cpp/support/filter_test_util.h"

namespace zarr {
namespace {

using namespace test;  // NOLINT

using Strings = std::vector<std::string>;

Strings DecodeHex(const Shape& shape, const std::string& dtype, std::string_view hex) {
  const auto codec = ResolveArrayCodec("numcodecs.vlen-array", R"({"id": "vlen-array", "dtype": ")" + dtype + R"("})",
                                       Spec(shape, "string"));
  return DecodeStrings(*codec, FromHex(hex));
}

// The first two were written by numcodecs 0.11.

TEST(VlenArrayCodec, GivesListsAsJson) {
  EXPECT_EQ(DecodeHex({3}, "<i2", "03000000040000000100fdff00000000020000000700"), (Strings{"[1,-3]", "[]", "[7]"}));
  EXPECT_EQ(DecodeHex({3}, "<f4", "030000000c0000000000c03f0000c07fcdccccbd00000000040000000000e040"),
            (Strings{"[1.5,NaN,-0.1]", "[]", "[7]"}));
}

TEST(VlenArrayCodec, KnowsOtherNumbers) {
  EXPECT_EQ(DecodeHex({1}, ">u2", "01000000020000000102"), (Strings{"[258]"}));
  EXPECT_EQ(DecodeHex({1}, "|b1", "01000000020000000100"), (Strings{"[true,false]"}));
  EXPECT_EQ(DecodeHex({1}, "|i1", "010000000200000080ff"), (Strings{"[-128,-1]"}));
  EXPECT_EQ(DecodeHex({1}, "<f2", "0100000004000000003c007c"), (Strings{"[1,Infinity]"}));
  EXPECT_EQ(DecodeHex({1}, "<f8", "01000000080000009a9999999999b93f"), (Strings{"[0.1]"}));
  EXPECT_EQ(DecodeHex({1}, "<u8", "0100000008000000ffffffffffffffff"), (Strings{"[18446744073709551615]"}));
}

TEST(VlenArrayCodec, RefusesWhatIsNoList) {
  for (const char* hex :
       {"", "010000000300000001000", "0100000003000000010002", "0200000000000000", "01000000ffffffff"}) {
    EXPECT_EQ(ErrorOf([&] { DecodeHex({1}, "<i2", hex); }).kind(), ErrorKind::kCorrupt) << hex;
  }
}

TEST(VlenArrayCodec, ChecksItsConfiguration) {
  const auto resolve = [](std::string_view configuration) {
    return ResolveArrayCodec("numcodecs.vlen-array", configuration, Spec({1}, "string"));
  };
  ExpectError([&] { resolve("{}"); }, ErrorKind::kCorrupt, "", "dtype");
  ExpectError([&] { resolve(R"({"dtype": "<M8[s]"})"); }, ErrorKind::kUnsupported, "/dtype", "");
  ExpectError([] { ResolveArrayCodec("numcodecs.vlen-array", R"({"dtype": "<i2"})", Spec({1}, "int16")); },
              ErrorKind::kUnsupported, "", "variable length");
}

TEST(VlenArrayCodec, IsForReadingOnly) {
  const auto codec = ResolveArrayCodec("numcodecs.vlen-array", R"({"dtype": "<i2"})", Spec({1}, "string"));
  ExpectError([&] { EncodeStrings(*codec, {"[1]"}); }, ErrorKind::kUnsupported, "", "cannot be encoded");
}

}  // namespace
}  // namespace zarr
