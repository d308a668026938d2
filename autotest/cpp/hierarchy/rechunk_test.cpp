// SPDX-License-Identifier: MIT
#include "zarrlib/hierarchy/rechunk.h"

#include <memory>
#include <string>

#include "autotest/cpp/support/array_test_util.h"
#include "autotest/cpp/support/array_writer_test_util.h"
#include "autotest/cpp/support/fault_store.h"
#include "zarrlib/hierarchy/editable_hierarchy.h"
#include "zarrlib/store/memory_store.h"

/// An array that gets other chunks has its elements and its name, whatever its store does.
namespace zarr {
namespace {

using namespace test;

const Shape kShape = {6, 4};
const std::vector<std::int32_t> kValues = [] {
  std::vector<std::int32_t> values(24);
  std::iota(values.begin(), values.end(), 100);
  return values;
}();

std::shared_ptr<MemoryStore> MakeStoreToRechunk(bool consolidated) {
  static int count = 0;
  auto store = std::make_shared<MemoryStore>("rechunk" + std::to_string(count++));
  const auto hierarchy = EditableHierarchy::Create(store, ZarrFormat::kV3, Json("{}"));
  const auto array = hierarchy->CreateArray("a", ParseArrayV3(Json(Metadata(kShape, "[2, 4]", kPlain))));
  const auto writer = ArrayWriter::Make(array);
  WriteAll(writer.get(), WholeOf(*array), kValues);
  writer->Flush();
  hierarchy->SetConsolidate(consolidated);
  hierarchy->WriteConsolidated();
  return store;
}

std::shared_ptr<const Array> Rechunk(const std::shared_ptr<Store>& store) {
  const auto hierarchy = EditableHierarchy::Open(store);
  return RechunkArray(*hierarchy, hierarchy->OpenArray("a"), ChunkGrid::MakeRegular(kShape, {3, 2}));
}

void ExpectArray(const std::shared_ptr<Store>& store) {
  for (const bool use_consolidated : {false, true}) {
    HierarchyOptions options;
    options.use_consolidated = use_consolidated;
    const auto array = EditableHierarchy::Open(store, options)->OpenArray("a");
    EXPECT_EQ(Read(*array, WholeOf(*array)), kValues) << use_consolidated;
  }
}

TEST(Rechunk, KeepsElementsAndNothingElse) {
  for (const bool consolidated : {false, true}) {
    const auto store = MakeStoreToRechunk(consolidated);
    EXPECT_EQ(Rechunk(store)->metadata().chunk_grid.uniform_chunk_shape(), (Shape{3, 2}));
    ExpectArray(store);
    const auto hierarchy = EditableHierarchy::Open(store);
    EXPECT_EQ(hierarchy->consolidated(), consolidated);
    EXPECT_EQ(hierarchy->List("").size(), 1u);
  }
}

/// Whether a call was made that failed. From then on the store takes no writes, so that no step can be taken back.
bool RechunkInAStoreThatBreaks(bool consolidated, int number) {
  const auto store = MakeStoreToRechunk(consolidated);
  const auto breaking = std::make_shared<FaultStore>(store, Fault::kStaysBroken, number);
  try {
    Rechunk(breaking);
  } catch (const Error&) {
    EXPECT_TRUE(breaking->happened());
  }
  ExpectArray(store);
  return breaking->happened();
}

TEST(Rechunk, TheArrayIsThereIfTheStoreTakesNoMoreWrites) {
  for (const bool consolidated : {false, true}) {
    int number = 1;
    while (RechunkInAStoreThatBreaks(consolidated, number) && !HasFailure()) ++number;
    EXPECT_GT(number, 10);
  }
}

}  // namespace
}  // namespace zarr
