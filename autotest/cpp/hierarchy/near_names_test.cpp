// SPDX-License-Identifier: MIT
#include "zarrlib/hierarchy/near_names.h"

#include <gtest/gtest.h>

namespace zarr {
namespace {

using Names = std::vector<std::string>;

TEST(NearNames, TheNearestComeFirst) {
  EXPECT_EQ(ChooseNearNames({"precipitation", "t2m", "sst", "u10"}, "sstt"),
            (Names{"sst", "t2m", "u10", "precipitation"}));
  EXPECT_EQ(ChooseNearNames({"a", "temperature", "Temprature"}, "temprature").front(), "Temprature");
}

TEST(NearNames, AreFewAndOfEqualOnesTheFirst) {
  EXPECT_EQ(ChooseNearNames({"a", "b", "c", "d", "e", "f", "g"}, "x"), (Names{"a", "b", "c", "d", "e"}));
  EXPECT_EQ(ChooseNearNames({}, "x"), Names{});
}

TEST(NearNames, LongNamesComeLast) {
  EXPECT_EQ(ChooseNearNames({std::string(100000, 'a'), "b"}, "a"), (Names{"b", std::string(100000, 'a')}));
}

}  // namespace
}  // namespace zarr
