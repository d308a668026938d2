// SPDX-License-Identifier: MIT
#include "zarrlib/array/write/array_replacement.h"

#include "autotest/cpp/support/array_test_util.h"

namespace zarr {
namespace {

using namespace test;

std::string Find(const std::string& known, const std::string& stored) {
  return FindReplacement(ParseArrayV3(Json(known)), ParseArrayV3(Json(stored))).value_or("");
}

TEST(FindReplacement, TellsNothingOfAnotherShape) {
  EXPECT_EQ(Find(Metadata({12, 9}, "[4, 4]", kPlain), Metadata({40, 3}, "[4, 4]", kPlain)), "");
  EXPECT_EQ(Find(Metadata({12}, "[[4, 8]]", kPlain), Metadata({20}, "[[4, 8, 8]]", kPlain)), "");
  EXPECT_EQ(Find(Metadata({20}, "[[4, [8, 2]]]", kPlain), Metadata({12}, "[[4, 8, 3]]", kPlain)), "");
  EXPECT_EQ(Find(Metadata({12}, "[4]", kPlain), Metadata({14}, "[[[4, 3], 2]]", kPlain)), "");
  EXPECT_EQ(Find(Metadata({0}, "[4]", kPlain), Metadata({8}, "[8]", kPlain)), "");
}

TEST(FindReplacement, TellsOfOtherEdges) {
  EXPECT_EQ(Find(Metadata({12}, "[4]", kPlain), Metadata({12}, "[6]", kPlain)), "expected chunks of [4], got [6]");
  EXPECT_EQ(Find(Metadata({12}, "[[4, 8]]", kPlain), Metadata({12}, "[[8, 4]]", kPlain)),
            "expected chunks of [8], got other edges");
  // The last chunk inside both is encoded in full length.
  EXPECT_NE(Find(Metadata({10}, "[4]", kPlain), Metadata({10}, "[[4, 4, 2]]", kPlain)), "");
  EXPECT_NE(Find(Metadata({4}, "[4]", kPlain), Metadata({4, 1}, "[4, 1]", kPlain)), "");
}

TEST(FindReplacement, CountsToTheLastElement) {
  constexpr std::uint64_t kHalf = std::uint64_t{1} << 63;
  const std::string known = Metadata({UINT64_MAX}, "[" + std::to_string(kHalf) + "]", kPlain);
  EXPECT_EQ(Find(known, known), "");
  EXPECT_NE(Find(known, Metadata({UINT64_MAX}, "[" + std::to_string(UINT64_MAX) + "]", kPlain)), "");
}

TEST(FindReplacement, MayLeaveOutTheFillValue) {
  const ArrayMetadata known = ParseArrayV3(Json(Metadata({4}, "[4]", kPlain, "1")));
  const ArrayMetadata stored = ParseArrayV3(Json(Metadata({4}, "[4]", kPlain, "2")));
  EXPECT_EQ(FindReplacement(known, stored), "expected the fill value 1, got 2");
  EXPECT_EQ(FindReplacement(known, stored, false), std::nullopt);
}

}  // namespace
}  // namespace zarr
