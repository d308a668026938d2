// SPDX-License-Identifier: MIT
#include <atomic>
#include <thread>

#include "autotest/cpp/support/array_writer_test_util.h"
#include "autotest/cpp/support/fault_store.h"
#include "autotest/cpp/support/processes/child_process.h"
#include "autotest/cpp/support/temporary_folder.h"
#include "zarrlib/array/cache/array_registry.h"
#include "zarrlib/store/filesystem_store.h"

namespace zarr {
namespace {

using namespace test;

struct WrittenArray {
  std::shared_ptr<CountingStore> store = std::make_shared<CountingStore>();
  std::shared_ptr<const Array> array;
  std::shared_ptr<ArrayWriter> writer;

  explicit WrittenArray(const std::string& codecs)
      : array(MakeArray(store, Metadata({8, 8}, "[4, 4]", codecs))), writer(ArrayWriter::Make(array)) {}
  void Put(std::int32_t value) const {
    WriteAll(writer.get(), WholeOf(*array), std::vector<std::int32_t>(64, value), 2);
  }
  std::int32_t Get() const { return Read(*array, Selection::FromBox({{1, 1}, {1, 1}}))[0]; }
};

// --- caches -----------------------------------------------------------------------------------------------------

TEST(ArrayWriterCaches, WhatWasReadBeforeIsForgotten) {
  for (const std::string& codecs : {std::string(kCompressed), kCompressedShards}) {
    const WrittenArray f(codecs);
    f.Put(1);
    EXPECT_EQ(f.Get(), 1);
    f.store->TakeReads();
    EXPECT_EQ(f.Get(), 1);
    EXPECT_EQ(f.store->TakeReads(), 0) << "the inner chunk should be in the cache";
    const auto other = MakeArray(f.store, Metadata({8, 8}, "[4, 4]", codecs));
    f.Put(2);
    EXPECT_EQ(Read(*other, Selection::FromBox({{1, 1}, {1, 1}})), std::vector<std::int32_t>{2});
    f.Put(-1);
    EXPECT_EQ(f.Get(), -1);
  }
}

TEST(ArrayWriterCaches, WhatWasReadBeforeIsForgottenThoughTheAnswerWasLost) {
  for (const std::string& codecs : {std::string(kCompressed), kCompressedShards}) {
    const WrittenArray f(codecs);
    f.Put(1);
    const auto lossy = std::make_shared<FaultStore>(f.store, Fault::kLosesAnswer, 2);  // the first puts the document
    const auto array = MakeArray(lossy, Metadata({8, 8}, "[4, 4]", codecs));
    EXPECT_EQ(Read(*array, Selection::FromBox({{1, 1}, {1, 1}})), std::vector<std::int32_t>{1});
    const auto writer = ArrayWriter::Make(array);
    const Selection chunk = Selection::FromBox({{0, 0}, {4, 4}});
    EXPECT_EQ(ErrorOf([&] { WriteAll(writer.get(), chunk, std::vector<std::int32_t>(16, 2), 1); }).kind(),
              ErrorKind::kIo);
    EXPECT_EQ(Read(*array, Selection::FromBox({{1, 1}, {1, 1}})), std::vector<std::int32_t>{2});
  }
}

/// The metadata changed between the openings: the handles have different ids, and may number chunks differently.
TEST(ArrayWriterCaches, SnapshotsOfOtherMetadataForgetToo) {
  const WrittenArray f{std::string(kCompressed)};
  f.Put(1);
  const auto larger = MakeArray(f.store, Metadata({8, 800}, "[4, 4]", kCompressed));
  const Selection corner = Selection::FromBox({{7, 7}, {1, 1}});
  EXPECT_EQ(Read(*larger, corner), std::vector<std::int32_t>{1});
  f.Put(2);
  EXPECT_EQ(Read(*larger, corner), std::vector<std::int32_t>{2});
}

/// Another array has taken the place of one that is still open.
TEST(ArrayWriterCaches, PlacesAreForgotten) {
  for (const std::string path : {"a", "", "b"}) {
    const WrittenArray f{std::string(kCompressed)};
    const auto group = MakeArray(f.store, Metadata({8, 8}, "[4, 4]", kCompressed), "ab/c");
    f.Put(1);
    EXPECT_EQ(f.Get(), 1);
    f.store->Erase("a/c/0/0");
    ArrayIdentity::Forget(f.store->identity(), path);
    EXPECT_EQ(f.Get(), path == "b" ? 1 : -1) << path;
  }
}

TEST(ArrayWriterCaches, OtherChunksAndArraysAreKept) {
  for (const std::string& codecs : {std::string(kCompressed), kCompressedShards}) {
    const WrittenArray f(codecs);
    const auto other = MakeArray(f.store, Metadata({8, 8}, "[4, 4]", codecs), "b");
    f.Put(1);
    const Selection far = Selection::FromBox({{5, 5}, {1, 1}});
    Read(*f.array, far);
    Read(*other, far);
    WriteAll(f.writer.get(), Selection::FromBox({{0, 0}, {4, 4}}), std::vector<std::int32_t>(16, 3));
    f.store->TakeReads();
    EXPECT_EQ(Read(*f.array, far), std::vector<std::int32_t>{1});
    EXPECT_EQ(f.store->ReadsOf("a/c/1/1"), 0);
  }
}

/// A reader has the old bytes while the chunk is replaced: they must not get into the cache.
TEST(ArrayWriterCaches, AReaderThatIsLateKeepsNothing) {
  for (const std::string& codecs : {std::string(kCompressed), kCompressedShards}) {
    const WrittenArray f(codecs);
    f.Put(1);
    for (int read = 0; read < 3; ++read) {
      ChunkCache::GetShared().Clear();
      int reads = 0;
      f.store->AfterRead([&](const std::string&) {
        if (reads++ == read) f.Put(10 + read);
      });
      f.Get();
      f.store->AfterRead({});
      if (reads <= read) continue;
      EXPECT_EQ(f.Get(), 10 + read) << "after read " << read;
    }
  }
}

// --- threads ----------------------------------------------------------------------------------------------------

TEST(ArrayWriterThreads, MayShareAWriter) {
  for (const std::string& codecs : {std::string(kCompressed), kCompressedShards}) {
    for (const std::size_t limit : {std::size_t{200}, std::size_t{1} << 20}) {
      const auto store = std::make_shared<CountingStore>();
      const auto array = MakeArray(store, Metadata({40, 30}, "[10, 6]", codecs));
      WriterOptions options;
      options.buffer_limit = limit;
      const auto writer = ArrayWriter::Make(array, options);
      std::vector<std::thread> threads;
      for (unsigned thread = 0; thread < 4; ++thread) {
        threads.emplace_back([&, thread] {
          std::mt19937 random(thread);
          for (std::int32_t round = 0; round < 30; ++round) {
            // Each thread writes its own rows, but all write to the same chunks. The last value is the thread's number.
            for (std::uint64_t y = thread; y < 40; y += 4) {
              const auto value = round < 29 ? static_cast<std::int32_t>(random()) : static_cast<std::int32_t>(y);
              WriteAll(writer.get(), Selection::FromBox({{y, 0}, {1, 30}}), std::vector<std::int32_t>(30, value), 2);
            }
            if (round % 10 == 0) writer->Flush();
          }
        });
      }
      for (std::thread& thread : threads) thread.join();
      ASSERT_TRUE(writer->Flush());
      const auto values = Read(*array, WholeOf(*array));
      for (std::size_t i = 0; i < values.size(); ++i) ASSERT_EQ(values[i], static_cast<std::int32_t>(i / 30));
    }
  }
}

TEST(ArrayWriterThreads, ReadersSeeOldOrNewAndInTheEndNew) {
  for (const std::string& codecs : {std::string(kCompressed), kCompressedShards}) {
    const WrittenArray f(codecs);
    f.Put(0);
    std::atomic<bool> going{true};
    std::atomic<int> torn{0};
    std::vector<std::thread> readers;
    for (int reader = 0; reader < 2; ++reader) {
      readers.emplace_back([&] {
        while (going) {
          // Reads one inner chunk: two inner chunks of a shard that is replaced meanwhile may have different states.
          const auto values = Read(*f.array, Selection::FromBox({{0, 0}, {2, 2}}));
          torn += std::count(values.begin(), values.end(), values[0]) != 4;
        }
      });
    }
    for (std::int32_t value = 1; value <= 200; ++value) {
      f.Put(value);
      ASSERT_EQ(f.Get(), value);
    }
    going = false;
    for (std::thread& reader : readers) reader.join();
    EXPECT_EQ(torn, 0);
    EXPECT_EQ(f.Get(), 200);
  }
}

// --- processes --------------------------------------------------------------------------------------------------

/// Writes every second column of chunks, from `which` on, in strips.
void WriteColumns(const std::string& folder, const std::string& metadata, std::uint64_t which) {
  const auto array = Array::Make(std::make_shared<FilesystemStore>(folder), "a", ParseArrayV3(Json(metadata)));
  const auto writer = ArrayWriter::Make(array);
  for (std::uint64_t y = 0; y < 64; ++y) {
    for (std::uint64_t x = which * 8; x < 64; x += 16) {
      const Selection strip = Selection::FromBox({{y, x}, {1, 8}});
      const std::vector<std::int32_t> values(8, static_cast<std::int32_t>(y * 100 + x / 8));
      WriteOptions options;
      options.threads = 2;
      writer->Write(strip, SourceOf(values, strip), options);
    }
  }
  writer->Flush();
}

const ChildTask kWriteColumns("write odd columns of chunks", [](const ChildTask::Arguments& arguments) {
  ChildProcess::TellReady();
  WriteColumns(arguments.at(0), arguments.at(1), 1);
});

TEST(ArrayWriterProcesses, MayWriteDisjointChunksAtOnce) {
  for (const std::string& codecs : {std::string(kCompressed), kCompressedShards}) {
    const TemporaryFolder temporary;
    const std::string folder = temporary.path().string();
    const std::string metadata = Metadata({64, 64}, "[8, 8]", codecs);
    ChildProcess other(kWriteColumns, {folder, metadata});
    other.AwaitReady();
    WriteColumns(folder, metadata, 0);
    EXPECT_TRUE(other.Succeeds());
    const auto array = Array::Make(std::make_shared<FilesystemStore>(folder), "a", ParseArrayV3(Json(metadata)));
    const auto values = Read(*array, WholeOf(*array));
    for (std::size_t i = 0; i < values.size(); ++i) {
      ASSERT_EQ(values[i], static_cast<std::int32_t>(i / 64 * 100 + i % 64 / 8));
    }
  }
}

}  // namespace
}  // namespace zarr
