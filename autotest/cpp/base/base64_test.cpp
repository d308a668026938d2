// SPDX-License-Identifier: MIT
#include "zarrlib/base/base64.h"

#include <random>

#include "autotest/cpp/support/test_util.h"

namespace zarr {
namespace {

struct Pair {
  const char* plain;
  const char* encoded;
};
/// RFC 4648, section 10.
constexpr Pair kVectors[] = {{"", ""},
                             {"f", "Zg=="},
                             {"fo", "Zm8="},
                             {"foo", "Zm9v"},
                             {"foob", "Zm9vYg=="},
                             {"fooba", "Zm9vYmE="},
                             {"foobar", "Zm9vYmFy"}};

TEST(Base64, EncodesTheVectorsOfTheStandard) {
  for (const Pair& pair : kVectors) EXPECT_EQ(EncodeBase64(AsBytes(pair.plain)), pair.encoded);
}

TEST(Base64, DecodesTheVectorsOfTheStandard) {
  for (const Pair& pair : kVectors) EXPECT_EQ(DecodeBase64(pair.encoded), ToBytes(pair.plain));
}

TEST(Base64, DecodesWithoutPadding) {
  EXPECT_EQ(DecodeBase64("Zg"), ToBytes("f"));
  EXPECT_EQ(DecodeBase64("Zm8"), ToBytes("fo"));
}

TEST(Base64, KnowsTheWholeAlphabet) {
  const std::string text = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  const auto bytes = DecodeBase64(text);
  ASSERT_TRUE(bytes);
  EXPECT_EQ(bytes->size(), 48u);
  EXPECT_EQ(EncodeBase64(*bytes), text);
}

TEST(Base64, RefusesOtherCharacters) {
  using namespace std::string_view_literals;
  for (const std::string_view text : {"!!!!"sv, "Zm9v\n"sv, "Zg==Zg=="sv, "Zm-_"sv,
                                      "Z\0=="
                                      ""sv,
                                      " Zg="sv, "Zm\xC3\xA9"sv}) {
    EXPECT_FALSE(DecodeBase64(text)) << text;
  }
}

TEST(Base64, RefusesALengthThatCannotBe) {
  EXPECT_FALSE(DecodeBase64("Z"));
  EXPECT_FALSE(DecodeBase64("Zm9vY==="));
}

TEST(Base64, DecodesWhatItEncoded) {
  std::mt19937 random(1);
  for (std::size_t size = 0; size < 100; ++size) {
    Bytes bytes(size);
    for (std::byte& b : bytes) b = static_cast<std::byte>(random());
    const std::string text = EncodeBase64(bytes);
    EXPECT_EQ(text.size(), (size + 2) / 3 * 4);
    EXPECT_EQ(DecodeBase64(text), bytes);
  }
}

}  // namespace
}  // namespace zarr
