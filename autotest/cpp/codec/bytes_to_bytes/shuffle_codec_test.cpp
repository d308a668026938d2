// SPDX-License-Identifier: MIT
#include "zarrlib/codec/bytes_to_bytes/shuffle_codec.h"

#include "autotest/cpp/support/codec_test_util.h"

namespace zarr::codec_test {
namespace {

TEST(ShuffleCodec, DecodesWhatNumcodecsWrote) {  // numcodecs 0.11
  ExpectDecodes(*Make("numcodecs.shuffle", R"({"id": "shuffle", "elementsize": 4})"),
                FromHex("00040801050902060a03070b"), FromHex("000102030405060708090a0b"));
}

TEST(ShuffleCodec, TakesFourBytesByDefault) {
  for (const char* configuration : {"{}", R"({"elementsize": null})"}) {
    ExpectDecodes(*Make("shuffle", configuration), FromHex("0004010502060307"), FromHex("0001020304050607"));
  }
}

TEST(ShuffleCodec, LeavesTheRestInPlace) {
  Bytes encoded;
  Make("shuffle", R"({"elementsize": 2})")->Encode(FromHex("0001020304"), 2, &encoded);
  EXPECT_EQ(encoded, FromHex("0002010304"));
}

TEST(ShuffleCodec, RoundTripsItemsOfEverySize) {
  for (const char* size : {"1", "2", "3", "4", "8", "16", "100000"}) {
    ExpectRoundTrips(*Make("shuffle", R"({"elementsize": )" + std::string(size) + "}"));
  }
}

TEST(ShuffleCodec, KeepsTheSize) {
  const auto codec = Make("shuffle");
  EXPECT_EQ(codec->GetEncodedSize({10, true}).bytes, 10u);
  EXPECT_TRUE(codec->GetEncodedSize({10, true}).exact);
  EXPECT_FALSE(codec->GetEncodedSize({10, false}).exact);
  EXPECT_EQ(codec->GetEncodedSize({}).bytes, std::nullopt);
}

TEST(ShuffleCodec, ChecksTheItemSize) {
  ExpectWrong("numcodecs.shuffle", R"({"elementsize": 0})", "/elementsize");
  ExpectWrong("numcodecs.shuffle", R"({"elementsize": -4})", "/elementsize");
  ExpectWrong("numcodecs.shuffle", R"({"elementsize": "4"})", "/elementsize");
}

}  // namespace
}  // namespace zarr::codec_test
