// SPDX-License-Identifier: MIT
#include "zarrlib/array/other_chunk_keys.h"

#include "autotest/cpp/support/hierarchy_test_util.h"
#include "zarrlib/hierarchy/editable_hierarchy.h"

namespace zarr {
namespace {

using namespace test;

std::shared_ptr<CountingStore> StoreWith(const std::string& key) {
  auto store = StoreOf({{"a/.zarray", R"({"zarr_format": 2, "shape": [4, 4], "chunks": [2, 2], "dtype": "<i4",
      "compressor": null, "fill_value": 2, "order": "C", "filters": null})"},
                        {".zgroup", kV2Group}});
  if (!key.empty()) store->SetText("a/" + key, "0123456789abcdef");
  return store;
}

std::string FormIn(const std::string& key) {
  const auto keys = FindOtherChunkKeys(*EditableHierarchy::Open(StoreWith(key))->OpenArray("a"));
  return keys ? keys->form : "";
}

TEST(OtherChunkKeys, AreFoundInEachForm) {
  EXPECT_EQ(FormIn("1/0"), "/");
  EXPECT_EQ(FormIn("c/1/0"), "c/0/0");
  EXPECT_EQ(FormIn("c.1.0"), "c.0.0");
  EXPECT_EQ(FormIn("C/1/0"), "C/0/0");
}

TEST(OtherChunkKeys, AreNoOtherFiles) {
  for (const char* key : {"", "1.0", "x", "1", "1.0.0", "1/0/0", "c/1", "d/1/0", "1/x", "01/0"}) {
    EXPECT_EQ(FormIn(key), "") << key;
  }
}

TEST(OtherChunkKeys, AreLookedForOnceAfterAReadThatFindsNothing) {
  for (const bool finds : {false, true}) {
    const auto store = StoreWith("1/0");
    if (finds) store->SetText("a/0.0", std::string(16, 'x'));
    std::vector<ArrayWarning> said;
    HierarchyOptions options;
    options.warn = [&](const ArrayWarning& warning) { said.push_back(warning); };
    const auto array = EditableHierarchy::Open(store, options)->OpenArray("a");
    std::vector<std::int32_t> values(4);
    const Selection first = Selection::FromBox({{0, 0}, {2, 2}});
    const Destination destination{reinterpret_cast<std::byte*>(values.data()), Strides{8, 4}};
    for (int i = 0; i < 3; ++i) array->Read(first, destination);
    ASSERT_EQ(said.size(), finds ? 0u : 1u);
    if (finds) continue;
    EXPECT_EQ(said[0].kind, ArrayWarning::Kind::kOtherChunkKeys);
    EXPECT_EQ(said[0].form, "/");
    EXPECT_EQ(values[0], 2);
  }
}

TEST(OtherChunkKeys, AreReadIfTheFormIsGiven) {
  const auto store = StoreWith("0/0");
  HierarchyOptions options;
  options.chunk_key_form = "/";
  const auto array = EditableHierarchy::Open(store, options)->OpenArray("a");
  EXPECT_EQ(array->MakeChunkKey({0, 1}), "a/0/1");
  std::vector<std::int32_t> values(4);
  const Destination destination{reinterpret_cast<std::byte*>(values.data()), Strides{8, 4}};
  array->Read(Selection::FromBox({{0, 0}, {2, 2}}), destination);
  EXPECT_EQ(values, FromLittleEndian<std::int32_t>(AsBytes("0123456789abcdef")));
}

}  // namespace
}  // namespace zarr
