// SPDX-License-Identifier: MIT
#include <thread>

#include "autotest/cpp/support/array_test_util.h"

namespace zarr {
namespace {

using namespace test;

constexpr std::string_view kGzip =
    R"([{"name": "bytes", "configuration": {"endian": "little"}}, {"name": "gzip", "configuration": {"level": 1}}])";

std::string ErrorText(const Array& array, const Selection& selection, const ReadOptions& options = {}) {
  return ErrorOf([&] { Read(array, selection, options); }).what();
}

// --- selections --------------------------------------------------------------------------------------------------

TEST(ArrayErrors, SelectionsBeyondTheArray) {
  const auto store = std::make_shared<CountingStore>();
  const auto array = MakeArray(store, Metadata({5, 7}, "[2, 3]", kPlain));
  std::vector<std::byte> memory(1000);
  const Selection wrong[] = {{{5, 0}, {1, 1}, {1, 1}},          {{0, 0}, {6, 1}, {1, 1}},
                             {{0, 3}, {1, 5}, {1, 1}},          {{0, 0}, {1, 3}, {1, 4}},
                             {{UINT64_MAX, 0}, {2, 1}, {1, 1}}, {{0, 0}, {3, 1}, {UINT64_MAX, 1}},
                             {{0, 1}, {1, 2}, {1, UINT64_MAX}}, {{0, 0}, {UINT64_MAX, 1}, {UINT64_MAX, 1}}};
  for (const Selection& selection : wrong) {
    ExpectError(
        [&] {
          array->Read(selection, {memory.data(), {28, 4}, nullptr});
        },
        ErrorKind::kInvalidArgument, "", store->name() + "/a: expected elements below");
  }
  EXPECT_EQ(store->TakeReads(), 0);
}

TEST(ArrayErrors, SelectionsOfAnotherRankOrWithoutSteps) {
  const auto store = std::make_shared<CountingStore>();
  const auto array = MakeArray(store, Metadata({5, 7}, "[2, 3]", kPlain));
  std::vector<std::byte> memory(1000);
  const auto read = [&](const Selection& selection, const Strides& strides) {
    array->Read(selection, {memory.data(), strides, nullptr});
  };
  ExpectError([&] { read({{0}, {1}, {1}}, {4}); }, ErrorKind::kInvalidArgument, "", "2 dimensions");
  ExpectError([&] { read({{0, 0}, {1}, {1, 1}}, {4, 4}); }, ErrorKind::kInvalidArgument, "", "2 dimensions");
  ExpectError([&] { read({{0, 0}, {1, 1}, {1, 1}}, {4}); }, ErrorKind::kInvalidArgument, "", "2 dimensions");
  ExpectError([&] { read({{0, 0}, {1, 1}, {1, 0}}, {4, 4}); }, ErrorKind::kInvalidArgument, "", "steps of at least 1");
}

TEST(ArrayErrors, TypesOfVariableLengthNeedAConverter) {
  const auto store = std::make_shared<CountingStore>();
  std::string metadata = Metadata({5}, "[2]", R"([{"name": "vlen-utf8"}])", "\"x\"");
  metadata.replace(metadata.find("int32"), 5, "string");
  const auto array = MakeArray(store, metadata);
  if (array->unsupported()) GTEST_SKIP() << array->unsupported()->what();
  std::vector<std::byte> memory(1000);
  ExpectError(
      [&] {
        array->Read(WholeOf(*array), {memory.data(), {16}, nullptr});
      },
      ErrorKind::kInvalidArgument, "", "need a converter");
}

// --- chunks ------------------------------------------------------------------------------------------------------

TEST(ArrayErrors, NameStoreKeyCodecAndChunk) {
  const auto store = std::make_shared<CountingStore>();
  const auto plain = MakeArray(store, Metadata({4, 9}, "[2, 3]", kPlain), "group/plain");
  store->SetText("group/plain/c/1/2", "123");
  EXPECT_EQ(ErrorText(*plain, WholeOf(*plain)),
            store->name() + "/group/plain/c/1/2: bytes: expected 24 bytes, got 3 (chunk [1,2])");
  const auto zipped = MakeArray(store, Metadata({4, 9}, "[2, 3]", kGzip), "z");
  store->SetText("z/c/0/1", "this is no gzip stream");
  const std::string text = ErrorText(*zipped, WholeOf(*zipped));
  EXPECT_TRUE(text.starts_with(store->name() + "/z/c/0/1: gzip: ")) << text;
  EXPECT_TRUE(text.ends_with("(chunk [0,1])")) << text;
}

TEST(ArrayErrors, TheRootArraysKeysHaveNoPath) {
  const auto store = std::make_shared<CountingStore>();
  const auto array = MakeArray(store, Metadata({2}, "[2]", kPlain), "");
  store->SetText("c/0", "x");
  EXPECT_EQ(ErrorText(*array, WholeOf(*array)), store->name() + "/c/0: bytes: expected 8 bytes, got 1 (chunk [0])");
}

TEST(ArrayErrors, OfTheStoreStayWhatTheyAre) {
  const auto store = std::make_shared<CountingStore>();
  const auto array = MakeArray(store, Metadata({4}, "[2]", kPlain));
  store->FailAt("a/c/1");
  const Error error = ErrorOf([&] { Read(*array, WholeOf(*array)); });
  EXPECT_EQ(error.kind(), ErrorKind::kIo);
  EXPECT_EQ(error.what(), store->name() + "/a/c/1: HTTP 500");
}

TEST(ArrayErrors, TheLowestChunksErrorWins) {
  for (const std::size_t concurrency : {0, 32}) {
    const auto store = std::make_shared<CountingStore>(concurrency);
    const auto array = MakeArray(store, Metadata({60}, "[2]", kGzip));
    Write(store.get(), *array);
    for (const int chunk : {7, 8, 9, 20, 29}) store->SetText("a/c/" + std::to_string(chunk), "x");
    // The chunk with the lowest index takes longest.
    store->OnRead([](const std::string& key) {
      if (key == "a/c/7") std::this_thread::sleep_for(std::chrono::milliseconds(5));
    });
    for (int round = 0; round < 10; ++round) {
      for (const std::size_t threads : {1, 2, 4}) {
        ReadOptions options;
        options.threads = threads;
        options.use_cache = false;
        EXPECT_TRUE(ErrorText(*array, WholeOf(*array), options).ends_with("(chunk [7])"));
      }
    }
  }
}

TEST(ArrayErrors, ChunksThatAreNotReadDoNotMatter) {
  const auto store = std::make_shared<CountingStore>();
  const auto array = MakeArray(store, Metadata({6}, "[2]", kPlain));
  Write(store.get(), *array);
  store->SetText("a/c/1", "x");
  EXPECT_EQ(Read(*array, {{0}, {2}, {4}}), (std::vector<std::int32_t>{0, 4}));
}

// --- sizes -------------------------------------------------------------------------------------------------------

TEST(ArrayErrors, HugeChunksAreRefusedBeforeMemoryIsTaken) {
  const auto store = std::make_shared<CountingStore>();
  const auto array = MakeArray(store, Metadata({1000000, 1000000}, "[1000000, 1000000]", kGzip));  // 4 TB
  store->SetText("a/c/0/0", "small");
  const Selection one = Selection::FromBox({{5, 5}, {1, 1}});
  ExpectError([&] { Read(*array, one); }, ErrorKind::kLimitExceeded, "",
              "expected a chunk of at most 2147483648 bytes (ZARR_MAX_CHUNK_SIZE), got 4000000000000 (chunk [0,0])");
}

TEST(ArrayErrors, HugeChunksThatAreNotStoredAreTheFillValue) {
  for (const std::string_view codecs : {kGzip, kPlain}) {
    const auto store = std::make_shared<CountingStore>();
    const auto array = MakeArray(store, Metadata({1000000, 1000000}, "[1000000, 1000000]", codecs, "3"));
    EXPECT_EQ(Read(*array, Selection::FromBox({{5, 5}, {1, 2}})), (std::vector<std::int32_t>{3, 3}));
    EXPECT_EQ(Read(*array, Selection::FromBox({{5, 5}, {100000, 1}})), std::vector<std::int32_t>(100000, 3));
  }
}

TEST(ArrayErrors, HugeChunksThatAreStoredAreRefusedBeforeTheyTakeMemory) {
  const auto store = std::make_shared<CountingStore>();
  const auto array = MakeArray(store, Metadata({64, 137438953472}, "[64, 137438953472]", kPlain));
  store->SetText("a/c/0/0", "short");
  // Between the two elements are 512 GiB.
  ExpectError(
      [&] {
        Read(*array, Selection::FromBox({{5, 5}, {2, 1}}));
      },
      ErrorKind::kLimitExceeded, "", "a chunk of at most");
}

TEST(ArrayErrors, TheLimitCanBeSet) {
  const auto store = std::make_shared<CountingStore>();
  const auto array = MakeArray(store, Metadata({10}, "[10]", kGzip));
  Write(store.get(), *array);
  ReadOptions options;
  options.max_chunk_bytes = 39;
  ExpectError([&] { Read(*array, WholeOf(*array), options); }, ErrorKind::kLimitExceeded, "", "at most 39 bytes");
  Bytes encoded;
  store->Get("a/c/0", &encoded, nullptr, UINT64_MAX);
  options.max_chunk_bytes = std::max<std::uint64_t>(40, encoded.size());
  EXPECT_EQ(Read(*array, WholeOf(*array), options).size(), 10u);
  store->Set("a/c/0", Bytes(options.max_chunk_bytes + 1));
  options.use_cache = false;
  ExpectError([&] { Read(*array, WholeOf(*array), options); }, ErrorKind::kLimitExceeded, "", "a value of at most");
}

TEST(ArrayErrors, ChunksThatAreFarTooLongAreNotRead) {
  for (const auto& [codecs, most] : {std::pair(kPlain, 40), std::pair(kGzip, 65616)}) {
    const auto store = std::make_shared<CountingStore>();
    const auto array = MakeArray(store, Metadata({10}, "[10]", codecs));
    store->Set("a/c/0", Bytes(most + (16 << 20) + 1));
    EXPECT_EQ(ErrorText(*array, WholeOf(*array)), store->name() + "/a/c/0: expected at most " + std::to_string(most) +
                                                      " bytes, got " + std::to_string(most + (16 << 20) + 1) +
                                                      " (chunk [0])");
  }
}

// --- arrays that cannot be read ----------------------------------------------------------------------------------

void ExpectUnsupported(const Array& array, std::string_view region) {
  ASSERT_TRUE(array.unsupported());
  EXPECT_EQ(GetSmallestChunkShape(array), array.metadata().chunk_grid.max_chunk_shape());
  for (const auto& error : {*array.unsupported(), ErrorOf([&] { Read(array, WholeOf(array)); }),
                            ErrorOf([&] { array.ResolveFor(GetSmallestChunkShape(array)); })}) {
    EXPECT_NE(std::string_view(error.what()).find(region), std::string_view::npos) << error.what();
    EXPECT_TRUE(std::string_view(error.what()).starts_with(array.store().name() + "/a/zarr.json: ")) << error.what();
  }
}

TEST(ArrayErrors, UnknownCodecsAreNoErrorUntilDataAreRead) {
  const auto store = std::make_shared<CountingStore>();
  ExpectUnsupported(*MakeArray(store, Metadata({4}, "[2]", R"(["nosuch"])")), "/codecs/0: unknown codec \"nosuch\"");
}

TEST(ArrayErrors, UnknownDataTypesAreNoErrorUntilDataAreRead) {
  const auto store = std::make_shared<CountingStore>();
  std::string metadata = Metadata({4}, "[2]", kPlain);
  metadata.replace(metadata.find("int32"), 5, "banana");
  ExpectUnsupported(*MakeArray(store, metadata), "/data_type: expected a known data type, got \"banana\"");
}

TEST(ArrayErrors, ImpossibleChunksAreNoErrorUntilDataAreRead) {
  const auto store = std::make_shared<CountingStore>();
  const auto array = MakeArray(store, Metadata({4, 4}, "[4611686018427387904, 4611686018427387904]", kPlain));
  ExpectUnsupported(*array, "a chunk of at most 2^47 bytes");
}

TEST(ArrayErrors, WrongCodecsAreRefusedAtOnce) {
  const auto store = std::make_shared<CountingStore>();
  ExpectError(
      [&] { MakeArray(store, Metadata({4}, "[2]", R"([{"name": "bytes", "configuration": {"endian": "middle"}}])")); },
      ErrorKind::kCorrupt, "/codecs/0/configuration/endian",
      store->name() + "/a/zarr.json: /codecs/0/configuration/endian: expected \"little\" or \"big\"");
  ExpectError(
      [&] {
        MakeArray(store, Metadata({4}, "[2]", R"([{"name": "transpose", "configuration": {"order": [1]}},
                                                  {"name": "bytes", "configuration": {"endian": "little"}}])"));
      },
      ErrorKind::kCorrupt, "/codecs/0/configuration/order", "a permutation");
}

}  // namespace
}  // namespace zarr
