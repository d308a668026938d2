// SPDX-License-Identifier: MIT
#include "zarrlib/array/read/absent_chunks.h"

#include "autotest/cpp/support/array_test_util.h"

namespace zarr {
namespace {

using namespace test;

const std::string kShardsOfElements =
    R"([{"name": "sharding_indexed", "configuration": {"chunk_shape": [1, 1], "codecs": )" + std::string(kPlain) +
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
  for (const std::string& codecs : {std::string(kPlain), kShardsOfElements}) {
    const auto store = MakeNamingStore();
    const auto array = MakeArray(store, Metadata({16, 7}, codecs == kShardsOfElements ? "[2, 1]" : "[1, 1]", codecs));
    store->TakeReads();
    EXPECT_EQ(ReadInOneThread(*array), std::vector<std::int32_t>(112, -1));
    EXPECT_EQ(store->TakeReads(), codecs == kShardsOfElements ? 8 : 16);
  }
}

TEST(AbsentChunks, ManyInAFolderTakeAFewLooks) {
  const auto store = MakeNamingStore();
  const auto array = MakeArray(store, Metadata({1, 127}, "[1, 1]", kPlain));
  std::set<std::uint64_t> absent;
  for (std::uint64_t i = 0; i < 127; ++i) {
    if (i != 50 && i != 100) absent.insert(i);
  }
  Write(store.get(), *array, absent);
  store->TakeReads();
  const auto values = ReadInOneThread(*array);
  EXPECT_EQ(store->TakeReads(), 8 + 2);
  EXPECT_EQ(values[100], Expected(array->shape(), WholeOf(*array))[100]);
  EXPECT_EQ(std::ranges::count(values, -1), 125);
}

TEST(AbsentChunks, AStoreThatTellsNoNamesIsAskedForEach) {
  const auto store = std::make_shared<CountingStore>();
  const auto array = MakeArray(store, Metadata({16, 16}, "[1, 1]", kPlain));
  store->TakeReads();
  ReadInOneThread(*array);
  EXPECT_EQ(store->TakeReads(), 256);
}

constexpr int kWidth = 4;  // requests at once

/// An array of 32 * 32 chunks on a network, one of which is stored.
struct SparseArray {
  std::shared_ptr<CountingStore> store = std::make_shared<CountingStore>(kWidth);
  std::shared_ptr<const Array> array = Open();

  SparseArray() {
    store->TellNames();
    Add(700);
    store->TakeReads();
  }
  std::shared_ptr<const Array> Open() const { return MakeArray(store, Metadata({32, 32}, "[1, 1]", kPlain)); }
  /// Stores a chunk, as another process does.
  void Add(std::uint64_t chunk) const {
    std::set<std::uint64_t> absent;
    for (std::uint64_t i = 0; i < 1024; ++i) {
      if (i != chunk) absent.insert(i);
    }
    Write(store.get(), *array, absent);
  }
  std::int32_t ExpectedAt(std::uint64_t chunk) const { return Expected(array->shape(), WholeOf(*array))[chunk]; }
};

std::vector<std::int32_t> ReadRow(const Array& array, std::uint64_t row) {
  ReadOptions options;
  options.threads = 1;
  return Read(array, Selection{{row, 0}, {1, 32}, {1, 1}}, options);
}

TEST(AbsentChunks, OnANetworkOneListTellsThemAll) {
  const SparseArray sparse;
  const auto values = ReadInOneThread(*sparse.array);
  EXPECT_EQ(sparse.store->lists(), 1);
  // While one thread reads the list, the other three wait.
  const int reads = sparse.store->TakeReads();
  EXPECT_GE(reads, 8 + 1);
  EXPECT_LE(reads, 8 + kWidth);
  EXPECT_EQ(values[700], sparse.ExpectedAt(700));
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

TEST(AbsentChunks, OnANetworkOneListTellsAllRows) {
  const SparseArray sparse;
  for (std::uint64_t row = 0; row < 32; ++row) EXPECT_EQ(ReadRow(*sparse.array, row)[0], -1);
  EXPECT_EQ(sparse.store->lists(), 1);
  // The first row, and the chunk that is there.
  EXPECT_EQ(sparse.store->TakeReads(), 32 + 1);
}

TEST(AbsentChunks, OnANetworkAChunkThatIsReadAgainIsLookedForAnew) {
  const SparseArray sparse;
  ReadInOneThread(*sparse.array);
  sparse.Add(100);
  sparse.store->TakeReads();
  EXPECT_EQ(ReadInOneThread(*sparse.array)[100], sparse.ExpectedAt(100));
  EXPECT_EQ(sparse.store->lists(), 2);
  sparse.Add(104);
  EXPECT_EQ(ReadRow(*sparse.array, 104 / 32)[104 % 32], sparse.ExpectedAt(104));
  sparse.Add(999);
  const Selection one{{999 / 32, 999 % 32}, {1, 1}, {1, 1}};
  EXPECT_EQ(Read(*sparse.array, one), std::vector<std::int32_t>{sparse.ExpectedAt(999)});
}

TEST(AbsentChunks, OnANetworkAnArrayThatIsOpenedLaterIsListedAnew) {
  const SparseArray sparse;
  ReadRow(*sparse.array, 0);
  ReadRow(*sparse.array, 1);
  EXPECT_EQ(sparse.store->lists(), 1);
  sparse.Add(100);
  const auto later = sparse.Open();
  EXPECT_EQ(ReadRow(*later, 3)[4], sparse.ExpectedAt(100));
}

TEST(AbsentChunks, OnANetworkAStoredChunkIsSeenAtOnce) {
  const SparseArray sparse;
  ReadRow(*sparse.array, 0);
  ReadRow(*sparse.array, 1);
  sparse.Add(100);
  sparse.array->ForgetChunk({3, 4}, *sparse.array->ResolveFor({1, 1}));
  EXPECT_EQ(ReadRow(*sparse.array, 3)[4], sparse.ExpectedAt(100));
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
