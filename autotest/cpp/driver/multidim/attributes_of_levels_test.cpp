// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include <memory>
#include <string>

#include "autotest/cpp/support/array_test_util.h"
#include "driver/multidim/attribute.h"
#include "driver/multidim/md_array.h"
#include "zarrlib/hierarchy/editable_hierarchy.h"
#include "zarrlib/store/memory_store.h"

namespace gdal_zarr {
namespace {

constexpr const char* kLayout =
    R"({"zarr_conventions":[{"name":"multiscales","uuid":"d35379db-88df-4056-af3a-620245f8e347"}],)"
    R"("multiscales":{"layout":[{"asset":"a"},{"asset":"ovr_2x/a","derived_from":"a"}]}})";

/// A store of the array "a" with an attribute, and its level.
class AttributesOfLevelsTest : public testing::Test {
 protected:
  void Rename(const std::string& from, const std::string& to) {
    const auto hierarchy = zarr::EditableHierarchy::Create(store_, zarr::ZarrFormat::kV3);
    hierarchy->EditAttributes("", [](const zarr::JsonNode&) { return zarr::test::Json(kLayout); });
    hierarchy->CreateGroup("ovr_2x");
    hierarchy->CreateArray("a", MakeSquare(4, from));
    hierarchy->CreateArray("ovr_2x/a", MakeSquare(2, from));
    const auto resource = std::make_shared<SharedResource>(zarr::EditableHierarchy::Open(store_), OpenOptions(), true);
    const auto attribute = MDArray::Make(resource, "a")->GetAttribute(from);
    ASSERT_TRUE(attribute && dynamic_cast<Attribute&>(*attribute).Rename(to));
    resource->Flush();
  }
  static zarr::ArrayMetadata MakeSquare(std::uint64_t length, const std::string& attribute) {
    zarr::ArrayMetadata array = zarr::test::MakeLineMetadata(zarr::ZarrFormat::kV3, length);
    array.shape = {length, length};
    array.chunk_grid = zarr::ChunkGrid::MakeRegular(array.shape, {2, 2});
    array.attributes = zarr::test::Json("{\"" + attribute + "\":\"true\"}");
    return array;
  }
  std::string GetAttributes(const std::string& path) {
    return zarr::Hierarchy::Open(store_)->OpenArray(path)->metadata().attributes.Dump();
  }

  std::shared_ptr<zarr::MemoryStore> store_ =
      std::make_shared<zarr::MemoryStore>(testing::UnitTest::GetInstance()->current_test_info()->name());
};

TEST_F(AttributesOfLevelsTest, OneThatIsRenamedToAUnitIsTheirs) {
  Rename("unit", "units");
  EXPECT_EQ(GetAttributes("a"), R"({"units":"true"})");
  EXPECT_EQ(GetAttributes("ovr_2x/a"), R"({"units":"true"})");
}

TEST_F(AttributesOfLevelsTest, OneThatIsNoUnitAnyMoreIsNotTheirs) {
  Rename("uom", "other");
  EXPECT_EQ(GetAttributes("ovr_2x/a"), R"({"other":"true"})");
}

TEST_F(AttributesOfLevelsTest, OneThatSaysNothingAboutValuesStays) {
  Rename("one", "other");
  EXPECT_EQ(GetAttributes("ovr_2x/a"), R"({"one":"true"})");
}

TEST_F(AttributesOfLevelsTest, OneThatIsRenamedToTheSignednessMakesThemStale) {
  Rename("Unsigned", "_Unsigned");
  EXPECT_NE(GetAttributes("a").find(R"("start":[0,0],"shape":[4,4])"), std::string::npos) << GetAttributes("a");
  EXPECT_EQ(GetAttributes("ovr_2x/a"), R"({"_Unsigned":"true"})");
}

}  // namespace
}  // namespace gdal_zarr
