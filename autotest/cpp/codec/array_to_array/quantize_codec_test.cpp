// SPDX-License-Identifier: MIT
#include "zarrlib/codec/array_to_array/quantize_codec.h"

#include <limits>

#include "autotest/cpp/support/filter_test_util.h"

namespace zarr {
namespace {

using namespace test;  // NOLINT

const std::vector<double> kNumbersToQuantize = {-3.08625, 203.2295625,  409.545375, 615.8611875,
                                                822.177,  1028.4928125, 1234.808625};

Filter Quantize(std::string_view configuration, std::string_view dtype) {
  return ResolveFilter("numcodecs.quantize", configuration, SpecV2({7}, dtype));
}

TEST(QuantizeCodec, RoundsAsNumcodecsDoes) {  // numcodecs 0.11
  const auto one = Quantize(R"({"digits": 1, "dtype": "<f8"})", "<f8");
  EXPECT_EQ(EncodeTo<double>(one, kNumbersToQuantize),
            (std::vector{-3.0625, 203.25, 409.5625, 615.875, 822.1875, 1028.5, 1234.8125}));
  const auto three = Quantize(R"({"digits": 3, "dtype": "<f4"})", "<f4");
  EXPECT_EQ(EncodeTo<float>(three, CastAll<float>(kNumbersToQuantize)),
            CastAll<float>({-3.0859375, 203.2294921875, 409.544921875, 615.861328125, 822.1767578125, 1028.4931640625,
                            1234.80859375}));
  const auto hundreds = Quantize(R"({"digits": -2, "dtype": "<f8"})", "<f8");
  EXPECT_EQ(EncodeTo<double>(hundreds, kNumbersToQuantize),
            (std::vector<double>{-0.0, 192, 384, 640, 832, 1024, 1216}));
}

TEST(QuantizeCodec, StoresTheOtherTypeAndOnlyCastsBack) {
  const auto filter = Quantize(R"({"digits": 2, "dtype": "<f8", "astype": "<f4"})", "<f8");
  const std::vector<float> stored = {-3.0859375f,  203.2265625f,  409.546875f, 615.859375f,
                                     822.1796875f, 1028.4921875f, 1234.8125f};
  EXPECT_EQ(EncodeTo<float>(filter, kNumbersToQuantize), stored);
  EXPECT_EQ(DecodeTo<double>(filter, stored), std::vector<double>(stored.begin(), stored.end()));
  EXPECT_EQ(DecodeTo<double>(filter, std::vector{0.1f}), (std::vector<double>{0.1f}));
  EXPECT_TRUE(filter->elementwise());
}

TEST(QuantizeCodec, LeavesWhatCannotBeScaled) {
  const std::vector<double> extremes = {std::numeric_limits<double>::max(), -std::numeric_limits<double>::infinity()};
  EXPECT_EQ(EncodeTo<double>(Quantize(R"({"digits": 300, "dtype": "<f8"})", "<f8"), extremes), extremes);
  EXPECT_EQ(EncodeTo<float>(Quantize(R"({"digits": -300, "dtype": "<f4"})", "<f4"), std::vector{1.0f}),
            (std::vector{0.0f}));
}

TEST(QuantizeCodec, TakesFloatsOnly) {
  ExpectError([] { Quantize(R"({"digits": 1})", "<i4"); }, ErrorKind::kUnsupported, "", "only floats");
  ExpectError([] { Quantize(R"({"digits": 1, "dtype": "<f8", "astype": "<i2"})", "<f8"); }, ErrorKind::kUnsupported, "",
              "only floats");
}

TEST(QuantizeCodec, ChecksTheDigits) {
  ExpectError([] { Quantize("{}", "<f8"); }, ErrorKind::kCorrupt, "", "digits");
  ExpectError([] { Quantize(R"({"digits": 1e9})", "<f8"); }, ErrorKind::kCorrupt, "/digits", "");
  ExpectError([] { Quantize(R"({"digits": 301})", "<f8"); }, ErrorKind::kCorrupt, "/digits", "300");
}

}  // namespace
}  // namespace zarr
