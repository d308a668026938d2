// SPDX-License-Identifier: MIT
#include "zarrlib/array/read/stored_elements.h"

#include "autotest/cpp/support/read_shards_test_util.h"
#include "zarrlib/codec/codec_pipeline.h"

namespace zarr {
namespace {

using namespace test;

TEST(StoredElements, AreThoseOfStoredChunks) {
  const auto store = std::make_shared<CountingStore>();
  const auto array = MakeArray(store, Metadata({7, 9}, "[4, 5]", kPlain));
  Write(store.get(), *array, {1});  // all but the chunk (0, 1)
  EXPECT_EQ(CountStoredElements(*array, {{0, 0}, {7, 9}}), 63u - 4 * 4);
  EXPECT_EQ(CountStoredElements(*array, {{2, 4}, {3, 2}}), 4u);
  EXPECT_EQ(CountStoredElements(*array, {{0, 5}, {4, 4}}), 0u);
  EXPECT_EQ(CountStoredElements(*array, {{0, 5}, {0, 4}}), 0u);
}

TEST(StoredElements, InARectilinearGrid) {
  const auto store = std::make_shared<CountingStore>();
  const auto array = MakeArray(store, Metadata({7, 9}, "[[2, 5], [4, 5]]", kPlain));
  Write(store.get(), *array, {0});  // all but the chunk (0, 0)
  EXPECT_EQ(CountStoredElements(*array, {{0, 0}, {7, 9}}), 63u - 2 * 4);
}

TEST(StoredElements, InShardsAreThoseOfInnerChunks) {
  const auto store = std::make_shared<CountingStore>();
  const auto array = MakeArray(store, Metadata({12, 8}, "[6, 8]", "[" + kPlainIndexShards + "]"));
  EXPECT_EQ(CountStoredElements(*array, {{0, 0}, {12, 8}}), 0u);
  std::vector<std::int32_t> values(48, -1);  // the fill value
  values[3 * 8 + 2] = 7;                     // in the inner chunk (1, 1)
  Bytes value;
  array->ResolveFor({6, 8})->Encode(BytesOf(values), &value);
  store->Set("a/c/0/0", value);
  EXPECT_EQ(CountStoredElements(*array, {{0, 0}, {12, 8}}), 6u);
  EXPECT_EQ(CountStoredElements(*array, {{4, 3}, {8, 5}}), 2u);
  EXPECT_EQ(CountStoredElements(*array, {{0, 0}, {3, 8}}), 0u);
}

TEST(StoredElements, ADamagedIndexIsAnError) {
  const auto store = std::make_shared<CountingStore>();
  const auto array = MakeArray(store, Metadata({6, 8}, "[6, 8]", "[" + kPlainIndexShards + "]"));
  store->Set("a/c/0/0", Bytes(5));
  EXPECT_EQ(ErrorOf([&] { CountStoredElements(*array, {{0, 0}, {1, 1}}); }).key(), "a/c/0/0");
}

}  // namespace
}  // namespace zarr
