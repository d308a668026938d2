// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

#include "autotest/cpp/support/array_test_util.h"
#include "driver/multidim/dimension.h"
#include "driver/multidim/group.h"
#include "driver/multidim/md_array.h"
#include "zarrlib/hierarchy/editable_hierarchy.h"
#include "zarrlib/store/memory_store.h"

namespace gdal_zarr {
namespace {

/// A store of "g/x" and the arrays "g/a" and "g/b" along it, opened for reading or for update.
class SharedCoordinatesTest : public testing::TestWithParam<bool> {
 protected:
  void SetUp() override { Open("x"); }
  /// `name` is that of the dimension of "g/x".
  void Open(const std::string& name) {
    const auto store = std::make_shared<zarr::MemoryStore>("shared_coordinates");
    const auto hierarchy = zarr::EditableHierarchy::Create(store, zarr::ZarrFormat::kV3);
    hierarchy->CreateGroup("g");
    for (const char* path : {"g/x", "g/a", "g/b"}) {
      zarr::ArrayMetadata array = zarr::test::MakeLineMetadata(zarr::ZarrFormat::kV3, 4);
      array.dimension_names = {path == std::string("g/x") ? name : "x"};
      hierarchy->CreateArray(path, array);
    }
    resource_ = std::make_shared<SharedResource>(zarr::EditableHierarchy::Open(store), OpenOptions(), GetParam());
  }
  std::shared_ptr<GDALDimension> GetDimension(const std::string& path) {
    return MDArray::Make(resource_, path)->GetDimensions()[0];
  }
  static void ExpectOwn(const std::shared_ptr<GDALDimension>& dimension) {
    const auto coordinates = dimension->GetIndexingVariable();
    ASSERT_TRUE(coordinates);
    ASSERT_EQ(coordinates->GetDimensions().size(), 1U);
    EXPECT_EQ(coordinates->GetDimensions()[0], dimension);
  }

  std::shared_ptr<SharedResource> resource_;
};

TEST_P(SharedCoordinatesTest, HaveTheDimensionOfTheArray) {
  ExpectOwn(GetDimension("g/a"));
}

TEST_P(SharedCoordinatesTest, HaveTheDimensionsOfArraysInUse) {
  const auto coordinates = MDArray::Make(resource_, "g/x");
  const auto a = MDArray::Make(resource_, "g/a");
  const auto again = MDArray::Make(resource_, "g/a");
  const auto b = MDArray::Make(resource_, "g/b");
  const auto of_b = b->GetDimensions()[0]->GetIndexingVariable();
  for (const auto& array : {a, again, b, coordinates}) ExpectOwn(array->GetDimensions()[0]);
}

TEST_P(SharedCoordinatesTest, HaveTheDimensionsOfTheirGroup) {
  const auto array = MDArray::Make(resource_, "g/b");
  const std::vector<std::shared_ptr<GDALDimension>> dimensions = Group::Make(resource_, "g")->GetDimensions(nullptr);
  ASSERT_EQ(dimensions.size(), 1U);
  ExpectOwn(dimensions[0]);
  ExpectOwn(array->GetDimensions()[0]);
}

TEST_P(SharedCoordinatesTest, KeepADimensionOfAnotherName) {
  Open("points");
  const auto coordinates = GetDimension("g/a")->GetIndexingVariable();
  ASSERT_TRUE(coordinates);
  EXPECT_EQ(coordinates->GetDimensions()[0]->GetName(), "points");
}

TEST_P(SharedCoordinatesTest, AreNotKeptByTheirDimension) {
  const auto dimension = GetDimension("g/a");
  const std::weak_ptr<GDALMDArray> coordinates = dimension->GetIndexingVariable();
  EXPECT_TRUE(coordinates.expired());
}

TEST_P(SharedCoordinatesTest, DoNotKeepTheDatasetOpen) {
  const std::weak_ptr<SharedResource> resource = resource_;
  ExpectOwn(GetDimension("g/a"));
  resource_.reset();
  EXPECT_TRUE(resource.expired());
}

INSTANTIATE_TEST_SUITE_P(, SharedCoordinatesTest, testing::Bool(),
                         [](const auto& updates) { return std::string(updates.param ? "Update" : "ReadOnly"); });

TEST(NewCoordinatesTest, HaveTheDimensionsThatFollowItsName) {
  const auto store = std::make_shared<zarr::MemoryStore>("new_coordinates");
  const auto resource = std::make_shared<SharedResource>(zarr::EditableHierarchy::Create(store, zarr::ZarrFormat::kV3),
                                                         OpenOptions(), true);
  const auto root = Group::Make(resource, "");
  const auto created = root->CreateDimension("x", "", "", 4, nullptr);
  const GDALExtendedDataType type = GDALExtendedDataType::Create(GDT_Byte);
  const auto x = root->CreateMDArray("x", {created}, type, nullptr);
  const auto a = root->CreateMDArray("a", root->GetDimensions(nullptr), type, nullptr);
  EXPECT_EQ(a->GetDimensions()[0], created);
  EXPECT_EQ(created->GetIndexingVariable()->GetDimensions()[0], a->GetDimensions()[0]);
  ASSERT_TRUE(std::static_pointer_cast<Dimension>(created)->Rename("y"));
  ASSERT_TRUE(std::static_pointer_cast<MDArray>(x)->Rename("y"));
  EXPECT_EQ(root->GetDimensions(nullptr)[0], created);
  EXPECT_EQ(created->GetIndexingVariable()->GetDimensions()[0], created);
}

}  // namespace
}  // namespace gdal_zarr
