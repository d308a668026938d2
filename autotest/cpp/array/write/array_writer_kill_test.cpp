// SPDX-License-Identifier: MIT
#include <chrono>
#include <cstdlib>
#include <thread>

#include "autotest/cpp/support/array_writer_test_util.h"
#include "autotest/cpp/support/processes/child_process.h"
#include "autotest/cpp/support/temporary_folder.h"
#include "zarrlib/store/filesystem_store.h"

namespace zarr {
namespace {

using namespace test;

constexpr std::uint64_t kEdge = 384;
constexpr std::uint64_t kUnit = 64;  // the edge of units that are written whole: chunks, or inner chunks of shards

/// The value at a place in the n-th round of the writer: it cannot be compressed, and differs between rounds.
std::int32_t ValueAt(std::uint64_t y, std::uint64_t x, std::uint32_t round) {
  const auto place = static_cast<std::uint32_t>(y * kEdge + x);
  return static_cast<std::int32_t>((place * 2654435761u) ^ (round * 40503u));
}

void WriteBox(ArrayWriter* writer, const Box& box, std::uint32_t round) {
  std::vector<std::int32_t> values;
  for (std::uint64_t y = box.origin[0]; y < box.end(0); ++y) {
    for (std::uint64_t x = box.origin[1]; x < box.end(1); ++x) values.push_back(ValueAt(y, x, round));
  }
  const Selection selection = Selection::FromBox(box);
  WriteOptions options;
  options.threads = 2;
  writer->Write(selection, SourceOf(values, selection), options);
}

/// Writes until it is killed: the whole array, strips, and single units, which cover only part of a shard.
[[noreturn]] void WriteForever(const std::string& folder, const std::string& metadata, std::uint32_t round) {
  const auto array = Array::Make(std::make_shared<FilesystemStore>(folder), "a", ParseArrayV3(Json(metadata)));
  ChildProcess::TellReady();
  for (;; ++round) {
    const auto writer = ArrayWriter::Make(array);
    if (round % 3 == 0) {
      WriteBox(writer.get(), {{0, 0}, {kEdge, kEdge}}, round);
    } else if (round % 3 == 1) {
      for (std::uint64_t y = 0; y < kEdge; y += 32) WriteBox(writer.get(), {{y, 0}, {32, kEdge}}, round);
    } else {
      WriteBox(writer.get(), {{kUnit, kUnit}, {kUnit, 2 * kUnit}}, round);
    }
    writer->Flush();
  }
}

const ChildTask kWriteForever("write until killed", [](const ChildTask::Arguments& arguments) {
  WriteForever(arguments.at(0), arguments.at(1), static_cast<std::uint32_t>(std::stoul(arguments.at(2))));
});

/// Whether each unit holds the values of one round, or was never written.
void CheckUnits(const std::string& folder, const std::string& metadata, std::uint32_t rounds) {
  const auto store = std::make_shared<FilesystemStore>(folder);
  const auto array = Array::Make(store, "a", ParseArrayV3(Json(metadata)));
  const auto values = Read(*array, WholeOf(*array));
  for (std::uint64_t top = 0; top < kEdge; top += kUnit) {
    for (std::uint64_t left = 0; left < kEdge; left += kUnit) {
      const std::int32_t first = values[top * kEdge + left];
      if (first == -1) continue;
      std::uint32_t round = 0;
      while (round < rounds && ValueAt(top, left, round) != first) ++round;
      ASSERT_LT(round, rounds) << "a value that nobody wrote";
      for (std::uint64_t y = top; y < top + kUnit; ++y) {
        for (std::uint64_t x = left; x < left + kUnit; ++x) {
          ASSERT_EQ(values[y * kEdge + x], ValueAt(y, x, round)) << "a torn chunk";
        }
      }
    }
  }
  const auto rows = store->List("a/c/");
  for (const std::string& row : rows->prefixes) {
    const auto chunks = store->List("a/c/" + row + "/");
    for (const std::string& name : chunks->keys) EXPECT_EQ(name.find_first_not_of("0123456789"), name.npos) << name;
  }
}

/// More kills find what is rare: ZARR_KILLS=1000.
int GetKills() {
  const char* const kills = std::getenv("ZARR_KILLS");
  return kills ? std::atoi(kills) : 40;
}

void KillAndCheck(const std::string& metadata) {
  const TemporaryFolder temporary;
  const std::string folder = temporary.path().string();
  std::mt19937 random(1);
  constexpr std::uint32_t kRounds = 1000;
  const auto kills = static_cast<std::uint32_t>(GetKills());
  for (std::uint32_t kill = 0; kill < kills && !testing::Test::HasFatalFailure(); ++kill) {
    ChildProcess writer(kWriteForever, {folder, metadata, std::to_string(kill * kRounds)});
    writer.AwaitReady();
    std::this_thread::sleep_for(std::chrono::microseconds(random() % 25000));
    EXPECT_TRUE(writer.Kill()) << "it should have been writing still";
    CheckUnits(folder, metadata, (kill + 1) * kRounds);
  }
}

TEST(ArrayWriterKilled, LeavesOldOrNewChunks) {
  const std::string crc = R"([{"name": "bytes", "configuration": {"endian": "little"}}, "crc32c"])";
  KillAndCheck(Metadata({kEdge, kEdge}, "[64, 64]", crc));
}

TEST(ArrayWriterKilled, LeavesOldOrNewShards) {
  const std::string crc = R"([{"name": "bytes", "configuration": {"endian": "little"}}, "crc32c"])";
  KillAndCheck(Metadata({kEdge, kEdge}, "[192, 192]", "[" + Sharding("[64, 64]", crc) + "]"));
}

}  // namespace
}  // namespace zarr
