// SPDX-License-Identifier: MIT
#include "autotest/cpp/support/zarrkit_test_util.h"
#include "zarrlib/hierarchy/editable_hierarchy.h"
#include "zarrlib/tools/units/missing_units.h"

namespace zarr::tools {
namespace {

using test::Json;
using test::Result;
using test::Zarrkit;

/// A v2 store with an array of 3 x 2 chunks, all of which are stored.
class Finish : public test::FolderTest {
 protected:
  Finish() {
    Set(".zgroup", R"({"zarr_format": 2})");
    Set("g/.zgroup", R"({"zarr_format": 2})");
    MakeArray("g/a", {5, 4}, {2, 2});
  }

  void Remove(const std::string& key) const { FilesystemStore(folder_).Erase(key); }
  /// The items that `finish` gives for the arrays of the store.
  JsonNode FindMissing(const std::vector<std::string>& options = {}) const {
    std::vector<std::string> arguments = {"finish", folder_, "--json"};
    arguments.insert(arguments.end(), options.begin(), options.end());
    return Json(Zarrkit(arguments).out).At("arrays");
  }
};

TEST_F(Finish, MakesConsolidatedMetadata) {
  const Result result = Zarrkit({"finish", folder_});
  EXPECT_EQ(result.code, kSuccess) << result.err;
  EXPECT_EQ(result.out, "the metadata are consolidated\n/g/a: 0 of 6 chunks missing\n");
  EXPECT_TRUE(Has(".zmetadata"));
  EXPECT_EQ(Read("g/a", true), Numbers(20));
}

TEST_F(Finish, MakesConsolidatedMetadataAnew) {
  Consolidate();
  MakeArray("b", {3}, {3});  // they do not name it
  EXPECT_EQ(Zarrkit({"finish", folder_}).code, kSuccess);
  EXPECT_NE(Get(".zmetadata").find("b/.zarray"), std::string::npos);
  EXPECT_EQ(test::FindingsIn(folder_), "");
}

TEST_F(Finish, TellsWhatIsMissing) {
  Remove("g/a/0.1");
  Remove("g/a/2.1");
  Result result = Zarrkit({"finish", folder_});
  EXPECT_EQ(result.code, kMissing) << result.err;
  EXPECT_EQ(result.out, "the metadata are consolidated\n/g/a 0:2,2:4\n/g/a 4:5,2:4\n/g/a: 2 of 6 chunks missing\n");
  result = Zarrkit({"finish", folder_, "--json"});
  EXPECT_EQ(result.code, kMissing);
  EXPECT_EQ(result.out,
            "{\"consolidated\":true,\"arrays\":[\n"
            R"({"array":"/g/a","shape":[5,4],"region":{"start":[0,0],"count":[5,4]},"unit":"chunk","missing":[)"
            "\n{\"start\":[0,2],\"count\":[2,2]},\n{\"start\":[4,2],\"count\":[1,2]}]}]}\n");
}

TEST_F(Finish, OfOneArrayOrARegionOfIt) {
  MakeArray("b", {3}, {3});
  Remove("b/0");
  Remove("g/a/0.1");
  EXPECT_EQ(FindMissing().size(), 2u);
  const JsonNode one = FindMissing({"--array", "g/a"});
  ASSERT_EQ(one.size(), 1u);
  EXPECT_EQ(one[0].At("missing").size(), 1u);
  EXPECT_EQ(FindMissing({"--array", "g/a", "--region", "1:,2:"})[0].At("missing").Dump(),
            R"([{"start":[1,2],"count":[1,2],"partial":true}])");
  EXPECT_EQ(Zarrkit({"finish", folder_, "--array", "/g/a", "--region", "2:,:"}).code, kSuccess);
}

TEST_F(Finish, ListsLargeArrays) {
  for (const std::string separator : {".", "/"}) {
    Set("large/.zarray", R"({"zarr_format": 2, "dtype": "<i2", "fill_value": 0, "order": "C", "shape": [2000, 2000],
        "chunks": [1, 1], "filters": null, "compressor": null, "dimension_separator": ")" +
                             separator + "\"}");
    Set("large/3" + separator + "1999", "xx");
    const UnitCounts counts = [&] {
      const auto store = std::make_shared<FilesystemStore>(folder_);
      const auto array = EditableHierarchy::Open(store)->OpenArray("large");
      return ForEachMissingUnit(*array, {{2, 1000}, {100, 1000}}, [](const WriteUnits& unit) {
        EXPECT_FALSE(unit.box() == (Box{{3, 1999}, {1, 1}}));
      });
    }();
    EXPECT_EQ(counts.all, 100'000u);
    EXPECT_EQ(counts.missing, 99'999u);
  }
}

TEST_F(Finish, LooksAtArraysWithoutDimensionsIfTheyAreNamed) {
  Set("crs/.zarray", R"({"zarr_format": 2, "dtype": "<i2", "fill_value": 0, "order": "C", "shape": [], "chunks": [],
      "filters": null, "compressor": null})");
  EXPECT_EQ(Zarrkit({"finish", folder_}).code, kSuccess);
  EXPECT_EQ(FindMissing({"--array", "crs"})[0].At("missing").Dump(), R"([{"start":[],"count":[]}])");
  Set("crs/0", "xx");
  EXPECT_EQ(FindMissing({"--array", "crs"})[0].At("missing").size(), 0u);
}

TEST_F(Finish, WritesNothingIfAskedToWriteNothing) {
  const Result result = Zarrkit({"finish", folder_, "--no-consolidate"});
  EXPECT_EQ(result.code, kSuccess) << result.err;
  EXPECT_EQ(result.out, "/g/a: 0 of 6 chunks missing\n");
  EXPECT_FALSE(Has(".zmetadata"));
  EXPECT_FALSE(Json(Zarrkit({"finish", folder_, "--no-consolidate", "--json"}).out).At("consolidated").AsBoolean());
}

TEST_F(Finish, OfV1HasNoConsolidatedMetadata) {
  Set("one/meta", R"({"zarr_format": 1, "shape": [4], "chunks": [2], "dtype": "<i2", "fill_value": 0, "order": "C",
      "compression": null, "compression_opts": null})");
  Set("one/1", "xxxx");
  const Result result = Zarrkit({"finish", folder_ + "/one", "--json"});
  EXPECT_EQ(result.code, kMissing) << result.err;
  EXPECT_FALSE(Json(result.out).At("consolidated").AsBoolean());
  EXPECT_EQ(Json(result.out).At("arrays")[0].At("missing").Dump(), R"([{"start":[0],"count":[2]}])");
}

TEST_F(Finish, KeepsConsolidatedMetadataOfNodesWithoutDocuments) {
  Consolidate();
  const std::string before = Get(".zmetadata");
  Remove("g/a/.zarray");
  const Result result = Zarrkit({"finish", folder_});
  EXPECT_EQ(result.code, kFailure);
  EXPECT_NE(result.err.find("g/a/.zarray, which has no document of its own"), std::string::npos) << result.err;
  Remove("g/.zgroup");
  EXPECT_EQ(Zarrkit({"finish", folder_}).out, "the metadata are consolidated\n/g/a: 0 of 6 chunks missing\n");
  EXPECT_EQ(Get(".zmetadata"), before);
}

TEST_F(Finish, SaysHowToTakeOutWhatWasRemoved) {
  Consolidate();
  std::filesystem::remove_all(folder_ + "/g/a");
  const Result result = Zarrkit({"finish", folder_});
  EXPECT_EQ(result.code, kFailure);
  EXPECT_NE(result.err.find("zarrkit check --repair takes it out of them"), std::string::npos) << result.err;
  EXPECT_EQ(Zarrkit({"check", folder_, "--repair"}).code, kSuccess);
  EXPECT_EQ(Zarrkit({"finish", folder_}).code, kSuccess);
}

TEST_F(Finish, LooksAtTheArgumentsFirst) {
  const Result group = Zarrkit({"finish", folder_, "--array", "g"});
  EXPECT_EQ(group.code, kFailure);
  EXPECT_EQ(group.err, "zarrkit: " + folder_ + "/g: this is a group; arrays in it: g/a\n");
  const Result elsewhere = Zarrkit({"finish", folder_, "--array", "a"});
  EXPECT_EQ(elsewhere.code, kFailure);
  EXPECT_NE(elsewhere.err.find("; arrays of this name: g/a\n"), std::string::npos) << elsewhere.err;
  const Result result = Zarrkit({"finish", folder_, "--array", "g/a", "--region", "0:9,:"});
  EXPECT_EQ(result.code, kUsage);
  EXPECT_EQ(result.err, "zarrkit: " + folder_ +
                            "/g/a: --region: axis 0: expected a number inside an axis of length 5, got 9\nTry zarrkit "
                            "finish --help.\n");
  EXPECT_EQ(Zarrkit({"finish", folder_, "--region", "0:1,:"}).code, kUsage);
  EXPECT_FALSE(Has(".zmetadata"));
}

}  // namespace
}  // namespace zarr::tools
