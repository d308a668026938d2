// SPDX-License-Identifier: MIT
#include <functional>
#include <memory>
#include <string>

#include "autotest/cpp/support/array_test_util.h"
#include "autotest/cpp/support/failing_allocations.h"
#include "autotest/cpp/support/hierarchy_test_util.h"
#include "autotest/cpp/support/temporary_folder.h"
#include "zarrlib/hierarchy/editable_hierarchy.h"
#include "zarrlib/store/filesystem_store.h"

/// Whichever allocation of a change fails, a change can be made again, and others find the store unlocked.
namespace zarr {
namespace {

using namespace test;

using HierarchyChange = std::function<void(EditableHierarchy& hierarchy)>;

std::shared_ptr<EditableHierarchy> OpenFolder(const std::string& folder) {
  return EditableHierarchy::Open(std::make_shared<FilesystemStore>(folder));
}

std::shared_ptr<EditableHierarchy> MakeFolder(const std::string& folder) {
  auto hierarchy = EditableHierarchy::Create(std::make_shared<FilesystemStore>(folder), ZarrFormat::kV3);
  hierarchy->CreateGroup("g");
  hierarchy->CreateArray("g/a", ParseArrayV3(Json(V3Array())));
  return hierarchy;
}

/// Returns how many allocations the change takes.
int FailEachAllocation(const HierarchyChange& change) {
  for (int allocations = 0;; ++allocations) {
    const TemporaryFolder folder;
    const std::string store = (folder.path() / "a.zarr").string();
    const auto hierarchy = MakeFolder(store);
    if (SucceedsWithin(allocations, [&] { change(*hierarchy); })) return allocations;
    hierarchy->EditAttributes("g", Mark);
    OpenFolder(store)->EditAttributes("g/a", Mark);
    EXPECT_TRUE(OpenFolder(store)->OpenArray("g/a")->metadata().attributes.Has("marked")) << allocations;
  }
}

TEST(HierarchyMemory, AttributesAreEditedAgain) {
  EXPECT_GT(FailEachAllocation([](EditableHierarchy& hierarchy) { hierarchy.EditAttributes("g/a", Mark); }), 20);
}

TEST(HierarchyMemory, NodesThatWereToBeLockedAreFree) {
  EXPECT_GT(FailEachAllocation([](EditableHierarchy& hierarchy) { hierarchy.LockNodes({"g", "g/a"}); }), 20);
}

}  // namespace
}  // namespace zarr
