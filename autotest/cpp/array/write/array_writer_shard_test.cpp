// SPDX-License-Identifier: MIT
#include <atomic>
#include <chrono>
#include <thread>

#include "autotest/cpp/support/array_writer_test_util.h"
#include "autotest/cpp/support/deadline.h"

namespace zarr {
namespace {

using namespace test;

/// Shards of 6 x 8 with inner chunks of 3 x 2, of 24 bytes each: 8 of them, and an index of 132 bytes.
struct ShardedArray {
  std::shared_ptr<CountingStore> store = std::make_shared<CountingStore>();
  std::shared_ptr<const Array> array;

  explicit ShardedArray(const std::string& codecs = "[" + Sharding("[3, 2]", kPlain) + "]",
                        const Shape& shape = {12, 16})
      : array(MakeArray(store, Metadata(shape, "[6, 8]", codecs))) {}
  void Write(const Selection& selection, std::int32_t value, const WriterOptions& options = {}) const {
    const auto writer = ArrayWriter::Make(array, options);
    WriteAll(writer.get(), selection, std::vector<std::int32_t>(CountOf(selection), value), 2);
    ASSERT_TRUE(writer->Flush());
  }
  Bytes ValueOf(std::string_view key) const { return StoredAt(*store, key).value_or(Bytes()); }
};

const Selection kFirstRegion = Selection::FromBox({{0, 0}, {3, 2}});

TEST(ShardWriter, ProgressMayUseTheArray) {
  const Deadline deadline;
  const ShardedArray f;
  const auto writer = ArrayWriter::Make(f.array, {});
  const Selection whole = WholeOf(*f.array);
  const Selection but_last = Selection::FromBox({{0, 0}, {11, 16}});  // the last shards wait
  int calls = 0;
  WriteOptions options;
  options.threads = 2;
  options.progress = [&](double) {
    ++calls;
    writer->Flush();
    writer->Write(kFirstRegion, SourceOf(std::vector<std::int32_t>(6, 7), kFirstRegion));
    return true;
  };
  const std::vector<std::int32_t> values(CountOf(but_last), 1);
  EXPECT_TRUE(writer->Write(but_last, SourceOf(values, but_last), options));
  EXPECT_GT(calls, 0);
  calls = 0;
  EXPECT_TRUE(writer->Flush(options));
  EXPECT_GT(calls, 0);
  EXPECT_TRUE(writer->Flush());
  std::vector<std::int32_t> expected(CountOf(whole), -1);
  for (std::size_t i = 0; i < 11 * 16; ++i) expected[i] = i / 16 < 3 && i % 16 < 2 ? 7 : 1;
  EXPECT_EQ(Read(*f.array, whole), expected);
}

TEST(ShardWriter, LaysPartsOutInOrder) {
  const ShardedArray f;
  f.Write(Selection::FromBox({{0, 0}, {12, 16}}), 1);
  EXPECT_EQ(f.ValueOf("a/c/1/1").size(), 8 * 24 + 132);
  const auto index = FromLittleEndian<std::uint64_t>(ByteSpan(f.ValueOf("a/c/1/1")).subspan(8 * 24, 128));
  for (std::uint64_t i = 0; i < 8; ++i) {
    EXPECT_EQ(index[2 * i], 24 * i);
    EXPECT_EQ(index[2 * i + 1], 24u);
  }
}

TEST(ShardWriter, TheIndexMayComeFirst) {
  const ShardedArray f("[" + Sharding("[3, 2]", kPlain, R"(, "index_location": "start")") + "]");
  f.Write(kFirstRegion, 1);
  const Bytes value = f.ValueOf("a/c/0/0");
  ASSERT_EQ(value.size(), 132 + 24u);
  const auto index = FromLittleEndian<std::uint64_t>(ByteSpan(value).first(128));
  EXPECT_EQ(index[0], 132u);
  EXPECT_EQ(index[2], UINT64_MAX);
}

TEST(ShardWriter, PartsOfTheFillValueAreLeftOut) {
  const ShardedArray f;
  f.Write(Selection::FromBox({{0, 0}, {12, 16}}), 1);
  f.Write(kFirstRegion, -1);
  EXPECT_EQ(f.ValueOf("a/c/0/0").size(), 7 * 24 + 132);
  f.Write(Selection::FromBox({{0, 0}, {6, 8}}), -1);
  EXPECT_FALSE(f.store->Exists("a/c/0/0"));
  WriterOptions options;
  options.store_empty_chunks = true;
  f.Write(kFirstRegion, -1, options);
  EXPECT_EQ(f.ValueOf("a/c/0/0").size(), 24 + 132u);
}

TEST(ShardWriter, PartsBeyondTheArrayAreLeftOutAndOthersPadded) {
  const ShardedArray f("[" + Sharding("[3, 2]", kPlain) + "]", {4, 3});
  f.Write(Selection::FromBox({{0, 0}, {4, 3}}), 1);
  const Bytes value = f.ValueOf("a/c/0/0");
  ASSERT_EQ(value.size(), 4 * 24 + 132u);
  EXPECT_EQ(Bytes(value.begin() + 72, value.begin() + 96), LittleEndianOf<std::int32_t>({1, -1, -1, -1, -1, -1}));
}

/// The four shards are built at the same time; one has 8 inner chunks, two have 4, and one has 2.
TEST(ShardWriter, ShardsAtTheEndHaveFewerParts) {
  const ShardedArray f("[" + Sharding("[3, 2]", kPlain) + "]", {9, 12});
  const Selection whole = WholeOf(*f.array);
  for (const std::size_t threads : {2, 4}) {
    const auto writer = ArrayWriter::Make(f.array, {});
    WriteAll(writer.get(), whole, Expected({9, 12}, whole), threads);
    ASSERT_TRUE(writer->Flush());
    EXPECT_EQ(Read(*f.array, whole), Expected({9, 12}, whole));
    EXPECT_EQ(f.ValueOf("a/c/0/0").size(), 8 * 24 + 132u);
    EXPECT_EQ(f.ValueOf("a/c/0/1").size(), 4 * 24 + 132u);
    EXPECT_EQ(f.ValueOf("a/c/1/1").size(), 2 * 24 + 132u);
  }
}

/// An inner chunk that cannot be decoded is copied without change.
TEST(ShardWriter, UntouchedPartsAreCopiedAndNotDecoded) {
  for (const std::string more : {"", R"(, "index_location": "start")"}) {
    const std::string codecs = R"([{"name": "bytes", "configuration": {"endian": "little"}}, "crc32c"])";
    const ShardedArray f("[" + Sharding("[3, 2]", codecs, more) + "]");
    f.Write(Selection::FromBox({{0, 0}, {6, 8}}), 1);
    Bytes value = f.ValueOf("a/c/0/0");
    const std::size_t inner_chunk = (more.empty() ? 0 : 132) + 3 * 28;
    for (std::size_t i = 0; i < 28; ++i) value[inner_chunk + i] = std::byte{0xEE};
    f.store->Set("a/c/0/0", value);
    f.store->TakeReads();
    f.Write(Selection::FromBox({{0, 1}, {4, 1}}), 5);
    EXPECT_EQ(f.store->ReadsOf("a/zarr.json"), 1);
    EXPECT_EQ(f.store->TakeReads(), 2);
    const Bytes merged = f.ValueOf("a/c/0/0");
    ASSERT_EQ(merged.size(), value.size());
    EXPECT_TRUE(
        std::equal(value.begin() + inner_chunk, value.begin() + inner_chunk + 28, merged.begin() + inner_chunk));
    EXPECT_EQ(Read(*f.array, Selection::FromBox({{3, 0}, {2, 3}})), (std::vector<std::int32_t>{1, 5, 1, 1, 1, 1}));
  }
}

/// Of a shard of 12 MiB, only the inner chunks that are not overwritten are read.
TEST(ShardWriter, LargeShardsAreReadInPart) {
  constexpr std::uint64_t kRows = 12;
  constexpr std::uint64_t kColumns = 1 << 18;
  const std::string transpose = R"({"name": "transpose", "configuration": {"order": [1, 0]}},)";
  for (const std::string& codecs : {Sharding("[1, 262144]", kPlain), transpose + Sharding("[262144, 1]", kPlain),
                                    Sharding("[1, 262144]", kPlain, R"(, "index_location": "start")")}) {
    SCOPED_TRACE(codecs);
    const auto store = std::make_shared<CountingStore>();
    const auto array = MakeArray(store, Metadata({kRows, kColumns}, "[12, 262144]", "[" + codecs + "]"));
    const auto writer = ArrayWriter::Make(array);
    for (std::uint64_t row = 0; row + 1 < kRows; ++row) {
      const std::vector<std::int32_t> values(kColumns, static_cast<std::int32_t>(row));
      WriteAll(writer.get(), Selection::FromBox({{row, 0}, {1, kColumns}}), values);
    }
    writer->Flush();
    WriteAll(writer.get(), Selection::FromBox({{5, 7}, {1, 1}}), {55});
    WriteAll(writer.get(), Selection::FromBox({{8, 0}, {1, kColumns}}), std::vector<std::int32_t>(kColumns, 88));
    writer->Flush();
    EXPECT_EQ(Read(*array, Selection::FromBox({{0, 7}, {kRows, 1}})),
              (std::vector<std::int32_t>{0, 1, 2, 3, 4, 55, 6, 7, 88, 9, 10, -1}));
    EXPECT_EQ(Read(*array, Selection::FromBox({{5, 6}, {1, 3}})), (std::vector<std::int32_t>{5, 55, 5}));
  }
}

TEST(ShardWriter, PartsWrittenWholeAreNotDecoded) {
  const ShardedArray f;
  f.Write(Selection::FromBox({{0, 0}, {6, 8}}), 1);
  f.Write(kFirstRegion, 2);
  EXPECT_EQ(f.store->ReadsOf("a/c/0/0"), 1);
  EXPECT_EQ(Read(*f.array, Selection::FromBox({{0, 1}, {1, 2}})), (std::vector<std::int32_t>{2, 1}));
}

TEST(ShardWriter, PartsWrittenTwiceAreTakenUpAgain) {
  const ShardedArray f;
  const auto writer = ArrayWriter::Make(f.array);
  WriteAll(writer.get(), kFirstRegion, {1, 2, 3, 4, 5, 6});
  WriteAll(writer.get(), Selection::FromBox({{1, 1}, {1, 2}}), {40, 41});
  ASSERT_TRUE(writer->Flush());
  EXPECT_EQ(Read(*f.array, Selection::FromBox({{0, 0}, {3, 3}})),
            (std::vector<std::int32_t>{1, 2, -1, 3, 40, 41, 5, 6, -1}));
}

TEST(ShardWriter, AStripOfALargeShardTakesTheMemoryOfItsParts) {
  const auto store = std::make_shared<CountingStore>();
  // 4 MB in inner chunks of 4 KB; a row meets 32 of them.
  const auto array = MakeArray(store, Metadata({1024, 1024}, "[1024, 1024]", "[" + Sharding("[32, 32]", kPlain) + "]"));
  WriterOptions options;
  options.buffer_limit = 256 << 10;
  const auto writer = ArrayWriter::Make(array, options);
  WriteAll(writer.get(), Selection::FromBox({{5, 0}, {1, 1024}}), std::vector<std::int32_t>(1024, 3));
  EXPECT_FALSE(store->Exists("a/c/0/0"));
  EXPECT_EQ(store->TakeReads(), 1);
  WriteAll(writer.get(), Selection::FromBox({{0, 5}, {1024, 1}}), std::vector<std::int32_t>(1024, 3));
  EXPECT_TRUE(store->Exists("a/c/0/0")) << "63 parts, and their masks, are more than is allowed";
  ASSERT_TRUE(writer->Flush());
  EXPECT_EQ(Read(*array, Selection::FromBox({{5, 4}, {1, 3}})), (std::vector<std::int32_t>{3, 3, 3}));
  EXPECT_EQ(Read(*array, Selection::FromBox({{6, 4}, {1, 3}})), (std::vector<std::int32_t>{-1, 3, -1}));
}

/// Both threads are inside one shard: each waits for the other.
class MeetingConverter final : public RowConverter {
 public:
  void ConvertRow(const std::byte* source, std::ptrdiff_t source_stride, std::byte* destination,
                  std::ptrdiff_t destination_stride, std::size_t count) const override {
    ++inside_;
    for (int i = 0; i < 5000 && most_ < 2; ++i) {
      most_ = std::max<int>(most_, inside_);
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
    for (std::size_t i = 0; i < count; ++i, source += source_stride, destination += destination_stride) {
      std::memcpy(destination, source, sizeof(std::int32_t));
    }
    --inside_;
  }
  int most() const { return most_; }

 private:
  mutable std::atomic<int> inside_{0};
  mutable std::atomic<int> most_{0};
};

TEST(ShardWriter, ThePartsOfOneShardAreEncodedInParallel) {
  const ShardedArray f;
  const MeetingConverter converter;
  const Selection shard = Selection::FromBox({{0, 0}, {6, 8}});
  const std::vector<std::int32_t> values(48, 4);
  ElementSource source = SourceOf(values, shard);
  source.converter = &converter;
  WriteOptions options;
  options.threads = 2;
  ASSERT_TRUE(ArrayWriter::Make(f.array)->Write(shard, source, options));
  EXPECT_EQ(converter.most(), 2);
  EXPECT_EQ(Read(*f.array, shard), values);
}

}  // namespace
}  // namespace zarr
