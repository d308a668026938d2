// SPDX-License-Identifier: MIT
#include <atomic>
#include <mutex>
#include <set>
#include <stdexcept>

#include "autotest/cpp/support/array_writer_test_util.h"

namespace zarr {
namespace {

using namespace test;

/// A store whose n-th write fails, and a writer to an array of 10 x 1 chunks in it.
struct FailingArray {
  std::shared_ptr<CountingStore> store = std::make_shared<CountingStore>();
  std::shared_ptr<const Array> array;
  std::shared_ptr<ArrayWriter> writer;
  std::atomic<int> writes{0};

  FailingArray(const std::string& codecs, int failing)
      : array(MakeArray(store, Metadata({40, 4}, "[4, 4]", codecs))), writer(ArrayWriter::Make(array)) {
    store->OnWrite([this, failing](const std::string& key) {
      if (++writes >= failing) throw Error(ErrorKind::kIo, store->name(), key, "", "no space left on device");
    });
  }
};

TEST(ArrayWriterErrors, StayUntilTheEnd) {
  for (const std::string& codecs : {std::string(kCompressed), kCompressedShards}) {
    FailingArray f(codecs, 4);
    const std::vector<std::int32_t> values(160, 1);
    WriteAll(f.writer.get(), Selection::FromBox({{0, 0}, {4, 1}}), std::vector<std::int32_t>(4, 7));
    const Error first = ErrorOf([&] { WriteAll(f.writer.get(), WholeOf(*f.array), values); });
    EXPECT_EQ(first.kind(), ErrorKind::kIo);
    EXPECT_EQ(first.store(), f.store->name());
    EXPECT_EQ(first.key(), "a/c/3/0");
    EXPECT_FALSE(f.writer->dirty());
    f.store->OnWrite({});
    EXPECT_STREQ(ErrorOf([&] { WriteAll(f.writer.get(), WholeOf(*f.array), values); }).what(), first.what());
    EXPECT_STREQ(ErrorOf([&] { f.writer->Flush(); }).what(), first.what());
    EXPECT_FALSE(f.store->Exists("a/c/3/0"));
  }
}

std::string FindKeyOfError(FailingArray* f) {
  WriteOptions options;
  options.threads = 4;
  const std::vector<std::int32_t> values(160, 1);
  return ErrorOf([&] { f->writer->Write(WholeOf(*f->array), SourceOf(values, WholeOf(*f->array)), options); }).key();
}

TEST(ArrayWriterErrors, ThatOfTheFirstChunkWins) {
  for (int round = 0; round < 20; ++round) {
    FailingArray f(std::string(kCompressed), 1);
    EXPECT_EQ(FindKeyOfError(&f), "a/c/0/0");
  }
}

// Another shard may be complete before the last inner chunk of the first one is begun.
TEST(ArrayWriterErrors, ThatOfAShardNamesOneThatFailed) {
  for (int round = 0; round < 20; ++round) {
    FailingArray f(kCompressedShards, 1);
    std::set<std::string> failed;
    std::mutex mutex;
    f.store->OnWrite([&](const std::string& key) {
      const std::lock_guard lock(mutex);
      failed.insert(key);
      throw Error(ErrorKind::kIo, f.store->name(), key, "", "no space left on device");
    });
    const std::string key = FindKeyOfError(&f);
    EXPECT_TRUE(failed.contains(key)) << key;
  }
}

TEST(ArrayWriterErrors, AFlushFails) {
  for (const std::string& codecs : {std::string(kCompressed), kCompressedShards}) {
    FailingArray f(codecs, 3);
    WriteAll(f.writer.get(), Selection::FromBox({{0, 1}, {40, 1}}), std::vector<std::int32_t>(40, 7));
    EXPECT_TRUE(f.writer->dirty());
    EXPECT_EQ(ErrorOf([&] { f.writer->Flush(); }).kind(), ErrorKind::kIo);
    EXPECT_FALSE(f.writer->dirty());
    EXPECT_EQ(ErrorOf([&] { f.writer->Flush(); }).kind(), ErrorKind::kIo);
  }
}

TEST(ArrayWriterErrors, WhatCannotBeReadIsNotOverwritten) {
  for (const std::string& codecs : {std::string(kCompressed), kCompressedShards}) {
    FailingArray f(codecs, 1000);
    f.store->SetText("a/c/1/0", "no chunk");
    WriteAll(f.writer.get(), Selection::FromBox({{0, 1}, {40, 1}}), std::vector<std::int32_t>(40, 7));
    const Error error = ErrorOf([&] { f.writer->Flush(); });
    EXPECT_EQ(error.kind(), ErrorKind::kCorrupt) << error.what();
    EXPECT_EQ(error.key(), "a/c/1/0");
    EXPECT_NE(std::string(error.what()).find("chunk [1,0]"), std::string::npos) << error.what();
    EXPECT_EQ(f.store->GetText("a/c/1/0"), "no chunk");
    f.store->TakeReads();
  }
  FailingArray f(std::string(kCompressed), 1000);
  f.store->FailAt("a/c/1/0");
  WriteAll(f.writer.get(), Selection::FromBox({{0, 1}, {40, 1}}), std::vector<std::int32_t>(40, 7));
  EXPECT_EQ(ErrorOf([&] { f.writer->Flush(); }).kind(), ErrorKind::kIo);
}

/// Fails at its second row.
class FailingConverter final : public RowConverter {
 public:
  void ConvertRow(const std::byte* source, std::ptrdiff_t, std::byte* destination, std::ptrdiff_t,
                  std::size_t count) const override {
    if (++rows_ > 1) throw std::runtime_error("out of something");
    std::memcpy(destination, source, count * sizeof(std::int32_t));
  }

 private:
  mutable std::atomic<int> rows_{0};
};

TEST(ArrayWriterErrors, OfOtherKindsStayToo) {
  FailingArray f(std::string(kPlain), 1000);
  const FailingConverter converter;
  const std::vector<std::int32_t> values(160, 1);
  ElementSource source = SourceOf(values, WholeOf(*f.array));
  source.converter = &converter;
  EXPECT_THROW(f.writer->Write(WholeOf(*f.array), source), std::runtime_error);
  EXPECT_THROW(f.writer->Flush(), std::runtime_error);
}

/// A store that takes no writes.
class ReadOnlyStore final : public Store {
 public:
  ReadOnlyStore() : Store("readonly") {}
  StoreInfo info() const override { return {}; }
  bool Read(const ReadRequest&) const override { return false; }
  std::optional<Listing> List(std::string_view, const ListOptions&) const override { return std::nullopt; }
  bool Write(std::string_view, ByteSpan, WriteIf) override {
    ADD_FAILURE();
    return false;
  }
  void EraseAll(std::span<const std::string>) override { ADD_FAILURE(); }
};

TEST(ArrayWriterErrors, ThereIsNoWriterToWhatCannotBeWritten) {
  const auto read_only =
      Array::Make(std::make_shared<ReadOnlyStore>(), "", ParseArrayV3(Json(Metadata({4, 4}, "[2, 2]", kPlain))));
  EXPECT_EQ(ErrorOf([&] { ArrayWriter::Make(read_only); }).kind(), ErrorKind::kReadOnly);
  const auto store = std::make_shared<CountingStore>();
  const auto unknown = MakeArray(store, Metadata({4, 4}, "[2, 2]", R"([{"name": "nobody-knows"}])"));
  EXPECT_EQ(ErrorOf([&] { ArrayWriter::Make(unknown); }).kind(), ErrorKind::kUnsupported);
}

}  // namespace
}  // namespace zarr
