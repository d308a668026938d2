// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include <memory>
#include <string>

#include "autotest/cpp/support/array_test_util.h"
#include "autotest/cpp/support/fault_store.h"
#include "driver/multidim/shared_dimensions.h"
#include "zarrlib/hierarchy/editable_hierarchy.h"
#include "zarrlib/store/memory_store.h"

namespace gdal_zarr {
namespace {

using zarr::test::Fault;
using zarr::test::FaultStore;

constexpr const char* kNames = R"({"spatial:dimensions":["y","x"],"other":["y"]})";
constexpr const char* kRenamed = R"({"spatial:dimensions":["row","x"],"other":["y"]})";

/// A store of an array "g/a" with dimensions y and x, and an array "g/b" whose y has that length.
class RenamedDimensionTest : public testing::Test {
 protected:
  void MakeWithOther(std::uint64_t length) {
    const auto hierarchy = zarr::EditableHierarchy::Create(store_, zarr::ZarrFormat::kV3);
    hierarchy->CreateGroup("g", zarr::test::Json(kNames));
    hierarchy->CreateArray("g/a", MakeRaster(4));
    hierarchy->CreateArray("g/b", MakeRaster(length));
  }
  void RenameWithOther(std::uint64_t length) {
    MakeWithOther(length);
    const auto resource = std::make_shared<SharedResource>(zarr::EditableHierarchy::Open(store_), OpenOptions(), true);
    RenameSharedDimension(resource, {"/g/y", 4}, "row");
    resource->Flush();
  }
  static zarr::ArrayMetadata MakeRaster(std::uint64_t height) {
    zarr::ArrayMetadata array = zarr::test::MakeLineMetadata(zarr::ZarrFormat::kV3, height);
    array.shape = {height, 4};
    array.chunk_grid = zarr::ChunkGrid::MakeRegular(array.shape, {2, 2});
    array.dimension_names = {"y", "x"};
    array.attributes = zarr::test::Json(kNames);
    return array;
  }
  std::string GetAttributes(const std::string& path) {
    return zarr::Hierarchy::Open(store_)->OpenArray(path)->metadata().attributes.Dump();
  }
  std::string GetAttributesOfGroup() { return zarr::Hierarchy::Open(store_)->OpenGroup("g").attributes.Dump(); }

  std::shared_ptr<zarr::MemoryStore> store_ =
      std::make_shared<zarr::MemoryStore>(testing::UnitTest::GetInstance()->current_test_info()->name());
};

TEST_F(RenamedDimensionTest, HasItsNameInAttributes) {
  RenameWithOther(4);
  EXPECT_EQ(GetAttributes("g/a"), kRenamed);
  EXPECT_EQ(GetAttributes("g/b"), kRenamed);
  EXPECT_EQ(GetAttributesOfGroup(), kRenamed);
}

TEST_F(RenamedDimensionTest, AnotherOfItsFormerNameKeepsThatOfTheGroup) {
  RenameWithOther(2);
  EXPECT_EQ(GetAttributes("g/a"), kRenamed);
  EXPECT_EQ(GetAttributes("g/b"), kNames);
  EXPECT_EQ(GetAttributesOfGroup(), kNames);
}

TEST_F(RenamedDimensionTest, NeedsNoArray) {
  const auto made = zarr::EditableHierarchy::Create(store_, zarr::ZarrFormat::kV3);
  const auto resource = std::make_shared<SharedResource>(made, OpenOptions(), true);
  resource->edits().dimensions.Add("", {"y", "", "", 4});
  RenameSharedDimension(resource, {"/y", 4}, "row");
  EXPECT_TRUE(resource->edits().dimensions.Has("", "row"));
  EXPECT_FALSE(resource->edits().dimensions.Has("", "y"));
}

/// Renames the dimension y while call `number` of the store fails. Returns whether that call was made.
bool RenameWithFault(const std::shared_ptr<zarr::Store>& store, int number) {
  const auto faulty = std::make_shared<FaultStore>(store, Fault::kFails, number);
  try {
    const auto resource = std::make_shared<SharedResource>(zarr::EditableHierarchy::Open(faulty), OpenOptions(), true);
    RenameSharedDimension(resource, {"/g/y", 4}, "row");
  } catch (const zarr::Error&) {
    EXPECT_TRUE(faulty->happened());
  }
  return faulty->happened();
}

TEST_F(RenamedDimensionTest, IsRenamedEverywhereOrNowhere) {
  bool has_failed = true;
  for (int number = 1; has_failed; ++number) {
    store_ = std::make_shared<zarr::MemoryStore>("failed rename " + std::to_string(number));
    MakeWithOther(4);
    has_failed = RenameWithFault(store_, number);
    EXPECT_EQ(GetAttributes("g/b"), GetAttributes("g/a")) << number;
    EXPECT_EQ(GetAttributesOfGroup(), GetAttributes("g/a")) << number;
  }
  EXPECT_EQ(GetAttributesOfGroup(), kRenamed);
}

}  // namespace
}  // namespace gdal_zarr
