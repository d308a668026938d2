// SPDX-License-Identifier: MIT
#include "autotest/cpp/support/array_writer_test_util.h"
#include "autotest/cpp/support/hierarchy_test_util.h"
#include "zarrlib/hierarchy/editable_hierarchy.h"
#include "zarrlib/hierarchy/resize.h"

/// Resizes of arrays of which parts are missing: chunks, or all elements along an axis.
namespace zarr {
namespace {

using namespace test;

constexpr const char* kV3Group = R"({"zarr_format": 3, "node_type": "group"})";

Shape ResizedOf(const std::shared_ptr<CountingStore>& store, const std::vector<Shape>& shapes) {
  const auto hierarchy = EditableHierarchy::Open(store);
  for (const Shape& shape : shapes) ResizeArray(*hierarchy, hierarchy->OpenArray("a"), shape);
  return EditableHierarchy::Open(store)->OpenArray("a")->shape();
}

std::string Rectilinear(const Shape& shape, std::string_view edges) {
  std::string text = Metadata(shape, "[1, 1]", kPlain);
  const std::string plain = R"("regular", "configuration": {"chunk_shape": [1, 1]})";
  const auto at = text.find(plain);
  EXPECT_NE(at, text.npos) << text;
  return text.replace(
      at, plain.size(),
      R"("rectilinear", "configuration": {"kind": "inline", "chunk_shapes": )" + std::string(edges) + "}");
}

TEST(ResizeOfMissing, AnAxisWithOneEdgeGrowsFromNothing) {
  const auto store = StoreOf({{"zarr.json", kV3Group}, {"a/zarr.json", Rectilinear({0, 6}, "[4, [2, 4]]")}});
  EXPECT_EQ(ResizedOf(store, {{0, 5}, {7, 6}}), (Shape{7, 6}));
  const auto array = EditableHierarchy::Open(store)->OpenArray("a");
  EXPECT_EQ(array->metadata().chunk_grid.grid_shape(), (Shape{2, 2}));
  EXPECT_EQ(array->metadata().document.At("chunk_grid").At("configuration").At("chunk_shapes")[0].Dump(), "4");
}

TEST(ResizeOfMissing, ChunksThatAreNotStoredStaySo) {
  for (const std::string type : {"|O", "<i4"}) {
    const std::string filters = type == "|O" ? R"([{"id": "vlen-utf8"}])" : "null";
    const auto store = StoreOf({{".zgroup", kV2Group},
                                {"a/.zarray", R"({"zarr_format": 2, "shape": [10], "chunks": [4], "dtype": ")" + type +
                                                  R"(", "compressor": null, "fill_value": null, "order": "C",)" +
                                                  R"("filters": )" + filters + "}"}});
    EXPECT_EQ(ResizedOf(store, {{6}, {3}, {10}}), Shape{10});
    for (const char* key : {"a/0", "a/1", "a/2"}) EXPECT_FALSE(store->Exists(key)) << key << type;
  }
}

TEST(ResizeOfMissing, ChunksUnderCapitalKeysAreRemoved) {
  const auto store = StoreOf({{"zarr.json", kV3Group}, {"a/zarr.json", Metadata({4000, 4000}, "[1, 1]", kPlain)}});
  for (const char* key : {"a/C/5/7", "a/C/1/1", "a/c/6/8"}) store->SetText(key, "0123");
  HierarchyOptions options;
  options.chunk_key_form = "C/0/0";
  const auto hierarchy = EditableHierarchy::Open(store, options);
  ResizeArray(*hierarchy, hierarchy->OpenArray("a"), {2, 2});
  EXPECT_FALSE(store->Exists("a/C/5/7"));
  EXPECT_TRUE(store->Exists("a/C/1/1"));
  EXPECT_TRUE(store->Exists("a/c/6/8"));
}

}  // namespace
}  // namespace zarr
