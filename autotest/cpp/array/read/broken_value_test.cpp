// SPDX-License-Identifier: MIT
#include "autotest/cpp/support/read_shards_test_util.h"

namespace zarr {
namespace {

using namespace test;

/// An array in a store on a network, of which a value is broken until the store was told so `times` times.
struct BrokenFixture {
  std::shared_ptr<CountingStore> store = std::make_shared<CountingStore>(kOnNetwork);
  std::shared_ptr<const Array> array;
  Bytes right;
  int noted = 0;

  explicit BrokenFixture(std::string_view codecs) : array(MakeArray(store, Metadata({6, 8}, "[6, 8]", codecs))) {
    Write(store.get(), *array);
    EXPECT_TRUE(store->Get("a/c/0/0", &right, nullptr, UINT64_MAX));
  }
  void Break(const Bytes& wrong, int times) {
    store->Set("a/c/0/0", wrong);
    noted = 0;
    store->OnBroken([this, times](const std::string& key, int number) {
      EXPECT_EQ(key, "a/c/0/0");
      EXPECT_EQ(number, ++noted);
      if (number > times) return false;
      if (number == times) store->Set(key, right);
      return true;
    });
  }
  Bytes Half() const { return Bytes(right.begin(), right.begin() + static_cast<std::ptrdiff_t>(right.size() / 2)); }
  std::vector<std::int32_t> ReadAll() const { return Read(*array, WholeOf(*array)); }
  std::vector<std::int32_t> AllExpected() const { return Expected(array->shape(), WholeOf(*array)); }
};

std::vector<std::string> Pipelines() {
  return {std::string(kPlain), std::string(kCompressed), "[" + Sharding("[3, 2]", kCompressed) + "]",
          "[" + Sharding("[3, 2]", kPlain, R"(, "index_location": "start")") + "]"};
}

TEST(BrokenValue, IsGotAgainAsTheStoreWants) {
  for (const std::string& codecs : Pipelines()) {
    for (int times = 1; times <= 3; ++times) {
      BrokenFixture f(codecs);
      f.Break(f.Half(), times);
      EXPECT_EQ(f.ReadAll(), f.AllExpected()) << codecs;
      EXPECT_EQ(f.noted, times) << codecs;
    }
  }
}

TEST(BrokenValue, IsAnErrorThatTellsItsOrigin) {
  for (const std::string& codecs : Pipelines()) {
    BrokenFixture f(codecs);
    f.Break(f.Half(), 0);
    const Error error = ErrorOf([&] { f.ReadAll(); });
    EXPECT_EQ(error.kind(), ErrorKind::kCorrupt) << error.what();
    EXPECT_NE(error.message().find("(from the store) (chunk [0,0])"), std::string::npos) << error.what();
    f.store->Set("a/c/0/0", f.right);
    EXPECT_EQ(f.ReadAll(), f.AllExpected()) << codecs;
  }
}

/// A shard whose index has no checksum, so that a wrong one is noticed late.
struct RawIndex : BrokenFixture {
  RawIndex()
      : BrokenFixture(R"([{"name": "sharding_indexed", "configuration": {"chunk_shape": [3, 2], "codecs": )" +
                      std::string(kCompressed) +
                      R"(, "index_codecs": [{"name": "bytes", "configuration": {"endian": "little"}}]}}])") {}
  Bytes WithEntry(std::size_t inner_chunk, std::uint64_t offset, std::uint64_t length) const {
    Bytes value = right;
    std::byte* const entry = value.data() + value.size() - 128 + 16 * inner_chunk;
    WriteLittleEndian(entry, offset);
    WriteLittleEndian(entry + 8, length);
    return value;
  }
};

TEST(BrokenValue, AnIndexThatLeadsAstrayIsNotKept) {
  for (const std::uint64_t offset : {std::uint64_t{1} << 40, std::uint64_t{3}}) {
    RawIndex f;
    f.Break(f.WithEntry(5, offset, 20), 0);
    ExpectError([&] { f.ReadAll(); }, ErrorKind::kCorrupt, "", "/a/c/0/0: ");
    f.store->Set("a/c/0/0", f.right);
    EXPECT_EQ(f.ReadAll(), f.AllExpected()) << offset;
  }
}

TEST(BrokenValue, AnIndexFromTheCacheIsReadAgainFirst) {
  RawIndex f;
  const Bytes wrong = f.WithEntry(5, 3, 20);
  f.store->Set("a/c/0/0", wrong);
  const Selection first = Selection::FromBox({{0, 0}, {3, 2}});
  EXPECT_EQ(Read(*f.array, first), Expected(f.array->shape(), first));  // the index is now in the cache
  f.Break(wrong, 1);
  EXPECT_EQ(f.ReadAll(), f.AllExpected());
}

}  // namespace
}  // namespace zarr
