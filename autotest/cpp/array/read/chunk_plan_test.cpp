// SPDX-License-Identifier: MIT
#include "zarrlib/array/read/chunk_plan.h"

#include <atomic>
#include <random>
#include <thread>

#include "autotest/cpp/support/array_test_util.h"
#include "autotest/cpp/support/forwarding_folders.h"
#include "autotest/cpp/support/temporary_folder.h"
#include "zarrlib/store/filesystem_store.h"
#include "zarrlib/store/forwarding_store.h"

namespace zarr {
namespace {

using namespace test;

/// A store in memory that counts the lists of names, and the reads below a folder.
class ListedStore final : public ForwardingStore {
 public:
  ListedStore() : ListedStore(std::make_shared<CountingStore>()) {}

  StoreFolders* folders() const override { return &folders_; }
  CountingStore& counts() const { return *counts_; }
  int lists() const { return folders_.lists; }

 private:
  class CountingFolders final : public ForwardingFolders {
   public:
    using ForwardingFolders::ForwardingFolders;
    std::optional<std::vector<std::string>> ListNames(std::string_view prefix, std::size_t most) const override {
      ++lists;
      return inner().ListNames(prefix, most);
    }
    mutable std::atomic<int> lists = 0;
  };

  explicit ListedStore(const std::shared_ptr<CountingStore>& counts)
      : ForwardingStore(counts), counts_(counts), folders_(TellNames(*counts)) {}
  static StoreFolders& TellNames(CountingStore& counts) {
    counts.TellNames();
    return *counts.folders();
  }

  std::shared_ptr<CountingStore> counts_;
  mutable CountingFolders folders_;
};

/// Stores only some chunks, by their number.
void WriteOnly(Store* store, const Array& array, const std::set<std::uint64_t>& stored) {
  std::set<std::uint64_t> absent;
  const ChunkRange range(array.metadata().chunk_grid, WholeOf(array));
  for (std::uint64_t i = 0; i < range.count(); ++i) {
    if (!stored.contains(i)) absent.insert(i);
  }
  Write(store, array, absent);
}

/// What a read gives if only some chunks, each of one row of `columns` elements, are stored.
std::vector<std::int32_t> ExpectedOf(const Array& array, const Selection& selection, std::uint64_t columns,
                                     const std::set<std::uint64_t>& stored) {
  std::vector<std::int32_t> values = Expected(array.shape(), selection);
  const std::uint64_t width = array.shape()[array.rank() - 1], chunks = (width + columns - 1) / columns;
  for (std::int32_t& value : values) {
    const auto element = static_cast<std::uint64_t>(value);
    if (!stored.contains(element / width * chunks + element % width / columns)) value = -1;
  }
  return values;
}

TEST(ChunkPlan, WhereNoChunkIsStoredOneListTellsIt) {
  const auto store = std::make_shared<ListedStore>();
  const auto array = MakeArray(store, Metadata({64, 64}, "[1, 1]", kPlain));
  store->counts().TakeReads();
  EXPECT_EQ(Read(*array, WholeOf(*array)), std::vector<std::int32_t>(4096, -1));
  EXPECT_EQ(store->lists(), 1);
  EXPECT_EQ(store->counts().TakeReads(), 0);
}

TEST(ChunkPlan, AFolderThatExistsTakesOneListMore) {
  const auto store = std::make_shared<ListedStore>();
  const auto array = MakeArray(store, Metadata({8, 256}, "[1, 1]", kPlain));
  const std::set<std::uint64_t> stored = {0, 7, 3 * 256 + 255};
  WriteOnly(store.get(), *array, stored);
  store->counts().TakeReads();
  EXPECT_EQ(Read(*array, WholeOf(*array)), ExpectedOf(*array, WholeOf(*array), 1, stored));
  EXPECT_EQ(store->lists(), 1 + 2);
  EXPECT_EQ(store->counts().TakeReads(), 3);
}

TEST(ChunkPlan, AFullFolderIsNotListedToItsEnd) {
  const auto store = std::make_shared<ListedStore>();
  const auto array = MakeArray(store, Metadata({1, 256}, "[1, 1]", kPlain));
  Write(store.get(), *array);
  EXPECT_FALSE(PlanChunks(*array, ChunkRange(array->metadata().chunk_grid, WholeOf(*array))));
  EXPECT_EQ(Read(*array, WholeOf(*array)), Expected(array->shape(), WholeOf(*array)));
}

TEST(ChunkPlan, AReadOfFewChunksTakesNoList) {
  const auto store = std::make_shared<ListedStore>();
  const auto array = MakeArray(store, Metadata({10, 10}, "[1, 1]", kPlain));
  EXPECT_FALSE(PlanChunks(*array, ChunkRange(array->metadata().chunk_grid, WholeOf(*array))));
  EXPECT_EQ(store->lists(), 0);
}

TEST(ChunkPlan, BoxesAreFewAndCoverWhatIsAbsent) {
  const Shape shape = {30, 20, 10};
  const ChunkPlan plan(shape, {{1, 1}, {4321, 7}}, 1 << 20);
  std::vector<int> seen(6000, 0);
  for (std::uint64_t i = 0; i < plan.box_count(); ++i) {
    const Box box = plan.GetBox(i);
    Shape offset(3, 0);
    do {
      const Shape index = {box.origin[0] + offset[0], box.origin[1] + offset[1], box.origin[2] + offset[2]};
      ++seen.at((index[0] * 20 + index[1]) * 10 + index[2]);
    } while (AdvanceIndex(box.shape, &offset));
  }
  for (std::uint64_t i = 0; i < plan.stored_count(); ++i) ++seen.at(plan.GetStored(i));
  EXPECT_EQ(seen, std::vector<int>(6000, 1));
  EXPECT_EQ(plan.stored_count(), 8u);
  EXPECT_EQ(plan.GetStored(0), 1u);
  EXPECT_EQ(plan.GetStored(7), 4327u);
  EXPECT_LE(plan.box_count(), 12u);
}

/// In some file systems, such as tmpfs, a list of a folder often lacks a file that is replaced in the meantime.
TEST(ChunkPlan, AChunkThatIsReplacedIsNeverAbsent) {
  const TemporaryFolder folder;
  const auto store = std::make_shared<FilesystemStore>(folder.path().string());
  std::string metadata = Metadata({110, 110}, "[1, 1]", kPlain);
  const std::string_view encoding = R"("default")";
  const auto array = MakeArray(store, metadata.replace(metadata.find(encoding), encoding.size(), R"("v2")"));
  std::set<std::uint64_t> stored;
  for (std::uint64_t i = 0; i < 3000; ++i) stored.insert(i * 4);
  WriteOnly(store.get(), *array, stored);
  const std::vector<std::int32_t> expected = ExpectedOf(*array, WholeOf(*array), 1, stored);
  std::atomic<bool> ends = false;
  std::thread writer([&] {
    const std::string first = array->MakeChunkKey(Shape{0, 0});
    const auto value = store->GetText(first);
    while (!ends) store->Set(first, AsBytes(*value));
  });
  for (int i = 0; i < 30; ++i) EXPECT_EQ(Read(*array, WholeOf(*array)) == expected, true) << i;
  ends = true;
  writer.join();
}

/// Arrays of two and three axes, whose keys have folders or not.
class ChunkPlanKeys : public testing::TestWithParam<const char*> {};

TEST_P(ChunkPlanKeys, RandomReadsAreThoseOfChunksOneByOne) {
  std::mt19937 random(7);
  const auto below = [&](std::uint64_t end) { return random() % end; };
  for (int round = 0; round < 40; ++round) {
    const Shape shape = round % 2 ? Shape{12, 9, 50} : Shape{40, 150};
    const std::string chunks = round % 2 ? "[1, 1, 4]" : "[1, 4]";
    std::string metadata = Metadata(shape, chunks, kPlain);
    const std::string_view encoding = R"("default")";
    metadata.replace(metadata.find(encoding), encoding.size(), GetParam());
    const auto store = std::make_shared<ListedStore>();
    const auto array = MakeArray(store, metadata);
    const ChunkRange range(array->metadata().chunk_grid, WholeOf(*array));
    std::set<std::uint64_t> stored;
    for (std::uint64_t i = below(range.count() / 3); i > 0; --i) stored.insert(below(range.count()));
    WriteOnly(store.get(), *array, stored);
    Selection selection = WholeOf(*array);
    for (std::size_t i = 0; i < shape.size(); ++i) {
      selection.start[i] = below(3);
      selection.step[i] = 1 + below(2);
      selection.count[i] = (shape[i] - selection.start[i] - 1) / selection.step[i] + 1 - below(2);
    }
    EXPECT_EQ(Read(*array, selection), ExpectedOf(*array, selection, 4, stored)) << round;
    EXPECT_GT(store->lists(), 0);
  }
}

INSTANTIATE_TEST_SUITE_P(All, ChunkPlanKeys,
                         testing::Values(R"("default")", R"({"name": "default", "configuration": {"separator": "."}})",
                                         R"("v2")", R"({"name": "v2", "configuration": {"separator": "/"}})"));

}  // namespace
}  // namespace zarr
