// SPDX-License-Identifier: MIT
#include <filesystem>
#include <fstream>
#include <thread>

#include "autotest/cpp/support/array_writer_test_util.h"
#include "autotest/cpp/support/temporary_folder.h"
#include "zarrlib/store/filesystem_store.h"

/// Other programs change a store while an array of it is open: handles that are opened later see the change.
namespace zarr {
namespace {

using namespace test;

const std::vector<std::string> kCodecs = {std::string(kPlain), std::string(kCompressed), kCompressedShards};

/// An array of 2 x 2 chunks of 4 x 4 elements, which the older handle has read completely.
struct ReadArray {
  explicit ReadArray(const std::string& codecs) : metadata(Metadata({8, 8}, "[4, 4]", codecs)) {
    array = MakeArray(store, metadata);
    Write(store.get(), *array);
    Read(*array, WholeOf(*array));
    store->TakeReads();
    store->TakeStamps();
  }
  std::shared_ptr<const Array> Open() const { return MakeArray(store, metadata); }
  /// Replaces a chunk by another one, as another process would.
  void Replace(const std::string& key, const std::string& by) const {
    Bytes value;
    ASSERT_TRUE(store->Get(by, &value, nullptr, UINT64_MAX));
    store->Set(key, value);
    store->TakeReads();
  }

  std::shared_ptr<CountingStore> store = std::make_shared<CountingStore>();
  std::string metadata;
  std::shared_ptr<const Array> array;
};

std::int32_t First(const Array& array) {
  return Read(array, Selection::FromBox({{0, 0}, {1, 1}}))[0];
}

TEST(ArrayFresh, AReplacedChunkIsReadByWhoOpensLater) {
  for (const std::string& codecs : kCodecs) {
    const ReadArray f(codecs);
    f.Replace("a/c/0/0", "a/c/1/1");
    EXPECT_EQ(First(*f.array), 0) << "the older handle keeps what it has read";
    EXPECT_EQ(First(*f.Open()), 36);
    EXPECT_EQ(First(*f.array), 36) << "what is known to be gone serves nobody";
  }
}

TEST(ArrayFresh, AChunkThatHasGoneIsTheFillValue) {
  for (const std::string& codecs : kCodecs) {
    const ReadArray f(codecs);
    f.store->Erase("a/c/0/0");
    EXPECT_EQ(First(*f.Open()), -1);
  }
}

TEST(ArrayFresh, AChunkThatHasComeIsRead) {
  for (const std::string& codecs : kCodecs) {
    ReadArray f(codecs);
    f.store->Erase("a/c/0/0");
    f.array = nullptr;
    f.array = f.Open();
    EXPECT_EQ(First(*f.array), -1);
    f.Replace("a/c/0/0", "a/c/1/1");
    EXPECT_EQ(First(*f.Open()), 36);
  }
}

TEST(ArrayFresh, AnInnerChunkThatHasGoneIsTheFillValue) {
  const ReadArray f(kCompressedShards);
  const auto writer = ArrayWriter::Make(MakeArray(std::make_shared<CountingStore>(), f.metadata));
  const Array& others = writer->array();
  WriteAll(writer.get(), Selection::FromBox({{2, 0}, {2, 4}}), std::vector<std::int32_t>(8, 5));
  ASSERT_TRUE(writer->Flush());
  Bytes value;
  ASSERT_TRUE(others.store().Get("a/c/0/0", &value));
  f.store->Set("a/c/0/0", value);
  const auto later = f.Open();
  EXPECT_EQ(First(*later), -1);
  EXPECT_EQ(Read(*later, Selection::FromBox({{2, 0}, {1, 1}}))[0], 5);
}

TEST(ArrayFresh, AHandleAsksOnceForEachChunkThatIsKept) {
  for (const std::string& codecs : kCodecs) {
    const ReadArray f(codecs);
    Read(*f.array, WholeOf(*f.array));
    EXPECT_EQ(f.store->TakeStamps(), 0) << "it has read them itself";
    const auto later = f.Open();
    for (int i = 0; i < 3; ++i) {
      EXPECT_EQ(Read(*later, WholeOf(*later)), Expected({8, 8}, WholeOf(*later)));
      EXPECT_EQ(f.store->TakeStamps(), i == 0 ? 4 : 0);
    }
    Read(*f.array, WholeOf(*f.array));
    EXPECT_EQ(f.store->TakeStamps(), 0) << "what a later handle has asked for is known to the older one";
    EXPECT_EQ(f.store->TakeReads(), 0);
  }
}

TEST(ArrayFresh, WhatIsNotKeptIsNotAskedFor) {
  for (const std::string& codecs : kCodecs) {
    const ReadArray f(codecs);
    ChunkCache::GetShared().Clear();
    const auto later = MakeArray(f.store, Metadata({8, 9}, "[4, 4]", codecs));
    Read(*later, WholeOf(*later));
    EXPECT_EQ(f.store->TakeStamps(), 0);
  }
}

TEST(ArrayFresh, AStampThatMayTellTooLittleIsNotTrusted) {
  for (const std::string& codecs : kCodecs) {
    ReadArray f(codecs);
    f.array = nullptr;
    f.store->SetSettled(false);
    f.array = f.Open();
    EXPECT_EQ(First(*f.array), 0);
    f.store->TakeReads();
    EXPECT_EQ(First(*f.array), 0);
    EXPECT_EQ(f.store->TakeReads(), 0) << "a handle does not doubt what it has read itself";
    f.store->SetSettled(true);
    EXPECT_EQ(First(*f.Open()), 0);
    EXPECT_GT(f.store->TakeReads(), 0);
    EXPECT_EQ(First(*f.Open()), 0);
    EXPECT_EQ(f.store->TakeReads(), 0);
  }
}

TEST(ArrayFresh, AFailureToAskIsAnError) {
  for (const std::string& codecs : kCodecs) {
    const ReadArray f(codecs);
    const auto later = f.Open();
    f.store->FailAt("a/c/0/0");
    EXPECT_EQ(ErrorOf([&] { First(*later); }).kind(), ErrorKind::kIo);
  }
}

/// The files have one size and are overwritten in place, within one tick of the clock: neither inode nor times differ.
TEST(ArrayFresh, FilesThatAreOverwrittenAtOnceAreReadAnew) {
  const TemporaryFolder temporary;
  const std::string folder = temporary.path().string();
  const std::string metadata = Metadata({4}, "[4]", kPlain);
  const auto open = [&] {
    return Array::Make(std::make_shared<FilesystemStore>(folder), "a", ParseArrayV3(Json(metadata)));
  };
  std::filesystem::create_directories(folder + "/a/c");
  const auto put = [&](std::int32_t value) {
    const Bytes bytes = LittleEndianOf(std::vector<std::int32_t>(4, value));
    std::ofstream(folder + "/a/c/0", std::ios::binary).write(reinterpret_cast<const char*>(bytes.data()), 16);
  };
  put(0);
  std::vector<std::shared_ptr<const Array>> handles = {open()};
  for (std::int32_t value = 1; value < 300; ++value) {
    put(value);
    handles.push_back(open());
    ASSERT_EQ(Read(*handles.back(), Selection::FromBox({{1}, {1}})), std::vector<std::int32_t>{value});
  }
}

}  // namespace
}  // namespace zarr
