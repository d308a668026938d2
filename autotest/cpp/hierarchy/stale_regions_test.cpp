// SPDX-License-Identifier: MIT
#include "zarrlib/hierarchy/stale_regions.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "zarrlib/json/json_edit.h"

namespace zarr {
namespace {

JsonNode Parse(const std::string& text) {
  return JsonNode::Parse(text, "", "");
}

const Box kBox{{1, 2}, {3, 4}};
const std::vector<std::string> kLevels = {"ovr_2x/a", "ovr_4x/a"};

bool Has(const StaleRegions& regions, const std::string& id) {
  return std::ranges::any_of(regions.list(), [&](const StaleRegion& region) { return region.id == id; });
}

TEST(StaleRegionsTest, AreTheSameWhenReadAgain) {
  StaleRegions regions;
  EXPECT_TRUE(regions.Add({"one", kBox, {}}));
  EXPECT_TRUE(regions.Add({"two", {{9, 9}, {1, 1}}, {"ovr_4x/a"}}));
  const JsonNode attributes = regions.ApplyTo(Parse(R"({"title":"x"})"));
  EXPECT_EQ(attributes.At("title").AsString(), "x");
  const StaleRegions read(attributes, 2);
  EXPECT_EQ(read.ToText(), "1:4,2:6; 9:10,9:10 (ovr_4x/a)");
  EXPECT_TRUE(Has(read, "one"));
  EXPECT_FALSE(Has(read, "three"));
}

TEST(StaleRegionsTest, NoRegionsAreNoAttribute) {
  const StaleRegions none(Parse(R"({"title":"x"})"), 2);
  EXPECT_TRUE(none.empty());
  EXPECT_FALSE(FindMember(none.ApplyTo(Parse(R"({"overviews_stale":[]})")), kStaleOverviewsAttribute));
}

TEST(StaleRegionsTest, ARegionInsideAnotherRenewsItsId) {
  StaleRegions regions;
  regions.Add({"old", {{0, 0}, {10, 10}}, {}});
  EXPECT_FALSE(regions.Add({"new", kBox, {}}));
  EXPECT_EQ(regions.ToText(), "0:10,0:10");
  EXPECT_FALSE(Has(regions, "old"));
  EXPECT_TRUE(Has(regions, "new"));
}

TEST(StaleRegionsTest, ARegionOfSomeLevelsDoesNotHoldOneOfAll) {
  StaleRegions regions;
  regions.Add({"some", {{0, 0}, {10, 10}}, {"ovr_4x/a"}});
  EXPECT_TRUE(regions.Add({"all", kBox, {}}));
  EXPECT_EQ(regions.list().size(), 2u);
}

TEST(StaleRegionsTest, LevelsAreRemoved) {
  StaleRegions regions;
  regions.Add({"one", kBox, {}});
  regions.Add({"two", {{9, 9}, {1, 1}}, {"ovr_4x/a"}});
  regions.RemoveLevels({"one", "two"}, {"ovr_2x/a"}, kLevels);
  EXPECT_EQ(regions.ToText(), "1:4,2:6 (ovr_4x/a); 9:10,9:10 (ovr_4x/a)");
  regions.RemoveLevels({"one"}, {"ovr_4x/a"}, kLevels);
  EXPECT_EQ(regions.ToText(), "9:10,9:10 (ovr_4x/a)");
  regions.RemoveLevels({"two"}, {}, {});  // there are no levels any more
  EXPECT_TRUE(regions.empty());
}

TEST(StaleRegionsTest, ThereAreNeverMany) {
  StaleRegions regions;
  for (std::uint64_t i = 0; i < 100; ++i) {
    regions.Add({std::to_string(i), {{100 * i, 0}, {1, 1}}, {}});
    EXPECT_LE(regions.list().size(), StaleRegions::kMost);
  }
  for (std::uint64_t i = 0; i < 100; ++i) {
    const auto holds = [&](const StaleRegion& region) { return Contains(region.box, {{100 * i, 0}, {1, 1}}); };
    EXPECT_TRUE(std::any_of(regions.list().begin(), regions.list().end(), holds));
  }
}

TEST(StaleRegionsTest, AMergedRegionHasAnIdThatNobodyKnows) {
  StaleRegions regions;
  for (std::uint64_t i = 0; i <= StaleRegions::kMost; ++i) {
    regions.Add({std::to_string(i), {{100 * i, 0}, {1, 1}}, {i == 0 ? "ovr_2x/a" : "ovr_4x/a"}});
  }
  EXPECT_FALSE(Has(regions, "0"));
  EXPECT_FALSE(Has(regions, "1"));
  EXPECT_EQ(regions.list().front().levels, kLevels);
}

TEST(StaleRegionsTest, WhatCannotBeUnderstoodIsEverything) {
  for (const char* text : {R"(7)", R"([7])", R"([{"id":"x"}])", R"([{"id":"x","start":[0],"shape":[1]}])",
                           R"([{"id":"x","start":[0,-1],"shape":[1,1]}])",
                           R"([{"id":"x","start":[18446744073709551615,0],"shape":[1,1]}])",
                           R"([{"id":"x","start":[0,0],"shape":[1,1],"levels":7}])"}) {
    const StaleRegions regions(Parse(std::string(R"({"overviews_stale":)") + text + "}"), 2);
    EXPECT_EQ(regions.ClipTo({5, 6}).ToText(), "0:5,0:6") << text;
  }
}

TEST(StaleRegionsTest, PartsThatTheArrayDoesNotHaveAreNotShown) {
  StaleRegions regions;
  regions.Add({"one", kBox, {}});
  regions.Add({"two", {{9, 9}, {1, 1}}, {}});
  EXPECT_EQ(regions.ClipTo({3, 20}).ToText(), "1:3,2:6");
  EXPECT_EQ(regions.ToText(), "1:4,2:6; 9:10,9:10");
}

TEST(StaleRegionsTest, IdsDiffer) {
  EXPECT_NE(MakeRegionId(), MakeRegionId());
  EXPECT_EQ(MakeRegionId().size(), 16u);
}

}  // namespace
}  // namespace zarr
