// SPDX-License-Identifier: MIT
#include "zarrlib/array/array_writer.h"

#include <thread>

#include "autotest/cpp/support/array_writer_test_util.h"
#include "autotest/cpp/support/temporary_folder.h"
#include "zarrlib/store/filesystem_store.h"

namespace zarr {
namespace {

using namespace test;

constexpr std::string_view kTransposed =
    R"([{"name": "transpose", "configuration": {"order": [1, 0]}}, {"name": "bytes", "configuration": {"endian": "little"}}])";
constexpr std::string_view kDelta =
    R"([{"name": "numcodecs.delta", "configuration": {"dtype": "<i4"}}, {"name": "bytes", "configuration": {"endian": "little"}}, "crc32c"])";

struct Layout {
  std::string codecs;
  const char* chunks;
};

std::vector<Layout> Layouts() {
  const std::string transpose = R"({"name": "transpose", "configuration": {"order": [1, 0]}},)";
  const std::string scale = R"({"name": "scale_offset", "configuration": {"offset": 5, "scale": 3}},)";
  const std::string inner_transposed = "[" + transpose + std::string(kCompressed).substr(1);
  const std::string start = R"(, "index_location": "start")";
  const std::string plain(kPlain), compressed(kCompressed);
  return {
      {plain, "[5, 4]"},
      {compressed, "[5, 4]"},
      {compressed, "[100, 100]"},
      {compressed, "[[9, 3], [2, [8, 2]]]"},
      {plain, "[[9, 3], [2, [8, 2]]]"},
      {std::string(kTransposed), "[5, 4]"},
      {std::string(kDelta), "[5, 4]"},
      {"[" + Sharding("[3, 2]", kPlain) + "]", "[6, 8]"},
      {"[" + Sharding("[3, 2]", kCompressed, start) + "]", "[6, 8]"},
      {"[" + Sharding("[3, 2]", kCompressed) + "]", "[[9, 3], [2, [8, 2]]]"},
      {"[" + Sharding("[3, 2]", inner_transposed) + "]", "[6, 8]"},
      {"[" + transpose + Sharding("[2, 3]", kCompressed) + "]", "[6, 8]"},
      {"[" + transpose + scale + Sharding("[2, 3]", kCompressed) + "]", "[6, 8]"},
      {"[" + scale + transpose + Sharding("[2, 3]", kCompressed) + "]", "[6, 8]"},
      {"[" + Sharding("[6, 4]", "[" + Sharding("[3, 2]", kCompressed, start) + "]") + "]", "[12, 8]"},
      {"[" + Sharding("[6, 4]", "[" + transpose + Sharding("[2, 3]", kPlain) + "]") + "]", "[12, 8]"},
      {"[" + Sharding("[3, 2]", kPlain) + R"(, {"name": "gzip", "configuration": {"level": 1}}])", "[6, 8]"},
      {"[" + Sharding("[6, 4]", "[" + Sharding("[3, 2]", kPlain) + R"(, "crc32c"])") + "]", "[12, 8]"},
  };
}

/// Reads the content of the store without the caches.
std::vector<std::int32_t> ReadBack(const Array& array) {
  ReadOptions options;
  options.use_cache = false;
  return Read(array, WholeOf(array), options);
}

// --- against a model --------------------------------------------------------------------------------------------

TEST(ArrayWriter, AgreesWithAModel) {
  std::mt19937 random(5);
  for (const auto& [codecs, chunks] : Layouts()) {
    for (const std::size_t limit : {std::size_t{0}, std::size_t{300}, std::size_t{1} << 20}) {
      const auto store = std::make_shared<CountingStore>(limit == 300 ? 32 : 0);
      const auto array = MakeArray(store, Metadata({12, 17}, chunks, codecs));
      Model model(array->shape());
      WriterOptions options;
      options.buffer_limit = limit;
      const auto writer = ArrayWriter::Make(array, options);
      for (int round = 0; round < 40; ++round) {
        const Selection selection = RandomSelection(model.shape(), &random);
        const auto values = RandomValues(selection, &random);
        model.Write(selection, values);
        WriteAll(writer.get(), selection, values, round % 2 == 0 ? 1 : 4, random() % 3 == 0);
        if (round % 10 == 9) {
          ASSERT_TRUE(writer->Flush());
          ASSERT_FALSE(writer->dirty());
          ASSERT_EQ(Read(*array, WholeOf(*array)), model.values()) << codecs << " in " << chunks;
        }
      }
      ASSERT_EQ(ReadBack(*array), model.values()) << codecs << " in " << chunks;
    }
  }
}

TEST(ArrayWriter, WhatIsNotFlushedIsNotStored) {
  const auto store = std::make_shared<CountingStore>();
  const auto array = MakeArray(store, Metadata({12, 17}, "[5, 4]", kCompressed));
  const Selection selection = Selection::FromBox({{1, 1}, {2, 2}});
  {
    const auto writer = ArrayWriter::Make(array);
    WriteAll(writer.get(), selection, {1, 2, 3, 4});
    EXPECT_TRUE(writer->dirty());
  }
  EXPECT_TRUE(store->List("a/")->prefixes.empty());
}

TEST(ArrayWriter, ArraysWithoutDimensionsOrElements) {
  const auto store = std::make_shared<CountingStore>();
  const auto scalar = MakeArray(store, Metadata({}, "[]", kCompressed), "scalar");
  WriteAll(ArrayWriter::Make(scalar).get(), WholeOf(*scalar), {42});
  EXPECT_EQ(Read(*scalar, WholeOf(*scalar)), std::vector<std::int32_t>{42});
  const auto empty = MakeArray(store, Metadata({3, 0}, "[2, 2]", kCompressed), "empty");
  const auto writer = ArrayWriter::Make(empty);
  WriteAll(writer.get(), WholeOf(*empty), {});
  EXPECT_FALSE(writer->dirty());
  EXPECT_TRUE(store->List("empty/")->prefixes.empty());
}

TEST(ArrayWriter, StridesMayBeNegativeOrZero) {
  const auto store = std::make_shared<CountingStore>();
  const auto array = MakeArray(store, Metadata({4, 4}, "[2, 3]", kPlain));
  const auto writer = ArrayWriter::Make(array);
  const std::vector<std::int32_t> values = {1, 2, 3, 4};
  const auto* last = reinterpret_cast<const std::byte*>(values.data() + 3);
  ASSERT_TRUE(writer->Write(WholeOf(*array), {last, {0, -4}, nullptr}));
  const std::vector<std::int32_t> row = {4, 3, 2, 1};
  for (std::uint64_t y = 0; y < 4; ++y) EXPECT_EQ(Read(*array, Selection::FromBox({{y, 0}, {1, 4}})), row);
}

TEST(ArrayWriter, RefusesWhatIsBeyondTheArrayAndGoesOn) {
  const auto store = std::make_shared<CountingStore>();
  const auto array = MakeArray(store, Metadata({4, 4}, "[2, 3]", kPlain));
  const auto writer = ArrayWriter::Make(array);
  const Selection beyond = Selection::FromBox({{3, 3}, {1, 2}});
  const std::vector<std::int32_t> values = {1, 2};
  EXPECT_EQ(ErrorOf([&] { writer->Write(beyond, SourceOf(values, beyond)); }).kind(), ErrorKind::kInvalidArgument);
  EXPECT_FALSE(writer->dirty());
  WriteAll(writer.get(), Selection::FromBox({{3, 2}, {1, 2}}), values);
  EXPECT_TRUE(writer->Flush());
}

// --- stored chunks ----------------------------------------------------------------------------------------------

TEST(ArrayWriter, PadsWithTheFillValue) {
  const auto store = std::make_shared<CountingStore>();
  const auto array = MakeArray(store, Metadata({2, 2}, "[3, 4]", kPlain));
  const Bytes expected = LittleEndianOf<std::int32_t>({1, 2, -1, -1, 3, 4, -1, -1, -1, -1, -1, -1});
  WriteAll(ArrayWriter::Make(array).get(), WholeOf(*array), {1, 2, 3, 4});
  EXPECT_EQ(StoredAt(*store, "a/c/0/0"), expected);
  // Written in pieces, over a chunk in whose padding another writer has put other values.
  store->Set("a/c/0/0", LittleEndianOf(std::vector<std::int32_t>(12, 7)));
  const auto writer = ArrayWriter::Make(array);
  WriteAll(writer.get(), Selection::FromBox({{0, 0}, {1, 2}}), {1, 2});
  ASSERT_TRUE(writer->Flush());
  EXPECT_EQ(StoredAt(*store, "a/c/0/0"), LittleEndianOf<std::int32_t>({1, 2, -1, -1, 7, 7, -1, -1, -1, -1, -1, -1}));
}

TEST(ArrayWriter, ChunksOfTheFillValueAreErased) {
  const auto store = std::make_shared<CountingStore>();
  const auto array = MakeArray(store, Metadata({4, 4}, "[2, 2]", kPlain));
  WriteAll(ArrayWriter::Make(array).get(), WholeOf(*array), std::vector<std::int32_t>(16, 3));
  EXPECT_TRUE(store->Exists("a/c/1/1"));
  WriteAll(ArrayWriter::Make(array).get(), Selection::FromBox({{2, 0}, {2, 4}}), std::vector<std::int32_t>(8, -1));
  EXPECT_TRUE(store->Exists("a/c/0/1"));
  EXPECT_FALSE(store->Exists("a/c/1/1"));
  WriterOptions options;
  options.store_empty_chunks = true;
  WriteAll(ArrayWriter::Make(array, options).get(), WholeOf(*array), std::vector<std::int32_t>(16, -1));
  EXPECT_EQ(StoredAt(*store, "a/c/1/1"), LittleEndianOf(std::vector<std::int32_t>(4, -1)));
}

TEST(ArrayWriter, WhereNoFillValueIsDefinedAllIsStored) {
  const auto store = std::make_shared<CountingStore>();
  const auto array = MakeArray(store, Metadata({4, 4}, "[2, 2]", kPlain, "null"));
  WriteAll(ArrayWriter::Make(array).get(), WholeOf(*array), std::vector<std::int32_t>(16, 0));
  EXPECT_EQ(StoredAt(*store, "a/c/1/1"), LittleEndianOf(std::vector<std::int32_t>(4, 0)));
}

TEST(ArrayWriter, ChunksThatBecomeWholeAreNeverRead) {
  for (const std::string& codecs : {std::string(kCompressed), "[" + Sharding("[3, 2]", kCompressed) + "]"}) {
    const auto store = std::make_shared<CountingStore>();
    const auto array = MakeArray(store, Metadata({12, 17}, "[6, 4]", codecs));
    const auto writer = ArrayWriter::Make(array);
    for (std::uint64_t y = 12; y-- > 0;) {
      WriteAll(writer.get(), Selection::FromBox({{y, 0}, {1, 17}}), std::vector<std::int32_t>(17, static_cast<int>(y)));
      EXPECT_EQ(writer->dirty(), y % 6 != 0) << y;
    }
    EXPECT_EQ(store->ReadsOf("a/zarr.json"), 1) << codecs;
    EXPECT_EQ(store->TakeReads(), 1) << codecs;
    EXPECT_EQ(ReadBack(*array)[17 * 11], 11);
  }
}

TEST(ArrayWriter, OnlyWhatIsMissingIsRead) {
  const auto store = std::make_shared<CountingStore>();
  const auto array = MakeArray(store, Metadata({12, 16}, "[6, 4]", kCompressed));
  const auto writer = ArrayWriter::Make(array);
  WriteAll(writer.get(), Selection::FromBox({{0, 0}, {6, 6}}), std::vector<std::int32_t>(36, 5));
  EXPECT_EQ(store->ReadsOf("a/zarr.json"), 1);
  EXPECT_EQ(store->TakeReads(), 1);
  ASSERT_TRUE(writer->Flush());
  EXPECT_EQ(store->ReadsOf("a/c/0/0"), 0);
  EXPECT_EQ(store->ReadsOf("a/c/0/1"), 1);
  EXPECT_EQ(store->TakeReads(), 1);
}

// --- the buffer -------------------------------------------------------------------------------------------------

TEST(ArrayWriter, TheBufferIsBounded) {
  const auto store = std::make_shared<CountingStore>();
  const auto array = MakeArray(store, Metadata({100, 100}, "[10, 10]", kPlain));
  WriterOptions options;
  options.buffer_limit = 2000;  // four chunks of 400 bytes, and their masks
  const auto writer = ArrayWriter::Make(array, options);
  for (std::uint64_t x = 0; x < 100; ++x) {
    WriteAll(writer.get(), Selection::FromBox({{0, x}, {100, 1}}), std::vector<std::int32_t>(100, static_cast<int>(x)),
             2);
    std::size_t stored = 0;
    const auto rows = store->List("a/c/");
    for (const std::string& row : rows->prefixes) stored += store->List("a/c/" + row + "/")->keys.size();
    // Four of the ten chunks of a column may wait.
    EXPECT_GE(stored, x / 10 * 10 + (x % 10 == 9 ? 10 : 6)) << x;
  }
  EXPECT_EQ(ReadBack(*array)[99], 99);
}

TEST(ArrayWriter, DeferredChunksWaitUntilThereAreAFew) {
  const std::pair<std::string, const char*> arrays[] = {{std::string(kPlain), "[10, 10]"},
                                                        {"[" + Sharding("[10, 10]", kPlain) + "]", "[20, 100]"}};
  for (const auto& [codecs, chunks] : arrays) {
    const auto store = std::make_shared<CountingStore>();
    const auto array = MakeArray(store, Metadata({100, 100}, chunks, codecs));
    const auto writer = ArrayWriter::Make(array);
    Model model(array->shape());
    for (std::int32_t i = 0; i < 100; ++i) {
      const Selection block = Selection::FromBox(
          {{static_cast<std::uint64_t>(i / 10 * 10), static_cast<std::uint64_t>(i % 10 * 10)}, {10, 10}});
      const std::vector<std::int32_t> values(100, i);
      WriteAll(writer.get(), block, values, 2, true);
      model.Write(block, values);
      if (i < 7) {
        EXPECT_TRUE(store->List("a/c/")->prefixes.empty());
      }
    }
    EXPECT_FALSE(store->List("a/c/")->prefixes.empty());
    ASSERT_TRUE(writer->Flush());
    EXPECT_EQ(store->ReadsOf("a/zarr.json"), 1);
    EXPECT_EQ(store->TakeReads(), 1);
    EXPECT_EQ(ReadBack(*array), model.values());
  }
}

TEST(ArrayWriter, ReplacingTheArrayNeedsAFlush) {
  const auto store = std::make_shared<CountingStore>();
  const auto array = MakeArray(store, Metadata({4, 4}, "[4, 4]", kPlain));
  const auto larger = MakeArray(store, Metadata({6, 4}, "[4, 4]", kPlain));
  const auto writer = ArrayWriter::Make(array);
  WriteAll(writer.get(), Selection::FromBox({{0, 0}, {1, 4}}), {1, 2, 3, 4});
  EXPECT_EQ(ErrorOf([&] { writer->Replace(larger); }).kind(), ErrorKind::kInvalidArgument);
  ASSERT_TRUE(writer->Flush());
  writer->Replace(larger);
  EXPECT_EQ(&writer->array(), larger.get());
  WriteAll(writer.get(), Selection::FromBox({{5, 0}, {1, 4}}), {5, 6, 7, 8});
  ASSERT_TRUE(writer->Flush());
  EXPECT_EQ(Read(*larger, Selection::FromBox({{5, 0}, {1, 4}})), (std::vector<std::int32_t>{5, 6, 7, 8}));
  EXPECT_EQ(Read(*larger, Selection::FromBox({{4, 0}, {1, 4}})), (std::vector<std::int32_t>(4, -1)));
}

TEST(ArrayWriter, OtherAttributesNeedNoFlush) {
  const auto store = std::make_shared<CountingStore>();
  const auto array = MakeArray(store, Metadata({4, 4}, "[4, 4]", kPlain));
  ArrayMetadata metadata = array->metadata();
  metadata.attributes = Json(R"({"units": "m"})");
  const auto writer = ArrayWriter::Make(array);
  WriteAll(writer.get(), Selection::FromBox({{0, 0}, {1, 4}}), {1, 2, 3, 4});
  writer->Replace(Array::Make(store, array->path(), metadata));
  ASSERT_TRUE(writer->Flush());
  EXPECT_EQ(Read(*array, Selection::FromBox({{0, 0}, {1, 4}})), (std::vector<std::int32_t>{1, 2, 3, 4}));
  metadata.fill_value.bytes = BytesOf<std::int32_t>({1});
  WriteAll(writer.get(), Selection::FromBox({{0, 0}, {1, 4}}), {1, 2, 3, 4});
  const auto other_fill = Array::Make(store, array->path(), metadata);
  EXPECT_EQ(ErrorOf([&] { writer->Replace(other_fill); }).kind(), ErrorKind::kInvalidArgument);
}

// --- progress ---------------------------------------------------------------------------------------------------

TEST(ArrayWriter, ProgressMayStopIt) {
  // While a shard is worked on, `progress` is not called, because it may use the shard.
  for (const std::string& codecs : {std::string(kPlain), "[" + Sharding("[5, 5]", kPlain) + "]"}) {
    const auto store = std::make_shared<CountingStore>();
    const auto array = MakeArray(store, Metadata({100, 10}, "[10, 10]", codecs));
    const auto writer = ArrayWriter::Make(array);
    const std::vector<std::int32_t> values(1000, 4);
    double last = 0;
    WriteOptions options;
    options.threads = 1;
    options.progress = [&](double done) {
      EXPECT_GE(done, last);
      last = done;
      return done < 0.45;
    };
    EXPECT_FALSE(writer->Write(WholeOf(*array), SourceOf(values, WholeOf(*array)), options));
    EXPECT_EQ(store->List("a/c/")->prefixes.size(), 5u);
    options.progress = [&](double done) {
      last = done;
      return true;
    };
    EXPECT_TRUE(writer->Write(WholeOf(*array), SourceOf(values, WholeOf(*array)), options));
    EXPECT_EQ(last, 1);
    EXPECT_FALSE(writer->dirty());
  }
}

TEST(ArrayWriter, OnlyAbsentChunksAreStoredIfTheOthersAreToStay) {
  const TemporaryFolder folder;
  const auto store = std::make_shared<FilesystemStore>(folder.path().string());
  const auto array = Array::Make(store, "a", ParseArrayV3(Json(Metadata({6}, "[2]", kPlain))));
  const auto other = ArrayWriter::Make(array);
  const Selection second = Selection::FromBox({{2}, {2}});
  WriteAll(other.get(), second, {7, 7});
  const auto writer = ArrayWriter::Make(array, {.store_empty_chunks = true, .only_absent = true});
  WriteAll(writer.get(), WholeOf(*array), {1, 1, 1, 1, -1, -1});
  EXPECT_EQ(Read(*array, WholeOf(*array)), (std::vector<std::int32_t>{1, 1, 7, 7, -1, -1}));
  EXPECT_TRUE(store->Exists("a/c/2"));
}

}  // namespace
}  // namespace zarr
