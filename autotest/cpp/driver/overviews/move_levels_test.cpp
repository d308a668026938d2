// SPDX-License-Identifier: MIT
#include "driver/overviews/move_levels.h"

#include <gtest/gtest.h>

#include <memory>
#include <string>

#include "autotest/cpp/support/array_test_util.h"
#include "driver/multidim/group.h"
#include "driver/multidim/md_array.h"
#include "zarrlib/hierarchy/editable_hierarchy.h"
#include "zarrlib/store/memory_store.h"

namespace gdal_zarr {
namespace {

using zarr::test::Json;

constexpr const char* kDeclared =
    R"("zarr_conventions":[{"name":"multiscales","uuid":"d35379db-88df-4056-af3a-620245f8e347"}])";

std::string Base(const std::string& name, const char* member = "asset") {
  return "{\"" + std::string(member) + "\":\"" + name + "\"}";
}

std::string Level(const std::string& name, const std::string& from) {
  return R"({"asset":")" + name + R"(","derived_from":")" + from + "\"}";
}

std::string Attributes(const std::string& layout) {
  return "{" + std::string(kDeclared) + R"(,"multiscales":{"layout":[)" + layout + R"(]},"x":1})";
}

/// A store whose group "g" has a layout, an array of 4 x 4 elements, and levels of 2 x 2.
class MoveLevelsTest : public testing::Test {
 protected:
  void Make(const std::string& layout, const std::vector<std::string>& bases, const std::vector<std::string>& levels) {
    const auto hierarchy = zarr::EditableHierarchy::Create(store_, zarr::ZarrFormat::kV3);
    hierarchy->CreateGroup("g", Json(Attributes(layout)));
    for (const std::string& base : bases) hierarchy->CreateArray("g/" + base, MakeSquare(4));
    for (const std::string& level : levels) {
      const std::string path = "g/" + level;
      if (!hierarchy->Probe(GetParentPath(path))) hierarchy->CreateGroup(GetParentPath(path));
      hierarchy->CreateArray(path, MakeSquare(2));
    }
    resource_ = std::make_shared<SharedResource>(zarr::EditableHierarchy::Open(store_), OpenOptions(), true);
  }
  static zarr::ArrayMetadata MakeSquare(std::uint64_t length) {
    zarr::ArrayMetadata array = zarr::test::MakeLineMetadata(zarr::ZarrFormat::kV3, length);
    array.shape = {length, length};
    array.chunk_grid = zarr::ChunkGrid::MakeRegular(array.shape, {2, 2});
    array.dimension_names = {"y", "x"};
    return array;
  }
  std::string GetAttributes() {
    resource_->Flush();
    return zarr::Hierarchy::Open(store_)->OpenGroup("g").attributes.Dump();
  }
  bool Has(const std::string& path) { return zarr::Hierarchy::Open(store_)->Probe("g/" + path).has_value(); }
  bool Delete(const std::string& name) { return Group::Make(resource_, "g")->DeleteMDArray(name, nullptr); }

  std::shared_ptr<zarr::MemoryStore> store_ =
      std::make_shared<zarr::MemoryStore>(testing::UnitTest::GetInstance()->current_test_info()->name());
  std::shared_ptr<SharedResource> resource_;
};

TEST_F(MoveLevelsTest, ADeletedArrayTakesItsLevelsAndTheLayoutAlong) {
  Make(Base("a") + "," + Level("ovr_2x", "a"), {"a"}, {"ovr_2x/a"});
  EXPECT_TRUE(Delete("a"));
  EXPECT_EQ(GetAttributes(), R"({"x":1})");
  EXPECT_FALSE(Has("ovr_2x"));
}

TEST_F(MoveLevelsTest, LevelsOfOthersStay) {
  Make(Base("a") + "," + Level("ovr_2x/a", "a") + "," + Level("half/a", "a") + "," + Level("ovr_2x/b", "b"), {"a", "b"},
       {"ovr_2x/a", "ovr_2x/b", "half/a"});
  EXPECT_TRUE(Delete("a"));
  EXPECT_EQ(GetAttributes(),
            Attributes(Base("half/a") + R"(,{"asset":"b","transform":{"scale":[1.0,1.0]}},)" + Level("ovr_2x/b", "b")));
  EXPECT_FALSE(Has("ovr_2x/a"));
  EXPECT_TRUE(Has("ovr_2x/b") && Has("half/a"));
}

TEST_F(MoveLevelsTest, ALevelWhoseBaseIsDeletedBecomesOne) {
  const std::string rest =
      R"(,"transform":{"scale":[2.0,2.0]},"spatial:transform":[20.0,0.0,0.0,0.0,-20.0,0.0]},)" + Level("2", "1");
  Make(Base("0") + R"(,{"asset":"1","derived_from":"0")" + rest, {"0"}, {"1", "2"});
  EXPECT_TRUE(Delete("0"));
  EXPECT_EQ(GetAttributes(), Attributes(R"({"asset":"1","transform":{"scale":[1.0,1.0]},)"
                                        R"("spatial:transform":[20.0,0.0,0.0,0.0,-20.0,0.0]},)" +
                                        Level("2", "1")));
}

TEST_F(MoveLevelsTest, ADeletedArrayTakesLostAndUnfinishedLevelsAlong) {
  Make(Base("a") + "," + Level("ovr_2x", "a"), {"a"}, {"ovr_2x/a", "ovr_8x/a"});
  resource_->Change().EditAttributes("g/ovr_8x", [](auto&) { return Json(R"({"unfinished_overviews":["a"]})"); });
  store_->Set("g/ovr_2x/a/0.0", zarr::AsBytes("1234"));
  store_->Erase("g/ovr_2x/a/zarr.json");
  EXPECT_TRUE(Delete("a"));
  EXPECT_EQ(GetAttributes(), R"({"x":1})");
  EXPECT_FALSE(Has("ovr_2x") || Has("ovr_8x") || store_->Exists("g/ovr_2x/a/0.0"));
}

TEST_F(MoveLevelsTest, ARenamedArrayLosesUnfinishedLevels) {
  Make(Base("a") + "," + Level("ovr_2x", "a"), {"a"}, {"ovr_2x/a", "ovr_8x/a"});
  resource_->Change().EditAttributes("g/ovr_8x", [](auto&) { return Json(R"({"unfinished_overviews":["a"]})"); });
  EXPECT_TRUE(MDArray::Make(resource_, "g/a")->Rename("b"));
  EXPECT_EQ(GetAttributes(), Attributes(Base("b") + "," + Level("ovr_2x", "b")));
  EXPECT_TRUE(Has("ovr_2x/b"));
  EXPECT_FALSE(Has("ovr_8x"));
}

TEST_F(MoveLevelsTest, ADeletedLevelLeavesThoseMadeOfIt) {
  const std::string layout = Base("a") + "," + Level("ovr_2x/a", "a") + "," + Level("ovr_4x/a", "ovr_2x/a");
  Make(layout, {"a"}, {"ovr_2x/a", "ovr_4x/a"});
  EXPECT_TRUE(Group::Make(resource_, "g/ovr_2x")->DeleteMDArray("a", nullptr));
  EXPECT_EQ(GetAttributes(), Attributes(layout));
  EXPECT_TRUE(Has("ovr_4x/a"));
}

TEST_F(MoveLevelsTest, ARenamedArrayKeepsItsLevels) {
  Make(Base("a") + "," + Level("ovr_2x/a", "a") + "," + Level("ovr_2x/c", "c"), {"a", "c"}, {"ovr_2x/a", "ovr_2x/c"});
  EXPECT_TRUE(MDArray::Make(resource_, "g/a")->Rename("b"));
  EXPECT_EQ(GetAttributes(), Attributes(Base("b") + "," + Level("ovr_2x/b", "b") + "," + Level("ovr_2x/c", "c")));
  EXPECT_TRUE(Has("ovr_2x/b") && Has("ovr_2x/c"));
  EXPECT_FALSE(Has("ovr_2x/a"));
}

TEST_F(MoveLevelsTest, GroupsForLevelsKeepTheirNames) {
  Make(Base("a", "group") + R"(,{"from_group":"a","group":"ovr_2x"})", {"a"}, {"ovr_2x/a"});
  EXPECT_TRUE(MDArray::Make(resource_, "g/a")->Rename("b"));
  EXPECT_EQ(GetAttributes(), Attributes(Base("b", "group") + R"(,{"from_group":"b","group":"ovr_2x"})"));
  EXPECT_TRUE(Has("ovr_2x/b"));
  EXPECT_TRUE(Group::Make(resource_, "g/ovr_2x")->Rename("half"));
  EXPECT_EQ(GetAttributes(), Attributes(Base("b", "group") + R"(,{"from_group":"b","group":"half"})"));
}

TEST_F(MoveLevelsTest, AnArrayKeepsItsNameIfALevelCannotGetTheNewOne) {
  const std::string layout = Base("a") + "," + Level("ovr_2x", "a");
  Make(layout, {"a"}, {"ovr_2x/a", "ovr_2x/b"});
  EXPECT_FALSE(MDArray::Make(resource_, "g/a")->Rename("b"));
  EXPECT_EQ(GetAttributes(), Attributes(layout));
  EXPECT_TRUE(Has("a") && Has("ovr_2x/a"));
}

TEST_F(MoveLevelsTest, ABrokenLevelKeepsNoOtherFromFollowing) {
  Make(Base("a") + "," + Level("ovr_2x", "a") + "," + Level("ovr_4x", "a"), {"a"}, {"ovr_2x/a", "ovr_4x/a"});
  store_->Set("g/ovr_2x/a/zarr.json", zarr::AsBytes(R"({"zarr_format":3,"node_type":"array","shape":["x"]})"));
  EXPECT_TRUE(MDArray::Make(resource_, "g/a")->Rename("b"));
  EXPECT_TRUE(Has("b") && Has("ovr_4x/b"));
}

TEST_F(MoveLevelsTest, ALevelThatCannotBeRemovedIsMarked) {
  Make(Base("a") + "," + Level("ovr_2x", "a") + "," + Level("ovr_4x", "a"), {"a"}, {"ovr_2x/a", "ovr_4x/a"});
  store_->Set("g/ovr_2x/a/zarr.json", zarr::AsBytes(R"({"zarr_format":3,"node_type":"array","shape":["x"]})"));
  EXPECT_TRUE(Delete("a"));
  EXPECT_EQ(GetAttributes(), R"({"x":1})");
  EXPECT_FALSE(Has("ovr_4x"));
  EXPECT_EQ(zarr::Hierarchy::Open(store_)->OpenGroup("g/ovr_2x").attributes.Dump(),
            R"({"unfinished_overviews":["a"]})");
}

}  // namespace
}  // namespace gdal_zarr
