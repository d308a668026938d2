// SPDX-License-Identifier: MIT
#include <cmath>
#include <random>
#include <thread>

#include "autotest/cpp/support/array_test_util.h"

namespace zarr {
namespace {

using namespace test;

std::shared_ptr<CountingStore> NewStore(std::size_t concurrency = 0) {
  return std::make_shared<CountingStore>(concurrency);
}

/// An array all of whose chunks are stored.
std::shared_ptr<const Array> Stored(const Shape& shape, std::string_view chunks, std::string_view codecs = kPlain) {
  const auto store = NewStore();
  auto array = MakeArray(store, Metadata(shape, chunks, codecs));
  Write(store.get(), *array);
  return array;
}

// --- windows -----------------------------------------------------------------------------------------------------

TEST(ReadOperation, ReadsTheWholeArray) {
  const auto array = Stored({5, 7}, "[2, 3]");
  EXPECT_EQ(Read(*array, WholeOf(*array)), Expected({5, 7}, WholeOf(*array)));
}

TEST(ReadOperation, ReadsEveryWindow) {
  const auto array = Stored({5, 4}, "[2, 3]", kCompressed);
  for (std::uint64_t y = 0; y < 5; ++y) {
    for (std::uint64_t x = 0; x < 4; ++x) {
      for (std::uint64_t height = 0; y + height <= 5; ++height) {
        for (std::uint64_t width = 0; x + width <= 4; ++width) {
          const Selection window = Selection::FromBox({{y, x}, {height, width}});
          ASSERT_EQ(Read(*array, window), Expected({5, 4}, window));
        }
      }
    }
  }
}

TEST(ReadOperation, ReadsRectilinearGrids) {
  const auto array = Stored({26, 38}, "[[16, 10], [24, 14]]", kCompressed);
  EXPECT_EQ(Read(*array, WholeOf(*array)), Expected({26, 38}, WholeOf(*array)));
  for (const Shape& element : {Shape{15, 23}, Shape{16, 24}, Shape{25, 37}, Shape{15, 24}, Shape{16, 23}}) {
    const Selection one = Selection::FromBox({element, {1, 1}});
    EXPECT_EQ(Read(*array, one), Expected({26, 38}, one)) << ToString(element);
  }
}

TEST(ReadOperation, ReadsTheFiveFormsOfTheSpecification) {
  const Shape shape{6, 6, 6, 6, 6};
  const auto array = Stored(shape, "[4, [1, 2, 3], [[4, 2]], [[1, 3], 3], [4, 4, 4]]");
  const Selection window{{0, 1, 2, 3, 4}, {6, 5, 2, 3, 2}, {1, 1, 2, 1, 1}};
  EXPECT_EQ(Read(*array, window), Expected(shape, window));
}

TEST(ReadOperation, ReadsEverySecondElement) {
  const auto array = Stored({5, 9}, "[2, 4]");
  const Selection selection{{1, 0}, {2, 5}, {3, 2}};
  EXPECT_EQ(Read(*array, selection), Expected({5, 9}, selection));
}

TEST(ReadOperation, ReadsRankZero) {
  const auto array = Stored({}, "[]", kCompressed);
  EXPECT_EQ(array->MakeChunkKey({}), "a/c");
  EXPECT_EQ(Read(*array, WholeOf(*array)), (std::vector<std::int32_t>{0}));
}

TEST(ReadOperation, ReadsNothingOfArraysOfLengthZero) {
  const auto store = NewStore();
  const auto array = MakeArray(store, Metadata({0, 5}, "[3, 5]", kPlain));
  EXPECT_TRUE(Read(*array, WholeOf(*array)).empty());
  EXPECT_TRUE(Read(*array, {{0, 3}, {0, 2}, {1, 1}}).empty());
  EXPECT_EQ(store->TakeReads(), 0);
}

TEST(ReadOperation, DecodesFOrder) {
  const auto store = NewStore();
  const auto array =
      Array::Make(store, "a",
                  ParseArrayV2(Json(R"({"zarr_format": 2, "shape": [5, 7, 3], "chunks": [2, 3, 2], "dtype": ">i4",
                                      "order": "F", "compressor": {"id": "zlib"}, "fill_value": 0})"),
                               std::nullopt));
  Write(store.get(), *array);
  EXPECT_EQ(Read(*array, WholeOf(*array)), Expected({5, 7, 3}, WholeOf(*array)));
  const Selection region{{1, 2, 0}, {3, 2, 2}, {1, 2, 2}};
  EXPECT_EQ(Read(*array, region), Expected({5, 7, 3}, region));
}

TEST(ReadOperation, FOrderIsWhatIsStored) {
  const auto store = NewStore();
  const auto array = Array::Make(store, "",
                                 ParseArrayV2(Json(R"({"zarr_format": 2, "shape": [2, 3], "chunks": [2, 3],
                                                  "dtype": "<i4", "order": "F"})"),
                                              std::nullopt));
  store->Set("0.0", LittleEndianOf<std::int32_t>({0, 3, 1, 4, 2, 5}));
  EXPECT_EQ(Read(*array, WholeOf(*array)), Expected({2, 3}, WholeOf(*array)));
}

// --- chunks that are not stored ----------------------------------------------------------------------------------

TEST(ReadOperation, MissingChunksAreTheFillValue) {
  const auto store = NewStore();
  const auto array = MakeArray(store, Metadata({4, 4}, "[2, 2]", kPlain, "42"));
  Write(store.get(), *array, {1, 2});
  EXPECT_EQ(Read(*array, WholeOf(*array)),
            (std::vector<std::int32_t>{0, 1, 42, 42, 4, 5, 42, 42, 42, 42, 10, 11, 42, 42, 14, 15}));
  EXPECT_EQ(Read(*array, {{1, 1}, {2, 1}, {2, 1}}), (std::vector<std::int32_t>{5, 42}));
}

TEST(ReadOperation, AnUndefinedFillValueReadsAsZero) {
  const auto store = NewStore();
  const auto array = MakeArray(store, Metadata({3}, "[2]", kPlain, "null"));
  EXPECT_EQ(Read(*array, WholeOf(*array)), (std::vector<std::int32_t>{0, 0, 0}));
}

// --- destinations ------------------------------------------------------------------------------------------------

TEST(ReadOperation, StridesMayBeNegative) {
  const auto store = NewStore();
  const auto array = MakeArray(store, Metadata({4, 6}, "[3, 4]", kCompressed, "7"));
  Write(store.get(), *array, {1});
  const std::vector<std::int32_t> straight = Read(*array, WholeOf(*array));
  std::vector<std::int32_t> reversed(24);
  auto* last = reinterpret_cast<std::byte*>(reversed.data() + 23);
  EXPECT_TRUE(array->Read(WholeOf(*array), {last, {-24, -4}, nullptr}));
  EXPECT_EQ(reversed, std::vector<std::int32_t>(straight.rbegin(), straight.rend()));
}

TEST(ReadOperation, StridesMayTransposeAndLeaveGaps) {
  const auto array = Stored({3, 5}, "[3, 5]");
  std::vector<std::int32_t> values(5 * 4, -9);  // columns of 3, and one that is not read
  EXPECT_TRUE(array->Read(WholeOf(*array), {reinterpret_cast<std::byte*>(values.data()), {4, 16}, nullptr}));
  for (int x = 0; x < 5; ++x) {
    for (int y = 0; y < 3; ++y) EXPECT_EQ(values[x * 4 + y], y * 5 + x);
    EXPECT_EQ(values[x * 4 + 3], -9);
  }
}

class HalfConverter final : public RowConverter {
 public:
  void ConvertRow(const std::byte* source, std::ptrdiff_t source_stride, std::byte* destination,
                  std::ptrdiff_t destination_stride, std::size_t count) const override {
    for (std::size_t i = 0; i < count; ++i, source += source_stride, destination += destination_stride) {
      std::int32_t value;
      std::memcpy(&value, source, sizeof(value));
      const double half = value / 2.0;
      std::memcpy(destination, &half, sizeof(half));
    }
  }
};

TEST(ReadOperation, ConvertsElementsAndFillValues) {
  const auto store = NewStore();
  const auto array = MakeArray(store, Metadata({4, 3}, "[2, 3]", kCompressed, "5"));
  Write(store.get(), *array, {1});
  const HalfConverter converter;
  std::vector<double> values(12);
  EXPECT_TRUE(array->Read(WholeOf(*array), {reinterpret_cast<std::byte*>(values.data()), {24, 8}, &converter}));
  EXPECT_EQ(values, (std::vector<double>{0, 0.5, 1, 1.5, 2, 2.5, 2.5, 2.5, 2.5, 2.5, 2.5, 2.5}));
}

// --- against a model ---------------------------------------------------------------------------------------------

std::uint64_t Pick(std::mt19937* random, std::uint64_t low, std::uint64_t high) {
  return low + (*random)() % (high - low + 1);
}

Selection RandomSelection(const Shape& shape, std::mt19937* random) {
  Selection selection;
  for (const std::uint64_t length : shape) {
    const std::uint64_t start = Pick(random, 0, length - 1);
    const std::uint64_t step = Pick(random, 0, 2) == 0 ? Pick(random, 1, 6) : 1;
    selection.start.push_back(start);
    selection.step.push_back(step);
    selection.count.push_back(Pick(random, 1, (length - 1 - start) / step + 1));
  }
  return selection;
}

/// Reads to a destination with axes in any order and direction, and returns the values in C order.
std::vector<std::int32_t> ReadAnyhow(const Array& array, const Selection& selection, const ReadOptions& options,
                                     std::mt19937* random) {
  const std::size_t rank = array.rank();
  std::vector<std::size_t> order(rank);
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::shuffle(order.begin(), order.end(), *random);
  std::vector<std::int32_t> memory(CountOf(selection));
  Destination destination{reinterpret_cast<std::byte*>(memory.data()), Strides(rank), nullptr};
  std::ptrdiff_t stride = sizeof(std::int32_t);
  for (const std::size_t axis : order) {
    const auto count = static_cast<std::ptrdiff_t>(selection.count[axis]);
    const bool reversed = Pick(random, 0, 2) == 0;
    destination.strides[axis] = reversed ? -stride : stride;
    if (reversed) destination.data += (count - 1) * stride;
    stride *= count;
  }
  EXPECT_TRUE(array.Read(selection, destination, options));
  std::vector<std::int32_t> values;
  Shape index(rank, 0);
  do {
    const std::byte* element = destination.data;
    for (std::size_t i = 0; i < rank; ++i) element += static_cast<std::ptrdiff_t>(index[i]) * destination.strides[i];
    std::int32_t value;
    std::memcpy(&value, element, sizeof(value));
    values.push_back(value);
  } while (AdvanceIndex(selection.count, &index));
  return values;
}

TEST(ReadOperation, AgreesWithAModelWhateverTheThreadsTheStoreAndTheCache) {
  constexpr std::string_view kTransposed =
      R"([{"name": "transpose", "configuration": {"order": [2, 0, 1]}}, {"name": "bytes", "configuration":
          {"endian": "big"}}, "crc32c"])";
  const Shape shape{11, 9, 14};
  std::mt19937 random(5);
  for (const std::string_view chunks : {"[4, 9, 5]", "[[3, 1, 7], [[2, 4], 6], 5]", "[[[1, 11]], 20, [14]]"}) {
    for (const std::string_view codecs : {kPlain, kCompressed, kTransposed}) {
      for (const std::size_t concurrency : {0, 32}) {
        const auto store = NewStore(concurrency);
        const auto array = MakeArray(store, Metadata(shape, chunks, codecs));
        Write(store.get(), *array);
        for (int round = 0; round < 12; ++round) {
          ReadOptions options;
          options.threads = round % 2 == 0 ? 1 : 4;
          options.use_cache = round % 3 != 0;
          const Selection selection = RandomSelection(shape, &random);
          ASSERT_EQ(ReadAnyhow(*array, selection, options, &random), Expected(shape, selection))
              << chunks << " " << codecs << " round " << round << ": start " << ToString(selection.start) << " count "
              << ToString(selection.count) << " step " << ToString(selection.step);
        }
      }
    }
  }
}

TEST(ReadOperation, BandsOfUncompressedChunksAreReadByThemselves) {
  const auto store = NewStore(0);
  const Shape shape{3, 640, 1024};
  const auto array = MakeArray(store, Metadata(shape, "[3, 128, 512]", kNative));
  Write(store.get(), *array);
  for (std::uint64_t band = 0; band < 3; ++band) {
    const Selection selection = Selection::FromBox({{band, 0, 0}, {1, 640, 1024}});
    store->TakeReads();
    EXPECT_EQ(Read(*array, selection), Expected(shape, selection));
    EXPECT_EQ(store->TakeReads(), 10);  // none is in the cache
  }
}

TEST(ReadOperation, ManyThreadsReadOneArrayAtOnce) {
  const auto array = Stored({40, 40}, "[7, 9]", kCompressed);
  std::vector<std::thread> threads;
  for (unsigned seed = 0; seed < 4; ++seed) {
    threads.emplace_back([&array, seed] {
      std::mt19937 random(seed);
      for (int round = 0; round < 30; ++round) {
        const Selection selection = RandomSelection({40, 40}, &random);
        EXPECT_EQ(Read(*array, selection), Expected({40, 40}, selection));
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
}

// --- huge arrays -------------------------------------------------------------------------------------------------

/// Looking at each of the chunks would not end.
TEST(ReadOperation, HugeRunsAreReadWithoutLookingAtEachChunk) {
  constexpr std::uint64_t kLength = 1000000000000;
  const auto store = NewStore();
  const auto array =
      MakeArray(store, Metadata({kLength, kLength}, "[[[1, 1000000000000]], [[1, 1000000000000]]]", kPlain, "6"));
  EXPECT_EQ(array->metadata().chunk_grid.axis(0).runs().size(), 1u);
  store->Set("a/c/999999999999/5", LittleEndianOf<std::int32_t>({8}));
  const Selection window = Selection::FromBox({{kLength - 2, 4}, {2, 3}});
  EXPECT_EQ(Read(*array, window), (std::vector<std::int32_t>{6, 6, 6, 6, 8, 6}));
  const Selection far_apart{{0, 5}, {4, 1}, {kLength / 3, 1}};
  EXPECT_EQ(Read(*array, far_apart), (std::vector<std::int32_t>{6, 6, 6, 8}));
  EXPECT_EQ(store->TakeReads(), 10);
}

TEST(ReadOperation, GridsOfMoreThan64BitsOfChunksDoNotMixUpTheCache) {
  constexpr std::uint64_t kLength = std::uint64_t{1} << 40;
  const auto store = NewStore();
  const auto array = MakeArray(store, Metadata({kLength, kLength}, "[1, 1]", kPlain));
  store->Set("a/c/0/0", LittleEndianOf<std::int32_t>({1}));
  store->Set("a/c/16777216/0", LittleEndianOf<std::int32_t>({2}));  // 2^24 * 2^40 is 0 in 64 bits
  EXPECT_EQ(Read(*array, Selection::FromBox({{0, 0}, {1, 1}})), (std::vector<std::int32_t>{1}));
  EXPECT_EQ(Read(*array, Selection::FromBox({{16777216, 0}, {1, 1}})), (std::vector<std::int32_t>{2}));
}

TEST(ReadOperation, ReadsTheLastElementsOfTheLargestArray) {
  const auto store = NewStore();
  const auto array = MakeArray(store, Metadata({UINT64_MAX}, "[3]", kPlain, "9"));
  EXPECT_EQ(Read(*array, Selection::FromBox({{UINT64_MAX - 2}, {2}})), (std::vector<std::int32_t>{9, 9}));
  EXPECT_EQ(Read(*array, {{0}, {2}, {UINT64_MAX - 1}}), (std::vector<std::int32_t>{9, 9}));
}

}  // namespace
}  // namespace zarr
