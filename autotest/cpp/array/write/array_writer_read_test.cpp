// SPDX-License-Identifier: MIT
#include <atomic>
#include <cstring>
#include <thread>

#include "autotest/cpp/support/array_writer_test_util.h"

namespace zarr {
namespace {

using namespace test;  // NOLINT

constexpr std::string_view kShardsOfTwo =
    R"([{"name": "sharding_indexed", "configuration": {"chunk_shape": [2, 3], "codecs": [{"name": "bytes", "configuration": {"endian": "little"}}],
        "index_codecs": [{"name": "bytes", "configuration": {"endian": "little"}}]}}])";
constexpr std::string_view kTurned =
    R"([{"name": "transpose", "configuration": {"order": [1, 0]}}, {"name": "bytes", "configuration": {"endian": "little"}}])";
constexpr std::string_view kAsTheyAre = R"([{"name": "bytes", "configuration": {"endian": "little"}}])";

std::shared_ptr<const Array> MakeReadArray(const std::shared_ptr<Store>& store, std::string_view codecs,
                                           std::string_view chunks = "[4, 6]") {
  return MakeArray(store, Metadata({12, 17}, chunks, codecs));
}

TEST(ArrayWriterRead, SeesWhatIsPending) {
  std::mt19937 random(11);
  for (const std::string_view codecs : {kShardsOfTwo, kTurned, kAsTheyAre}) {
    for (const std::size_t limit : {std::size_t{0}, std::size_t{300}, std::size_t{1} << 20}) {
      const auto array = MakeReadArray(std::make_shared<CountingStore>(), codecs);
      Model model(array->shape());
      WriterOptions options;
      options.buffer_limit = limit;
      const auto writer = ArrayWriter::Make(array, options);
      for (int round = 0; round < 60; ++round) {
        const Selection written = RandomSelection(model.shape(), &random);
        const auto values = RandomValues(written, &random);
        model.Write(written, values);
        WriteAll(writer.get(), written, values, 1, random() % 3 == 0);
        const Selection selection = RandomSelection(model.shape(), &random);
        ASSERT_EQ(ReadThrough(writer.get(), selection), model.Read(selection)) << codecs;
        if (round % 20 != 19) continue;
        ASSERT_TRUE(writer->Flush());
      }
      ASSERT_TRUE(writer->Flush());
      ASSERT_EQ(Read(*array, WholeOf(*array)), model.values()) << codecs;
    }
  }
}

TEST(ArrayWriterRead, StoresNothing) {
  for (const std::string_view codecs : {kShardsOfTwo, kTurned, kAsTheyAre}) {
    const auto store = std::make_shared<CountingStore>();
    const auto array = MakeReadArray(store, codecs);
    const auto writer = ArrayWriter::Make(array);
    for (std::uint64_t row = 0; row < 3; ++row) {
      const Selection line = Selection::FromBox({{row, 0}, {1, 17}});
      EXPECT_EQ(ReadThrough(writer.get(), line), std::vector<std::int32_t>(17, -1));
      WriteAll(writer.get(), line, std::vector<std::int32_t>(17, 7));
    }
    EXPECT_TRUE(writer->dirty());
    EXPECT_TRUE(store->List("a/")->prefixes.empty()) << codecs;
  }
}

TEST(ArrayWriterRead, DecodesNoPendingInnerChunkAgainAndAgain) {
  const auto store = std::make_shared<CountingStore>();
  const auto array = MakeReadArray(store, kShardsOfTwo);
  const auto writer = ArrayWriter::Make(array);
  const Selection inner_chunk = Selection::FromBox({{0, 0}, {2, 3}});
  WriteAll(writer.get(), inner_chunk, std::vector<std::int32_t>(6, 7));
  ASSERT_TRUE(writer->dirty()) << "its shard is not complete";
  EXPECT_EQ(ReadThrough(writer.get(), inner_chunk), std::vector<std::int32_t>(6, 7));
  EXPECT_FALSE(writer->dirty());
}

/// Fails for elements that are not the fill value, as those of the store are.
class RefusingConverter final : public RowConverter {
  void ConvertRow(const std::byte* source, std::ptrdiff_t /*source_stride*/, std::byte* /*destination*/,
                  std::ptrdiff_t /*destination_stride*/, std::size_t /*count*/) const override {
    std::int32_t value = 0;
    std::memcpy(&value, source, sizeof(value));
    if (value != -1) throw Error(ErrorKind::kInvalidArgument, "no conversion");
  }
};

TEST(ArrayWriterRead, AFailureLosesNothingThatIsPending) {
  const auto array = MakeReadArray(std::make_shared<CountingStore>(), kAsTheyAre);
  const auto writer = ArrayWriter::Make(array);
  const Selection line = Selection::FromBox({{1, 1}, {1, 3}});
  WriteAll(writer.get(), line, {1, 2, 3});
  std::vector<std::int32_t> values(3);
  const RefusingConverter converter;
  EXPECT_THROW(writer->Read(line, {reinterpret_cast<std::byte*>(values.data()), {0, 4}, &converter}), Error);
  ASSERT_TRUE(writer->Flush());
  EXPECT_EQ(Read(*array, line), (std::vector<std::int32_t>{1, 2, 3}));
}

TEST(ArrayWriterRead, SeesWhatAnotherThreadStoresMeanwhile) {
  const auto array = MakeReadArray(std::make_shared<CountingStore>(), kAsTheyAre);
  const auto writer = ArrayWriter::Make(array);
  std::atomic<bool> stops = false;
  std::thread flushes([&] {
    while (!stops) writer->Flush();
  });
  const Selection line = Selection::FromBox({{5, 2}, {1, 3}});
  int missed = 0;
  for (std::int32_t round = 0; round < 3000; ++round) {
    WriteAll(writer.get(), line, {round, round, round});
    missed += ReadThrough(writer.get(), line) == std::vector<std::int32_t>{round, round, round} ? 0 : 1;
  }
  stops = true;
  flushes.join();
  EXPECT_EQ(missed, 0);
}

}  // namespace
}  // namespace zarr
