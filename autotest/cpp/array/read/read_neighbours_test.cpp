// SPDX-License-Identifier: MIT
#include <algorithm>

#include "autotest/cpp/support/array_test_util.h"
#include "zarrlib/store/forwarding_store.h"

namespace zarr {
namespace {

using namespace test;

/// Says that its values are parts of one file, `distance` bytes from each other in the order of their numbers, and
/// reads several of them together.
class FileOfChunks final : public ForwardingStore, private ForwardingRequests {
 public:
  explicit FileOfChunks(std::shared_ptr<CountingStore> store, std::uint64_t distance)
      : ForwardingStore(store), ForwardingRequests(*store->requests()), store_(std::move(store)), distance_(distance) {}

  const StoreRequests* requests() const override { return this; }
  CountingStore& counting() const { return *store_; }
  std::vector<std::size_t> TakeGroups() const {
    const std::lock_guard lock(mutex_);
    std::ranges::sort(groups_);
    return std::exchange(groups_, {});
  }
  void FailTogether() { fails_ = true; }

 private:
  bool reads_together() const override { return true; }
  std::optional<ValueLocation> Locate(std::string_view key) const override {
    VersionStamp stamp;
    if (!store_->GetStamp(key, &stamp)) return std::nullopt;
    return ValueLocation{"file", distance_ * std::stoull(std::string(key.substr(key.rfind('/') + 1))), stamp.size, {}};
  }
  bool ReadTogether(std::span<const ReadRequest> requests) const override {
    const std::lock_guard lock(mutex_);
    groups_.push_back(requests.size());
    return !fails_ && std::ranges::all_of(requests, [&](const ReadRequest& request) { return store_->Read(request); });
  }

  const std::shared_ptr<CountingStore> store_;
  const std::uint64_t distance_;
  bool fails_ = false;
  mutable std::mutex mutex_;
  mutable std::vector<std::size_t> groups_;
};

/// An array of chunks of two elements.
struct Line {
  std::shared_ptr<FileOfChunks> store;
  std::shared_ptr<const Array> array;

  explicit Line(std::uint64_t chunks, std::uint64_t distance = 8, std::string_view codecs = kPlain,
                const std::set<std::uint64_t>& left_out = {})
      : store(std::make_shared<FileOfChunks>(std::make_shared<CountingStore>(kOnNetwork), distance)),
        array(MakeArray(store, Metadata({2 * chunks}, "[2]", codecs))) {
    Write(store.get(), *array, left_out);
    store->counting().TakeReads();
  }
  std::vector<std::int32_t> ReadAll(const ReadOptions& options = {}) const {
    return Read(*array, WholeOf(*array), options);
  }
  std::vector<std::int32_t> AllExpected() const { return Expected(array->shape(), WholeOf(*array)); }
};

using Groups = std::vector<std::size_t>;

TEST(ReadNeighbours, ReadsNeighboursTogether) {
  for (const std::string_view codecs : {kPlain, kCompressed}) {
    for (const std::size_t threads : {1, 4}) {
      const Line line(100, 100, codecs);
      ReadOptions options;
      options.threads = threads;
      EXPECT_EQ(line.ReadAll(options), line.AllExpected());
      EXPECT_EQ(line.store->TakeGroups(), Groups{100});
      EXPECT_EQ(line.store->counting().TakeReads(), 100);
    }
  }
}

TEST(ReadNeighbours, ReadsManyInSeveralBatches) {
  const Line line(2500);
  EXPECT_EQ(line.ReadAll(), line.AllExpected());
  EXPECT_EQ(line.store->TakeGroups(), (Groups{452, 1024, 1024}));
}

TEST(ReadNeighbours, LeavesAGapOfTheSizeOfARequestOut) {
  const Line near(5, (128 << 10) + 8);
  EXPECT_EQ(near.ReadAll(), near.AllExpected());
  EXPECT_EQ(near.store->TakeGroups(), Groups{5});
  const Line far(5, (128 << 10) + 9);
  EXPECT_EQ(far.ReadAll(), far.AllExpected());
  EXPECT_EQ(far.store->TakeGroups(), Groups{});
}

TEST(ReadNeighbours, SplitsLargeRequests) {
  const Line line(100, 100 << 10);
  EXPECT_EQ(line.ReadAll(), line.AllExpected());
  EXPECT_EQ(line.store->TakeGroups(), (Groups{18, 41, 41}));  // 41 * 100 kB <= 4 MB
}

TEST(ReadNeighbours, FillsAbsentChunks) {
  const Line line(10, 8, kPlain, {3, 9});
  auto expected = line.AllExpected();
  for (const std::size_t i : {6, 7, 18, 19}) expected[i] = -1;
  EXPECT_EQ(line.ReadAll(), expected);
  EXPECT_EQ(line.store->TakeGroups(), Groups{8});
}

TEST(ReadNeighbours, AreReadOneByOneIfTheyCannotBeReadTogether) {
  const Line line(10);
  line.store->FailTogether();
  EXPECT_EQ(line.ReadAll(), line.AllExpected());
  EXPECT_EQ(line.store->TakeGroups(), Groups{10});
  line.store->counting().FailAt("a/c/4");
  const CacheLimit no_cache(0);
  EXPECT_EQ(ErrorOf([&] { line.ReadAll(); }).key(), "a/c/4");
}

TEST(ReadNeighbours, TakesNoneThatIsInTheCache) {
  const Line line(10);
  const CacheLimit cache(1 << 20);
  const Selection some = Selection::FromBox({{0}, {8}});
  Read(*line.array, some);
  Read(*line.array, some);
  line.store->TakeGroups();
  line.store->counting().TakeReads();
  EXPECT_EQ(line.ReadAll(), line.AllExpected());
  EXPECT_EQ(line.store->TakeGroups(), Groups{6});
  EXPECT_EQ(line.store->counting().TakeReads(), 6);
}

TEST(ReadNeighbours, IsReadByItselfIfItIsBroken) {
  const Line line(10, 8, kCompressed);
  const std::string key = "a/c/4";
  Bytes right;
  line.store->Get(key, &right);
  line.store->Set(key, Bytes(right.begin(), right.end() - 4));
  std::vector<int> noted;
  line.store->counting().OnBroken([&](const std::string& broken, int times) {
    EXPECT_EQ(broken, key);
    noted.push_back(times);
    if (times == 2) line.store->Set(key, right);
    return true;
  });
  EXPECT_EQ(line.ReadAll(), line.AllExpected());
  EXPECT_EQ(noted, (std::vector<int>{1, 2}));
  EXPECT_EQ(line.store->TakeGroups(), Groups{10});
}

TEST(ReadNeighbours, StopsWhenItIsTold) {
  const Line line(3000);
  ReadOptions options;
  double last = 0;
  options.progress = [&](double done) {
    EXPECT_GE(done, last);
    last = done;
    return done < 0.5;
  };
  std::vector<std::int32_t> values(6000);
  const Destination destination{reinterpret_cast<std::byte*>(values.data()), {4}, nullptr};
  EXPECT_FALSE(line.array->Read(WholeOf(*line.array), destination, options));
  EXPECT_LT(line.store->TakeGroups().size(), 3U);
}

}  // namespace
}  // namespace zarr
