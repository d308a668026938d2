// SPDX-License-Identifier: MIT
#include "driver/cf/array_references.h"

#include <gtest/gtest.h>

#include <memory>
#include <string>

#include "autotest/cpp/support/array_test_util.h"
#include "autotest/cpp/support/fault_store.h"
#include "driver/multidim/md_array.h"
#include "zarrlib/hierarchy/editable_hierarchy.h"
#include "zarrlib/store/memory_store.h"

namespace gdal_zarr {
namespace {

using zarr::test::Fault;
using zarr::test::FaultStore;

/// A store whose arrays have attributes that name others.
class ArrayReferencesTest : public testing::Test {
 protected:
  void Make(const std::string& path, const std::string& attributes = "{}") {
    if (!hierarchy_) hierarchy_ = zarr::EditableHierarchy::Create(store_, zarr::ZarrFormat::kV3);
    for (std::size_t i = path.find('/'); i != path.npos; i = path.find('/', i + 1)) {
      if (!hierarchy_->Probe(path.substr(0, i))) hierarchy_->CreateGroup(path.substr(0, i));
    }
    zarr::ArrayMetadata array = zarr::test::MakeLineMetadata(zarr::ZarrFormat::kV3, 4);
    array.attributes = zarr::test::Json(attributes);
    hierarchy_->CreateArray(path, array);
  }
  void Rename(const std::string& from, const std::string& to) {
    const auto resource = std::make_shared<SharedResource>(zarr::EditableHierarchy::Open(store_), OpenOptions(), true);
    RenameWithReferences(*resource, from, to);
    resource->Flush();
  }
  std::string Get(const std::string& path) {
    return zarr::Hierarchy::Open(store_)->OpenArray(path)->metadata().attributes.Dump();
  }
  std::string GetOfGroup(const std::string& path) {
    return zarr::Hierarchy::Open(store_)->OpenGroup(path).attributes.Dump();
  }

  std::shared_ptr<zarr::MemoryStore> store_ =
      std::make_shared<zarr::MemoryStore>(testing::UnitTest::GetInstance()->current_test_info()->name());
  std::shared_ptr<zarr::EditableHierarchy> hierarchy_;
};

TEST_F(ArrayReferencesTest, FollowInEveryFormOfAName) {
  Make("g/crs");
  Make("g/a", R"({"grid_mapping":"crs","coordinates":"crs2  crs\tcrs: xcrs","long_name":"crs","n":1})");
  Make("g/b", R"({"grid_mapping":"crs: x y other: crs","cell_measures":"area: crs crs: crs"})");
  Rename("g/crs", "g/utm");
  EXPECT_EQ(Get("g/a"), R"({"grid_mapping":"utm","coordinates":"crs2  utm\tcrs: xcrs","long_name":"crs","n":1})");
  EXPECT_EQ(Get("g/b"), R"({"grid_mapping":"utm: x y other: utm","cell_measures":"area: utm crs: utm"})");
}

TEST_F(ArrayReferencesTest, OfOtherGroupsFollowIfTheyAreFoundThere) {
  Make("g/crs");
  Make("g/sub/a", R"({"bounds":"crs ../crs ../../g/crs /g/crs /crs"})");
  Make("g/own/a", R"({"grid_mapping":"crs"})");
  Make("g/own/crs", R"({"climatology":"crs"})");
  Make("h/a", R"({"grid_mapping":"crs","coordinates":"/g/crs"})");
  Rename("g/crs", "g/utm");
  EXPECT_EQ(Get("g/sub/a"), R"({"bounds":"utm ../utm ../../g/utm /g/utm /crs"})");
  EXPECT_EQ(Get("g/own/a"), R"({"grid_mapping":"crs"})");
  EXPECT_EQ(Get("g/own/crs"), R"({"climatology":"crs"})");
  EXPECT_EQ(Get("h/a"), R"({"grid_mapping":"crs","coordinates":"/g/utm"})");
}

TEST_F(ArrayReferencesTest, ThroughARenamedGroupFollow) {
  Make("g/crs", R"({"bounds":"crs ../g/crs"})");
  Make("a", R"({"grid_mapping":"g/crs","coordinates":"g ./g/crs /g/../g/x"})");
  Rename("g", "h");
  EXPECT_EQ(Get("a"), R"({"grid_mapping":"h/crs","coordinates":"g ./h/crs /h/../g/x"})");
  EXPECT_EQ(Get("h/crs"), R"({"bounds":"crs ../h/crs"})");
}

TEST_F(ArrayReferencesTest, OfTheArrayItselfAndOfItsGroupFollow) {
  Make("g/lat", R"({"coordinates":"lat lon"})");
  hierarchy_->EditAttributes("g",
                             [](const auto&) { return zarr::test::Json(R"({"coordinates":"lat","bounds":"lat"})"); });
  Rename("g/lat", "g/y");
  EXPECT_EQ(Get("g/y"), R"({"coordinates":"y lon"})");
  EXPECT_EQ(GetOfGroup("g"), R"({"coordinates":"y","bounds":"lat"})");
}

TEST_F(ArrayReferencesTest, StayWhereTheNewNameWouldNotLeadThere) {
  Make("crs");
  Make("g/a", R"({"grid_mapping":"crs"})");
  Make("g/utm");
  Rename("crs", "utm");
  EXPECT_EQ(Get("g/a"), R"({"grid_mapping":"crs"})");
  Rename("utm", "crs");
  Rename("crs", "of UTM");
  EXPECT_EQ(Get("g/a"), R"({"grid_mapping":"crs"})");
}

TEST_F(ArrayReferencesTest, AreShownByObjects) {
  Make("crs");
  Make("a", R"({"grid_mapping":"crs"})");
  const auto resource = std::make_shared<SharedResource>(zarr::EditableHierarchy::Open(store_), OpenOptions(), true);
  const auto array = MDArray::Make(resource, "a");
  RenameWithReferences(*resource, "crs", "utm");
  EXPECT_EQ(array->attributes().Dump(), R"({"grid_mapping":"utm"})");
}

/// Renames crs to utm while call `number` of the store fails. Returns whether that call was made.
bool RenameWithFault(const std::shared_ptr<zarr::Store>& store, Fault fault, int number) {
  const auto faulty = std::make_shared<FaultStore>(store, fault, number);
  try {
    const auto resource = std::make_shared<SharedResource>(zarr::EditableHierarchy::Open(faulty), OpenOptions(), true);
    RenameWithReferences(*resource, "crs", "utm");
  } catch (const zarr::Error&) {
    EXPECT_TRUE(faulty->happened());
  }
  return faulty->happened();
}

TEST_F(ArrayReferencesTest, FollowAllOrNone) {
  for (const Fault fault : {Fault::kFails, Fault::kLosesAnswer}) {
    bool has_failed = true;
    for (int number = 1; has_failed; ++number) {
      store_ = std::make_shared<zarr::MemoryStore>("references " + std::to_string(number));
      hierarchy_ = nullptr;
      Make("crs");
      Make("a", R"({"coordinates":"utm","grid_mapping":"crs"})");
      Make("b", R"({"bounds":"crs"})");
      has_failed = RenameWithFault(store_, fault, number);
      const bool has_moved = store_->Exists("utm/zarr.json");
      EXPECT_EQ(Get("a"), R"({"coordinates":"utm","grid_mapping":")" + std::string(has_moved ? "utm" : "crs") + "\"}")
          << number;
      EXPECT_EQ(Get("b"), has_moved ? R"({"bounds":"utm"})" : R"({"bounds":"crs"})") << number;
    }
  }
}

}  // namespace
}  // namespace gdal_zarr
