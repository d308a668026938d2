// SPDX-License-Identifier: MIT
#include "zarrlib/array/read/absent_chunks.h"

#include "autotest/cpp/support/array_test_util.h"

namespace zarr {
namespace {

using namespace test;

const std::string kShards = R"([{"name": "sharding_indexed", "configuration": {"chunk_shape": [1, 1], "codecs": )" +
                            std::string(kPlain) +
                            R"(, "index_codecs": [{"name": "bytes", "configuration": {"endian": "little"}}]}}])";

std::shared_ptr<CountingStore> MakeNamingStore() {
  auto store = std::make_shared<CountingStore>();
  store->TellNames();
  return store;
}

std::vector<std::int32_t> ReadInOneThread(const Array& array) {
  ReadOptions options;
  options.threads = 1;
  return Read(array, WholeOf(array), options);
}

TEST(AbsentChunks, ARowThatIsAbsentTakesOneLook) {
  for (const std::string& codecs : {std::string(kPlain), kShards}) {
    const auto store = MakeNamingStore();
    const auto array = MakeArray(store, Metadata({16, 16}, codecs == kShards ? "[2, 1]" : "[1, 1]", codecs));
    store->TakeReads();
    EXPECT_EQ(ReadInOneThread(*array), std::vector<std::int32_t>(256, -1));
    EXPECT_EQ(store->TakeReads(), codecs == kShards ? 8 : 16);
  }
}

TEST(AbsentChunks, ManyInAFolderTakeAFewLooks) {
  const auto store = MakeNamingStore();
  const auto array = MakeArray(store, Metadata({1, 256}, "[1, 1]", kPlain));
  std::set<std::uint64_t> absent;
  for (std::uint64_t i = 0; i < 256; ++i) {
    if (i != 100 && i != 200) absent.insert(i);
  }
  Write(store.get(), *array, absent);
  store->TakeReads();
  const auto values = ReadInOneThread(*array);
  EXPECT_EQ(store->TakeReads(), 8 + 2);
  EXPECT_EQ(values[100], Expected(array->shape(), WholeOf(*array))[100]);
  EXPECT_EQ(std::ranges::count(values, -1), 254);
}

TEST(AbsentChunks, AStoreThatTellsNoNamesIsAskedForEach) {
  const auto store = std::make_shared<CountingStore>();
  const auto array = MakeArray(store, Metadata({16, 16}, "[1, 1]", kPlain));
  store->TakeReads();
  ReadInOneThread(*array);
  EXPECT_EQ(store->TakeReads(), 256);
}

TEST(AbsentChunks, OnANetworkOneListTellsThemAll) {
  const auto store = std::make_shared<CountingStore>(4);
  store->TellNames();
  const auto array = MakeArray(store, Metadata({32, 32}, "[1, 1]", kPlain));
  std::set<std::uint64_t> absent;
  for (std::uint64_t i = 0; i < 1024; ++i) {
    if (i != 700) absent.insert(i);
  }
  Write(store.get(), *array, absent);
  store->TakeReads();
  const auto values = ReadInOneThread(*array);
  EXPECT_EQ(store->lists(), 1);
  // While one thread reads the list, the other three go on with requests.
  const int reads = store->TakeReads();
  EXPECT_GE(reads, 8 + 1);
  EXPECT_LE(reads, 1024 / 4);
  EXPECT_EQ(values[700], Expected(array->shape(), WholeOf(*array))[700]);
  EXPECT_EQ(std::ranges::count(values, -1), 1023);
}

TEST(AbsentChunks, OnANetworkAReadOfFewTakesNoList) {
  const auto store = std::make_shared<CountingStore>(4);
  store->TellNames();
  const auto array = MakeArray(store, Metadata({8, 8}, "[1, 1]", kPlain));
  store->TakeReads();
  ReadInOneThread(*array);
  EXPECT_EQ(store->lists(), 0);
  EXPECT_EQ(store->TakeReads(), 64);
}

TEST(AbsentChunks, ThatAreAddedAreSeenByTheNextRead) {
  const auto store = MakeNamingStore();
  const auto array = MakeArray(store, Metadata({16, 16}, "[1, 1]", kPlain));
  ReadInOneThread(*array);
  Write(store.get(), *array);
  EXPECT_EQ(ReadInOneThread(*array), Expected(array->shape(), WholeOf(*array)));
}

TEST(AbsentChunks, AStoreThatFailsIsNoAbsence) {
  const auto store = MakeNamingStore();
  const auto array = MakeArray(store, Metadata({16, 16}, "[1, 1]", kPlain));
  Write(store.get(), *array);
  store->FailAt("a/c/3/3");
  EXPECT_EQ(ErrorOf([&] { ReadInOneThread(*array); }).kind(), ErrorKind::kIo);
}

}  // namespace
}  // namespace zarr
