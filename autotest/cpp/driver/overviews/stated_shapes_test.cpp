// SPDX-License-Identifier: MIT
#include "driver/overviews/stated_shapes.h"

#include <gtest/gtest.h>

#include <memory>
#include <string>

#include "autotest/cpp/support/array_test_util.h"
#include "driver/multidim/shared_dimensions.h"
#include "zarrlib/hierarchy/editable_hierarchy.h"
#include "zarrlib/store/memory_store.h"

namespace gdal_zarr {
namespace {

using zarr::test::Json;

std::string Shape(const std::string& shape) {
  return R"("spatial:shape":)" + shape;
}

std::string LayoutOf(const std::string& shape) {
  return R"({"zarr_conventions":[{"name":"multiscales","uuid":"d35379db-88df-4056-af3a-620245f8e347"}],)"
         R"("multiscales":{"layout":[{"asset":"fine",)" +
         Shape("[4,4]") + R"(},{"asset":"level","derived_from":"fine",)" + Shape(shape) + R"(},{"asset":"level/a",)" +
         Shape(shape) + "}]}}";
}

/// A store whose group "g" has a layout that names a group "level" with arrays of 4 x 4 elements.
class StatedShapesTest : public testing::Test {
 protected:
  void Make(const std::string& of_group, const std::string& of_array, bool are_named = true) {
    const auto hierarchy = zarr::EditableHierarchy::Create(store_, zarr::ZarrFormat::kV3);
    hierarchy->CreateGroup("g", Json(LayoutOf("[4,4]")));
    hierarchy->CreateGroup("g/level", Json(of_group));
    zarr::ArrayMetadata array = zarr::test::MakeLineMetadata(zarr::ZarrFormat::kV3, 4);
    array.shape = {4, 4};
    array.chunk_grid = zarr::ChunkGrid::MakeRegular(array.shape, {2, 2});
    if (are_named) array.dimension_names = {"y", "x"};
    array.attributes = Json(of_array);
    hierarchy->CreateArray("g/level/a", array);
    hierarchy->CreateArray("g/level/b", array);
    resource_ = std::make_shared<SharedResource>(zarr::EditableHierarchy::Open(store_), OpenOptions(), true);
  }
  void Resize(const zarr::Shape& shape) {
    ResizeSharedDimensions(resource_, *resource_->hierarchy().OpenArray("g/level/a"), shape);
    resource_->Flush();
  }
  std::string Get(const std::string& path) {
    const auto hierarchy = zarr::Hierarchy::Open(store_);
    const bool is_array = hierarchy->Probe(path) == zarr::NodeKind::kArray;
    return (is_array ? hierarchy->OpenArray(path)->metadata().attributes : hierarchy->OpenGroup(path).attributes)
        .Dump();
  }

  std::shared_ptr<zarr::MemoryStore> store_ =
      std::make_shared<zarr::MemoryStore>(testing::UnitTest::GetInstance()->current_test_info()->name());
  std::shared_ptr<SharedResource> resource_;
};

TEST_F(StatedShapesTest, FollowAResize) {
  Make("{" + Shape("[4,4]") + R"(,"spatial:dimensions":["x","y"]})", "{" + Shape("[4,4]") + "}");
  Resize({6, 4});
  EXPECT_EQ(Get("g/level"), "{" + Shape("[4,6]") + R"(,"spatial:dimensions":["x","y"]})");
  EXPECT_EQ(Get("g/level/a"), "{" + Shape("[4,6]") + "}");
  EXPECT_EQ(Get("g/level/b"), "{" + Shape("[4,6]") + "}");
  EXPECT_EQ(Get("g"), LayoutOf("[4,6]"));
}

TEST_F(StatedShapesTest, OfAnotherArrayStay) {
  Make("{" + Shape("[4,5]") + "}", "{" + Shape("[4]") + "}");
  Resize({6, 4});
  EXPECT_EQ(Get("g/level"), "{" + Shape("[4,5]") + "}");
  EXPECT_EQ(Get("g/level/a"), "{" + Shape("[4]") + "}");
}

TEST_F(StatedShapesTest, OfGroupsStayIfOtherArraysHaveDimensionsOfTheirOwn) {
  Make("{" + Shape("[4,4]") + "}", "{" + Shape("[4,4]") + "}", false);
  Resize({6, 4});
  EXPECT_EQ(Get("g/level"), "{" + Shape("[4,4]") + "}");
  EXPECT_EQ(Get("g/level/a"), "{" + Shape("[6,4]") + "}");
  EXPECT_EQ(Get("g/level/b"), "{" + Shape("[4,4]") + "}");
}

TEST_F(StatedShapesTest, WhatIsNoShapeStays) {
  for (const std::string shape : {"5", "[]", "[4,4,4]", R"(["4",4])"}) {
    store_ = std::make_shared<zarr::MemoryStore>("no shape " + shape);
    Make("{" + Shape(shape) + "}", "{" + Shape(shape) + "}");
    Resize({6, 4});
    EXPECT_EQ(Get("g/level"), "{" + Shape(shape) + "}");
    EXPECT_EQ(Get("g/level/a"), "{" + Shape(shape) + "}");
  }
}

}  // namespace
}  // namespace gdal_zarr
