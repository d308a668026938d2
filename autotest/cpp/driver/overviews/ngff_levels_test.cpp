// SPDX-License-Identifier: MIT
#include "driver/overviews/ngff_levels.h"

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

std::string Image(const std::string& levels) {
  return R"({"axes":[],"datasets":[)" + levels + R"(],"name":"image"})";
}

std::string Level(const std::string& path) {
  return R"({"path":")" + path + R"(","coordinateTransformations":[{"scale":[1.0]}]})";
}

/// A store with a group "g" that has the attributes, and arrays "0", "1" and "s/2" in it.
class NgffLevelsTest : public testing::Test {
 protected:
  void Make(const std::string& attributes) {
    const auto hierarchy = zarr::EditableHierarchy::Create(store_, zarr::ZarrFormat::kV3);
    hierarchy->CreateGroup("g", Json(attributes));
    hierarchy->CreateGroup("g/s");
    for (const char* path : {"g/0", "g/1", "g/s/2"})
      hierarchy->CreateArray(path, zarr::test::MakeLineMetadata(zarr::ZarrFormat::kV3, 4));
    resource_ = std::make_shared<SharedResource>(zarr::EditableHierarchy::Open(store_), OpenOptions(), true);
  }
  void ExpectAttributes(const std::string& expected) {
    resource_->Flush();
    EXPECT_EQ(zarr::Hierarchy::Open(store_)->OpenGroup("g").attributes.Dump(), expected);
  }

  std::shared_ptr<zarr::MemoryStore> store_ =
      std::make_shared<zarr::MemoryStore>(testing::UnitTest::GetInstance()->current_test_info()->name());
  std::shared_ptr<SharedResource> resource_;
};

TEST_F(NgffLevelsTest, ARemovedLevelLeavesTheList) {
  const auto make = [](const std::string& levels) { return R"({"multiscales":[)" + Image(levels) + R"(],"x":1})"; };
  Make(make(Level("0") + "," + Level("./1/") + "," + Level("s/2")));
  EXPECT_TRUE(Group::Make(resource_, "g")->DeleteMDArray("1", nullptr));
  ExpectAttributes(make(Level("0") + "," + Level("s/2")));
  EXPECT_TRUE(Group::Make(resource_, "g")->DeleteGroup("s", nullptr));
  ExpectAttributes(make(Level("0")));
}

TEST_F(NgffLevelsTest, ARenamedLevelStaysInTheList) {
  const auto make = [](const std::string& levels) {
    return R"({"ome":{"version":"0.5","multiscales":[)" + Image(levels) + "," + Image(Level("0")) + "]}}";
  };
  Make(make(Level("0") + "," + Level("1") + "," + Level("s/2")));
  EXPECT_TRUE(MDArray::Make(resource_, "g/1")->Rename("half"));
  EXPECT_TRUE(MDArray::Make(resource_, "g/s/2")->Rename("3"));
  ExpectAttributes(make(Level("0") + "," + Level("half") + "," + Level("s/3")));
  EXPECT_TRUE(Group::Make(resource_, "g/s")->Rename("t"));
  ExpectAttributes(make(Level("0") + "," + Level("half") + "," + Level("t/3")));
}

TEST_F(NgffLevelsTest, AnImageWithoutLevelsLeavesTheList) {
  Make(R"({"ome":{"multiscales":[)" + Image(Level("0")) + "," + Image(Level("1")) + R"(],"omero":{}}})");
  EXPECT_TRUE(Group::Make(resource_, "g")->DeleteMDArray("0", nullptr));
  ExpectAttributes(R"({"ome":{"multiscales":[)" + Image(Level("1")) + R"(],"omero":{}}})");
  EXPECT_TRUE(Group::Make(resource_, "g")->DeleteMDArray("1", nullptr));
  ExpectAttributes(R"({"ome":{"omero":{}}})");
}

TEST_F(NgffLevelsTest, AListBesideALayoutIsChangedToo) {
  const auto make = [](const std::string& layout, const std::string& levels) {
    return R"({"zarr_conventions":[{"name":"multiscales","uuid":"d35379db-88df-4056-af3a-620245f8e347"}],)"
           R"("multiscales":{"layout":[)" +
           layout + R"(]},"ome":{"multiscales":[)" + Image(levels) + "]}}";
  };
  Make(make(R"({"asset":"0"},{"asset":"s/2","derived_from":"0"})", Level("0") + "," + Level("1")));
  EXPECT_TRUE(MDArray::Make(resource_, "g/0")->Rename("a"));
  ExpectAttributes(make(R"({"asset":"a"},{"asset":"s/2","derived_from":"a"})", Level("a") + "," + Level("1")));
}

std::string Layout(const std::string& entries) {
  return R"({"zarr_conventions":[{"name":"multiscales","uuid":"d35379db-88df-4056-af3a-620245f8e347"}],)"
         R"("multiscales":{"layout":[)" +
         entries + R"(],"x":1}})";
}

/// An entry of a level that is smaller by a factor than that which it is derived from.
std::string Entry(const std::string& asset, const std::string& from, const std::string& scale,
                  const std::string& translation) {
  return R"({"asset":")" + asset + R"(","derived_from":")" + from + R"(","transform":{"scale":[)" + scale +
         R"(],"translation":[)" + translation + "]}}";
}

TEST_F(NgffLevelsTest, ARemovedGroupLeavesTheLayout) {
  const std::string base = R"({"asset":"0"},)";
  Make(Layout(base + Entry("s", "0", "2.0,2.0", "0.5,1.0") + "," + Entry("s/2", "./s/", "2.0,2.0", "0.5,1.0") + "," +
              Entry("1", "s", "3.0,2.0", "1.0,1.0")));
  EXPECT_TRUE(Group::Make(resource_, "g")->DeleteGroup("s", nullptr));
  ExpectAttributes(Layout(base + Entry("1", "0", "6.0,4.0", "2.5,3.0")));
}

TEST_F(NgffLevelsTest, ALevelOfARemovedBaseBecomesOne) {
  Make(Layout(R"({"asset":"s"},)" + Entry("0", "s", "2.0,2.0", "0.5,0.5") + R"(,{"asset":"1","derived_from":"0"})"));
  EXPECT_TRUE(Group::Make(resource_, "g")->DeleteGroup("s", nullptr));
  ExpectAttributes(Layout(R"({"asset":"0","transform":{"scale":[1.0,1.0]}},{"asset":"1","derived_from":"0"})"));
}

TEST_F(NgffLevelsTest, ALevelLosesATransformThatIsNotKnownAnyMore) {
  Make(Layout(
      R"({"group":"0"},{"group":"s","from_group":"0"},{"group":"1","from_group":"s","transform":{"scale":[2]}})"));
  EXPECT_TRUE(Group::Make(resource_, "g")->DeleteGroup("s", nullptr));
  ExpectAttributes(Layout(R"({"group":"0"},{"group":"1","from_group":"0"})"));
}

TEST_F(NgffLevelsTest, ALayoutGoesWithItsLastLevel) {
  Make(Layout(R"({"asset":"s","derived_from":"s"})"));
  EXPECT_TRUE(Group::Make(resource_, "g")->DeleteGroup("s", nullptr));
  ExpectAttributes("{}");
}

TEST_F(NgffLevelsTest, WhatIsNoListStays) {
  for (const std::string ome :
       {R"(5)", R"({"multiscales":5})", R"({"multiscales":[]})",
        R"({"multiscales":[1,{"datasets":[]},{"datasets":[1]}]})",
        R"({"multiscales":[{"datasets":[{"path":"../g/0"},{"path":0}]}],"well":[{"path":"0"}]})"}) {
    store_ = std::make_shared<zarr::MemoryStore>("no list " + std::to_string(ome.size()));
    Make(R"({"ome":)" + ome + R"(,"multiscales":{"layout":[{"asset":"0"}]}})");
    EXPECT_TRUE(Group::Make(resource_, "g")->DeleteMDArray("0", nullptr));
    ExpectAttributes(R"({"ome":)" + ome + R"(,"multiscales":{"layout":[{"asset":"0"}]}})");
  }
}

}  // namespace
}  // namespace gdal_zarr
