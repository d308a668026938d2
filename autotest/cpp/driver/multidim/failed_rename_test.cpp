// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include <memory>
#include <string>

#include "autotest/cpp/support/array_test_util.h"
#include "autotest/cpp/support/fault_store.h"
#include "driver/multidim/group.h"
#include "driver/multidim/md_array.h"
#include "zarrlib/hierarchy/editable_hierarchy.h"
#include "zarrlib/store/memory_store.h"

namespace gdal_zarr {
namespace {

using zarr::test::Fault;
using zarr::test::FaultStore;

std::shared_ptr<zarr::Store> MakeStore(int number) {
  auto store = std::make_shared<zarr::MemoryStore>("failed renames " + std::to_string(number));
  const auto hierarchy = zarr::EditableHierarchy::Create(store, zarr::ZarrFormat::kV3);
  hierarchy->CreateGroup("g");
  hierarchy->CreateArray("g/a",
                         zarr::ParseArrayV3(zarr::test::Json(zarr::test::Metadata({4}, "[2]", zarr::test::kPlain))));
  hierarchy->SetConsolidate(true);
  hierarchy->WriteConsolidated();
  return store;
}

/// Renames the group while call `number` of the store fails. Returns whether that call was made.
bool ExpectObjectsFollow(int number) {
  const auto store = MakeStore(number);
  const auto faulty = std::make_shared<FaultStore>(store, Fault::kLosesAnswer, number);
  const auto resource = std::make_shared<SharedResource>(zarr::EditableHierarchy::Open(faulty), OpenOptions(), true);
  const auto array = MDArray::Make(resource, "g/a");
  const auto group = Group::Make(resource, "g");
  try {
    resource->RenameNode("g", "h");
  } catch (const zarr::Error&) {
    EXPECT_TRUE(faulty->happened());
  }
  const bool has_moved = !store->Exists("g/a/zarr.json") && store->Exists("h/a/zarr.json");
  EXPECT_EQ(array->node(), has_moved ? "h/a" : "g/a");
  EXPECT_EQ(array->array().path(), has_moved ? "h/a" : "g/a");
  EXPECT_EQ(group->GetFullName(), has_moved ? "/h" : "/g");
  EXPECT_FALSE(array->deleted());
  resource->edits().saving.Abandon();
  return faulty->happened();
}

TEST(FailedRename, ObjectsFollowANodeThatHasMoved) {
  int number = 1;
  while (ExpectObjectsFollow(number)) ++number;
  EXPECT_GT(number, 3) << "a rename changes the consolidated metadata, and the folder";
}

}  // namespace
}  // namespace gdal_zarr
