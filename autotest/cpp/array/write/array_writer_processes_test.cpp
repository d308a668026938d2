// SPDX-License-Identifier: MIT
#include <cstdlib>
#include <string>
#include <thread>

#include "autotest/cpp/support/array_writer_test_util.h"
#include "autotest/cpp/support/processes/child_process.h"
#include "autotest/cpp/support/temporary_folder.h"
#include "zarrlib/hierarchy/editable_hierarchy.h"
#include "zarrlib/hierarchy/resize.h"
#include "zarrlib/store/filesystem_store.h"

namespace zarr {
namespace {

using namespace test;

std::string Shards(std::string_view inner_chunks, std::string_view codecs) {
  return "[" + Sharding(inner_chunks, codecs) + "]";
}

constexpr int kProcesses = 4;
constexpr std::uint64_t kSide = 32;

/// More rounds find what is rare: ZARR_ROUNDS=200.
int GetRounds() {
  const char* rounds = std::getenv("ZARR_ROUNDS");
  return rounds ? std::atoi(rounds) : 5;
}

struct NamedLayout {
  const char* name;
  const char* chunks;
  std::string codecs;
};

void PrintTo(const NamedLayout& layout, std::ostream* out) {
  *out << layout.name;
}

std::shared_ptr<const Array> OpenIn(const std::string& folder) {
  return EditableHierarchy::Open(std::make_shared<FilesystemStore>(folder))->OpenArray("");
}

void WriteRow(ArrayWriter* writer, std::uint64_t row, std::int32_t value) {
  const Selection selection = Selection::FromBox({{row, 0}, {1, kSide}});
  WriteOptions options;
  options.threads = 1;
  const std::vector<std::int32_t> values(kSide, value);
  writer->Write(selection, SourceOf(values, selection), options);
}

std::int32_t ValueOf(int round, std::uint64_t row) {
  return static_cast<std::int32_t>(round * 100 + static_cast<int>(row));
}

// What processes do: each gets a folder, its number, and that of the round.

const ChildTask kWriteOwnRows("write each fourth row", [](const ChildTask::Arguments& arguments) {
  const int round = std::stoi(arguments.at(2));
  ChildProcess::TellReady();
  ChildProcess::AwaitStart();
  const auto writer = ArrayWriter::Make(OpenIn(arguments.at(0)));
  for (std::uint64_t row = std::stoul(arguments.at(1)); row < kSide; row += kProcesses) {
    WriteRow(writer.get(), row, ValueOf(round, row));
    if (row % 3 == 0) writer->Flush();
  }
  writer->Flush();
});

/// Two processes write everything, two write rows of their own value.
const ChildTask kWriteAllOrRows("write all, or rows", [](const ChildTask::Arguments& arguments) {
  const int process = std::stoi(arguments.at(1));
  ChildProcess::TellReady();
  ChildProcess::AwaitStart();
  const auto writer = ArrayWriter::Make(OpenIn(arguments.at(0)));
  if (process < 2) {
    WriteAll(writer.get(), WholeOf(writer->array()), std::vector<std::int32_t>(kSide * kSide, process));
  } else {
    for (std::uint64_t row = process; row < kSide; row += 2) WriteRow(writer.get(), row, process);
  }
  writer->Flush();
});

const ChildTask kWriteEvenRows("write even rows until killed", [](const ChildTask::Arguments& arguments) {
  ChildProcess::TellReady();
  while (true) {
    const auto writer = ArrayWriter::Make(OpenIn(arguments.at(0)));
    for (std::uint64_t row = 0; row < kSide; row += 2) WriteRow(writer.get(), row, 7);
    writer->Flush();
  }
});

/// An array of 32 x 32 in a folder, which several processes write to at once.
class Processes : public testing::TestWithParam<NamedLayout> {
 protected:
  Processes() { FilesystemStore(folder()).Set("zarr.json", AsBytes(metadata())); }
  std::string metadata() const { return Metadata({kSide, kSide}, GetParam().chunks, GetParam().codecs); }
  std::string folder() const { return folder_.path().string(); }
  std::shared_ptr<const Array> Open() const { return OpenIn(folder()); }
  /// Runs a task in several processes at once. Returns how many failed.
  int Run(const ChildTask& task, int round) const {
    std::vector<ChildProcess> children;
    for (int i = 0; i < kProcesses; ++i) {
      children.emplace_back(task, ChildTask::Arguments{folder(), std::to_string(i), std::to_string(round)});
    }
    for (ChildProcess& child : children) child.AwaitReady();
    for (ChildProcess& child : children) child.Start();
    int failed = 0;
    for (ChildProcess& child : children) failed += child.Succeeds() ? 0 : 1;
    return failed;
  }

  TemporaryFolder folder_;
};

/// The rows of each process meet all chunks.
TEST_P(Processes, LoseNothingOfEachOther) {
  for (int round = 0; round < GetRounds(); ++round) {
    EXPECT_EQ(Run(kWriteOwnRows, round), 0);
    const auto array = Open();
    for (std::uint64_t row = 0; row < kSide; ++row) {
      const std::vector<std::int32_t> expected(kSide, ValueOf(round, row));
      ASSERT_EQ(Read(*array, Selection::FromBox({{row, 0}, {1, kSide}})), expected)
          << "round " << round << " row " << row;
    }
  }
}

TEST_P(Processes, WriteWholeAndPartialChunksInSomeOrder) {
  // Each row is all of one value.
  for (int round = 0; round < GetRounds(); ++round) {
    EXPECT_EQ(Run(kWriteAllOrRows, round), 0);
    const auto array = Open();
    for (std::uint64_t row = 0; row < kSide; ++row) {
      for (const std::int32_t value : Read(*array, Selection::FromBox({{row, 0}, {1, kSide}}))) {
        ASSERT_TRUE(value == 0 || value == 1 || value == 2 + static_cast<std::int32_t>(row % 2)) << value;
      }
    }
  }
}

TEST_P(Processes, DoNotWaitForAKilledOne) {
  for (int round = 0; round < GetRounds(); ++round) {
    ChildProcess victim(kWriteEvenRows, {folder()});
    victim.AwaitReady();
    std::this_thread::sleep_for(std::chrono::milliseconds(5 + round % 10));
    EXPECT_TRUE(victim.Kill());
    const auto writer = ArrayWriter::Make(Open());
    for (std::uint64_t row = 1; row < kSide; row += 2) WriteRow(writer.get(), row, round);
    writer->Flush();
    const auto array = Open();
    for (std::uint64_t row = 1; row < kSide; row += 2) {
      ASSERT_EQ(Read(*array, Selection::FromBox({{row, 0}, {1, kSide}})), std::vector<std::int32_t>(kSide, round));
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Layouts, Processes,
                         testing::Values(NamedLayout{"Chunks", "[16, 16]", std::string(kCompressed)},
                                         NamedLayout{"CutChunks", "[20, 20]", std::string(kPlain)},
                                         NamedLayout{"Shards", "[16, 16]", Shards("[4, 4]", kCompressed)},
                                         NamedLayout{"NestedShards", "[32, 32]",
                                                     Shards("[16, 16]", Shards("[4, 4]", kPlain))},
                                         NamedLayout{"Rectilinear", "[[8, 24], [20, 12]]", std::string(kCompressed)}),
                         [](const auto& test) { return std::string(test.param.name); });

// --- another shape ----------------------------------------------------------------------------------------------

/// An array with chunks of 8 x 8 that one handle knows with 12 x 12 elements.
class Resized : public testing::TestWithParam<const char*> {
 protected:
  static constexpr std::uint64_t kOld = 12;

  Resized() {
    FilesystemStore(folder_.path().string()).Set("zarr.json", AsBytes(Metadata({kOld, kOld}, "[8, 8]", codecs())));
    array_ = Open()->OpenArray("");
  }
  std::string codecs() const {
    return std::string(GetParam()) == "Shards" ? Shards("[4, 4]", kCompressed) : std::string(kCompressed);
  }
  std::shared_ptr<EditableHierarchy> Open() const {
    return EditableHierarchy::Open(std::make_shared<FilesystemStore>(folder_.path().string()));
  }
  /// Another handle gives the array another shape, and writes to all of it.
  void ResizeElsewhere(std::uint64_t size, std::int32_t value) const {
    const auto other = Open();
    const auto array = ResizeArray(*other, other->OpenArray(""), {size, size});
    const auto writer = ArrayWriter::Make(array);
    WriteAll(writer.get(), WholeOf(*array), std::vector<std::int32_t>(size * size, value));
    writer->Flush();
  }
  /// The elements of the stored array that are not `value`.
  std::size_t CountOthers(std::int32_t value) const {
    const auto array = Open()->OpenArray("");
    const std::vector<std::int32_t> values = Read(*array, WholeOf(*array));
    return static_cast<std::size_t>(std::count_if(values.begin(), values.end(), [&](auto v) { return v != value; }));
  }

  TemporaryFolder folder_;
  std::shared_ptr<const Array> array_;
};

TEST_P(Resized, WhatIsBeyondTheOldEndStays) {
  const auto writer = ArrayWriter::Make(array_);
  ResizeElsewhere(20, 5);
  WriteAll(writer.get(), WholeOf(*array_), std::vector<std::int32_t>(kOld * kOld, 9));
  writer->Flush();
  EXPECT_EQ(Open()->OpenArray("")->shape(), (Shape{20, 20}));
  EXPECT_EQ(CountOthers(9), 20u * 20 - kOld * kOld);
  EXPECT_EQ(CountOthers(5), kOld * kOld);
}

TEST_P(Resized, WhatWaitsIsMergedWithTheLargerArray) {
  const auto writer = ArrayWriter::Make(array_);
  const Selection corner = Selection::FromBox({{7, 7}, {4, 4}});
  WriteAll(writer.get(), corner, std::vector<std::int32_t>(16, 9));
  ResizeElsewhere(20, 5);
  writer->Flush();
  EXPECT_EQ(CountOthers(5), 16u);
}

TEST_P(Resized, AChunkThatTheArrayHasLostIsAnError) {
  const auto writer = ArrayWriter::Make(array_);
  ResizeElsewhere(8, 5);
  const auto write = [&] {
    WriteAll(writer.get(), WholeOf(*array_), std::vector<std::int32_t>(kOld * kOld, 9));
    writer->Flush();
  };
  EXPECT_EQ(ErrorOf(write).kind(), ErrorKind::kIo);
  EXPECT_EQ(Open()->OpenArray("")->shape(), (Shape{8, 8}));
  EXPECT_FALSE(FilesystemStore(folder_.path().string()).Exists("c/1/1"));
}

TEST_P(Resized, AnElementThatTheArrayHasLostIsNotStored) {
  const auto writer = ArrayWriter::Make(array_);
  ResizeElsewhere(10, 5);
  WriteAll(writer.get(), Selection::FromBox({{8, 8}, {4, 4}}), std::vector<std::int32_t>(16, 9));
  writer->Flush();
  EXPECT_EQ(CountOthers(5), 4u);
  const auto other = Open();
  ResizeArray(*other, other->OpenArray(""), {12, 12});
  EXPECT_EQ(CountOthers(9), 12u * 12 - 4);
}

TEST_P(Resized, AnArrayThatIsGoneIsAnError) {
  const auto writer = ArrayWriter::Make(array_);
  WriteAll(writer.get(), WholeOf(*array_), std::vector<std::int32_t>(kOld * kOld, 9));
  FilesystemStore(folder_.path().string()).Erase("zarr.json");
  const auto write = [&] {
    WriteAll(writer.get(), WholeOf(*array_), std::vector<std::int32_t>(kOld * kOld, 9));
    writer->Flush();
  };
  const Error error = ErrorOf(write);
  EXPECT_EQ(error.kind(), ErrorKind::kIo);
  EXPECT_NE(std::string(error.what()).find("removed or renamed"), std::string::npos) << error.what();
}

INSTANTIATE_TEST_SUITE_P(Layouts, Resized, testing::Values("Chunks", "Shards"),
                         [](const auto& test) { return std::string(test.param); });

TEST(ArrayWriter, RefusesPartialChunks) {
  for (const std::string& codecs : {std::string(kCompressed), Shards("[4, 4]", kCompressed)}) {
    const auto store = std::make_shared<CountingStore>();
    const auto array = MakeArray(store, Metadata({16, 16}, "[8, 8]", codecs));
    WriterOptions options;
    options.refuse_partial = true;
    const auto whole = ArrayWriter::Make(array, options);
    WriteAll(whole.get(), Selection::FromBox({{0, 0}, {4, 16}}), std::vector<std::int32_t>(64, 3));
    WriteAll(whole.get(), Selection::FromBox({{4, 0}, {4, 16}}), std::vector<std::int32_t>(64, 3));
    EXPECT_TRUE(whole->Flush());
    const auto part = ArrayWriter::Make(array, options);
    const auto write = [&] {
      WriteAll(part.get(), Selection::FromBox({{0, 0}, {4, 16}}), std::vector<std::int32_t>(64, 4));
      part->Flush();
    };
    EXPECT_EQ(ErrorOf(write).kind(), ErrorKind::kUnsupported);
    EXPECT_EQ(Read(*array, Selection::FromBox({{0, 0}, {8, 16}})), std::vector<std::int32_t>(128, 3));
  }
}

}  // namespace
}  // namespace zarr
