// SPDX-License-Identifier: MIT
#include <functional>
#include <memory>
#include <string>

#include "autotest/cpp/support/array_test_util.h"
#include "autotest/cpp/support/fault_store.h"
#include "autotest/cpp/support/hierarchy_test_util.h"
#include "zarrlib/hierarchy/editable_hierarchy.h"

/// What a hierarchy answers after a change that has failed, and what a second attempt leaves.
namespace zarr {
namespace {

using namespace test;

/// Makes a store, and lets each call of a change fail once. `check` gets the hierarchy after the failure.
void FailEachCall(const Documents& documents, const std::function<void(EditableHierarchy&)>& change,
                  const std::function<void(EditableHierarchy&, const std::shared_ptr<Store>&)>& check) {
  int failures = 0;
  for (bool happened = true; happened; ++failures) {
    const std::shared_ptr<Store> plain = StoreOf(documents);
    // Opening makes calls, too: they are counted once for each run.
    const auto counting = std::make_shared<FaultStore>(plain, Fault::kFails, failures + 1);
    std::shared_ptr<EditableHierarchy> hierarchy;
    try {
      hierarchy = EditableHierarchy::Open(counting);
      change(*hierarchy);
    } catch (const Error&) {
      ASSERT_TRUE(counting->happened());
      if (hierarchy) check(*hierarchy, plain);
    }
    happened = counting->happened();
  }
  EXPECT_GT(failures, 2);
}

TEST(HierarchyFailedChanges, AGroupsOwnConsolidatedMetadataAreDroppedByASecondAttempt) {
  const std::string own = R"({"zarr_consolidated_format": 1, "metadata": {".zgroup": )" + std::string(kV2Group) +
                          R"(, "a/.zarray": )" + std::string(kV2Array) + "}}";
  const Documents documents = {
      {".zgroup", kV2Group}, {"g/.zgroup", kV2Group}, {"g/.zmetadata", own}, {"g/a/.zarray", kV2Array}};
  FailEachCall(
      documents, [](EditableHierarchy& hierarchy) { hierarchy.EditAttributes("g/a", Mark); },
      [](EditableHierarchy& hierarchy, const std::shared_ptr<Store>& store) {
        hierarchy.EditAttributes("g/a", Mark);
        EXPECT_FALSE(store->Exists("g/.zmetadata"));
      });
}

TEST(HierarchyFailedChanges, AnArrayHasTheShapeThatIsStored) {
  const std::string consolidated = R"({"zarr_consolidated_format": 1, "metadata": {".zgroup": )" +
                                   std::string(kV2Group) + R"(, "a/.zarray": )" + std::string(kV2Array) + "}}";
  const Documents documents = {{".zgroup", kV2Group}, {"a/.zarray", kV2Array}, {".zmetadata", consolidated}};
  std::shared_ptr<const Array> held;
  FailEachCall(
      documents,
      [&](EditableHierarchy& hierarchy) {
        held = hierarchy.OpenArray("a");
        ArrayMetadata larger = held->metadata();
        larger.shape = {8};
        larger.chunk_grid = ChunkGrid::MakeRegular(larger.shape, {2});
        hierarchy.UpdateArray("a", held->metadata(), larger);
      },
      [](EditableHierarchy& hierarchy, const std::shared_ptr<Store>& store) {
        HierarchyOptions options;
        options.use_consolidated = false;
        EXPECT_EQ(hierarchy.OpenArray("a")->shape(), EditableHierarchy::Open(store, options)->OpenArray("a")->shape());
      });
}

TEST(HierarchyFailedChanges, ARootArrayThatCannotBeOpenedIsTakenBack) {
  const auto store = std::make_shared<CountingStore>();
  ArrayMetadata array = ParseArrayV3(Json(V3Array()));
  array.codecs.push_back({"gzip", Json(R"({"level": "much"})")});
  EXPECT_NE(ErrorOf([&] { EditableHierarchy::CreateRootArray(store, array); }).kind(), ErrorKind::kIo);
  EXPECT_FALSE(store->Exists("zarr.json"));
  EditableHierarchy::CreateRootArray(store, ParseArrayV3(Json(V3Array())));
}

}  // namespace
}  // namespace zarr
