// SPDX-License-Identifier: MIT
#include "zarrlib/array/read/stored_chunks.h"

#include "autotest/cpp/support/array_test_util.h"

namespace zarr {
namespace {

using namespace test;
using Indices = std::vector<std::string>;

Indices IndicesOf(const Array& array, const Box& chunks) {
  Indices indices;
  ForEachStoredChunk(array, chunks, [&](const Shape& index) { indices.push_back(ToString(index)); });
  return indices;
}

Indices Sorted(Indices indices) {
  std::sort(indices.begin(), indices.end());
  return indices;
}

/// A grid of 4000 x 4000 chunks: too many to ask for each.
struct LargeGrid {
  LargeGrid() : array(MakeArray(store, Metadata({4000, 4000}, "[1, 1]", kPlain))) {}
  std::shared_ptr<CountingStore> store = std::make_shared<CountingStore>();
  std::shared_ptr<const Array> array;
};

TEST(StoredChunks, AreAllOfASmallBoxStoredOrNot) {
  const LargeGrid grid;
  EXPECT_EQ(IndicesOf(*grid.array, {{7, 3}, {2, 2}}), (Indices{"[7,3]", "[7,4]", "[8,3]", "[8,4]"}));
  EXPECT_EQ(IndicesOf(*grid.array, {{0, 0}, {32, 32}}).size(), 1024u);
}

TEST(StoredChunks, AreAskedForIfOnlyExistingOnesAreWanted) {
  const LargeGrid grid;
  for (const char* key : {"a/c/7/3", "a/c/8/4", "a/c/9/4", "a/c/3000/3000"}) grid.store->SetText(key, "chunk");
  const auto list = [&](const Box& chunks) {
    Indices indices;
    ForEachExistingChunk(*grid.array, chunks, [&](const Shape& index) { indices.push_back(ToString(index)); });
    return Sorted(indices);
  };
  EXPECT_EQ(list({{7, 3}, {2, 2}}), (Indices{"[7,3]", "[8,4]"}));
  EXPECT_EQ(list({{8, 3}, {1992, 1997}}), (Indices{"[8,4]", "[9,4]"}));
  EXPECT_EQ(list({{7, 3}, {0, UINT64_MAX}}), Indices());
}

TEST(StoredChunks, AreNoneOfAnEmptyBox) {
  const LargeGrid grid;
  EXPECT_EQ(IndicesOf(*grid.array, {{7, 3}, {0, 2}}), Indices());
  EXPECT_EQ(IndicesOf(*grid.array, {{7, 3}, {4000, 0}}), Indices());
}

TEST(StoredChunks, AreTheStoredOnesOfALargeBox) {
  const LargeGrid grid;
  for (const char* key : {"a/c/10/10", "a/c/10/2009", "a/c/9/10", "a/c/2010/10", "a/c/2009/2009"}) {
    grid.store->SetText(key, "chunk");
  }
  EXPECT_EQ(Sorted(IndicesOf(*grid.array, {{10, 10}, {2000, 2000}})), (Indices{"[10,10]", "[10,2009]", "[2009,2009]"}));
  EXPECT_EQ(grid.store->TakeReads(), 0);
  EXPECT_EQ(IndicesOf(*grid.array, {{100, 100}, {1000, 1000}}), Indices());
}

TEST(StoredChunks, AreNotFilesOfOthers) {
  const LargeGrid grid;
  for (const char* key : {"a/c/10/10", "a/zarr.json", "a/c/10/x", "a/c/x/10", "a/c/10/10.aux.xml", "a/c/010/11",
                          "a/c/10/12/13", "a/10/14", "b/c/10/15", "a/d/10/16", "a/10.17", "a/c/c/10/18"}) {
    grid.store->SetText(key, "text");
  }
  EXPECT_EQ(IndicesOf(*grid.array, {{0, 0}, {4000, 4000}}), Indices{"[10,10]"});
}

TEST(StoredChunks, AreFoundByKeysOfOtherForms) {
  const auto store = std::make_shared<CountingStore>();
  const auto array_of = [&](std::string_view separator) {
    const std::string text = R"({"zarr_format": 2, "shape": [4000, 4000], "chunks": [1, 1], "dtype": "<i4",)"
                             R"("compressor": null, "fill_value": 0, "order": "C", "filters": null,)"
                             R"("dimension_separator": ")" +
                             std::string(separator) + "\"}";
    return Array::Make(store, "", ParseArrayV2(Json(text), std::nullopt));
  };
  for (const char* key : {"3.5", "3.4000", "4/6", "5.6/7", "c/8/9", ".zarray"}) store->SetText(key, "chunk");
  const Box all{{0, 0}, {4000, 4000}};
  EXPECT_EQ(IndicesOf(*array_of("."), all), Indices{"[3,5]"});
  EXPECT_EQ(IndicesOf(*array_of("/"), all), Indices{"[4,6]"});
}

TEST(StoredChunks, AreAskedForInAStoreThatCannotList) {
  const LargeGrid grid;
  grid.store->DisableListing();
  EXPECT_EQ(IndicesOf(*grid.array, {{0, 0}, {1024, 1024}}).size(), std::size_t{1} << 20);
  int calls = 0;
  const Box more{{0, 0}, {1024, 1025}};
  ExpectError([&] { ForEachStoredChunk(*grid.array, more, [&](const Shape&) { ++calls; }); }, ErrorKind::kLimitExceeded,
              "", "1048576 chunks");
  EXPECT_EQ(calls, 0);
  ExpectError([&] { CheckChunksCanBeFound(*grid.array, more); }, ErrorKind::kLimitExceeded, "", "[1024,1025]");
  CheckChunksCanBeFound(*grid.array, {{0, 0}, {1024, 1024}});
  CheckChunksCanBeFound(*grid.array, {{0, 0, 0}, {UINT64_MAX, UINT64_MAX, 0}});
}

TEST(StoredChunks, AreCountedWithoutAnOverflow) {
  const auto store = std::make_shared<CountingStore>();
  const std::uint64_t edge = std::uint64_t{1} << 40;
  const auto array = MakeArray(store, Metadata({edge, edge}, "[1, 1]", kPlain));
  store->SetText("a/c/5/1099511627775", "chunk");
  EXPECT_EQ(IndicesOf(*array, {{0, 0}, {edge, edge}}), Indices{"[5,1099511627775]"});
  store->DisableListing();
  ExpectError([&] { IndicesOf(*array, {{0, 0}, {edge, edge}}); }, ErrorKind::kLimitExceeded, "", "chunks");
}

TEST(StoredChunks, PassErrorsOfTheCallerOn) {
  const LargeGrid grid;
  grid.store->SetText("a/c/0/0", "chunk");
  const auto fail = [](const Shape&) { throw Error(ErrorKind::kIo, "stop"); };
  for (const std::uint64_t edge : {2, 4000}) {
    ExpectError([&] { ForEachStoredChunk(*grid.array, {{0, 0}, {edge, edge}}, fail); }, ErrorKind::kIo, "", "stop");
  }
}

}  // namespace
}  // namespace zarr
