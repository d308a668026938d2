// SPDX-License-Identifier: MIT
#include "zarrlib/store/icechunk/chunk_table.h"

#include <gtest/gtest.h>

#include "autotest/cpp/support/test_util.h"
#include "zarrlib/base/error.h"

namespace zarr {
namespace {

using Coordinates = std::vector<std::uint32_t>;

ChunkRef MakeNative(std::uint64_t offset, std::uint64_t length) {
  ChunkRef ref;
  ref.kind = ChunkRef::Kind::kNative;
  ref.file[3] = static_cast<std::byte>(length % 251);
  ref.offset = offset;
  ref.length = length;
  return ref;
}

ChunkRef MakeVirtual(const std::string& location, const std::string& etag, std::uint32_t modified) {
  ChunkRef ref;
  ref.kind = ChunkRef::Kind::kVirtual;
  ref.location = location;
  ref.etag = etag;
  ref.last_modified = modified;
  ref.length = 7;
  return ref;
}

TEST(ChunkTable, FindsEachReferenceOfADenseArray) {
  ChunkTable table(3);
  for (std::uint32_t i = 0; i < 7; ++i) {
    for (std::uint32_t j = 0; j < 11; ++j) {
      for (std::uint32_t k = 0; k < 13; ++k) {
        table.Add(Coordinates{i, j, k}, MakeNative(k % 2, std::uint64_t{1} << (i + j)), UINT64_MAX);
      }
    }
  }
  table.Finish();
  EXPECT_EQ(table.size(), 7U * 11 * 13);
  EXPECT_LT(table.memory(), table.size() * 20);
  for (std::uint32_t i = 0; i < 7; ++i) {
    for (std::uint32_t j = 0; j < 11; ++j) {
      for (std::uint32_t k = 0; k < 13; ++k) {
        const auto found = table.Find(Coordinates{i, j, k});
        ASSERT_TRUE(found);
        EXPECT_EQ(found->offset, k % 2);
        EXPECT_EQ(found->length, std::uint64_t{1} << (i + j));
        EXPECT_EQ(found->file, MakeNative(0, found->length).file);
      }
    }
  }
  EXPECT_FALSE(table.Find(Coordinates{0, 0, 13}));
  EXPECT_FALSE(table.Find(Coordinates{7, 0, 0}));
}

TEST(ChunkTable, FindsReferencesOfAllKindsBetweenGaps) {
  ChunkTable table(2);
  const Bytes bytes = ToBytes("inline");
  for (std::uint32_t i = 0; i < 1000; ++i) {
    ChunkRef ref;
    ref.bytes = bytes;
    if (i % 3 == 1) ref = MakeNative(std::uint64_t{i} << 33, i);
    if (i % 3 == 2)
      ref = MakeVirtual("s3://b/" + std::to_string(i / 5), i % 2 ? "" : "tag" + std::to_string(i / 9), i % 4);
    table.Add(Coordinates{i * 3, i % 5 * 1'000'000}, ref, UINT64_MAX);
  }
  table.Finish();
  for (std::uint32_t i = 0; i < 1000; ++i) {
    EXPECT_FALSE(table.Find(Coordinates{i * 3 + 1, 0}));
    const auto found = table.Find(Coordinates{i * 3, i % 5 * 1'000'000});
    ASSERT_TRUE(found) << i;
    EXPECT_EQ(static_cast<std::uint32_t>(found->kind), i % 3);
    EXPECT_EQ(AsText(found->bytes), i % 3 == 0 ? "inline" : "");
    EXPECT_EQ(found->offset, i % 3 == 1 ? std::uint64_t{i} << 33 : 0);
    if (i % 3 != 2) continue;
    EXPECT_EQ(found->location, "s3://b/" + std::to_string(i / 5));
    EXPECT_EQ(found->etag, i % 2 ? "" : "tag" + std::to_string(i / 9));
    EXPECT_EQ(found->last_modified, i % 4);
  }
}

TEST(ChunkTable, NumbersTheFilesThatHaveManyChunks) {
  constexpr std::uint32_t kChunks = 100'000;
  for (const std::uint32_t files : {1000U, 50'000U}) {
    const auto make = [&](std::uint32_t i) {
      const std::uint32_t file = i % files;
      return MakeVirtual("s3://bucket/folder/" + std::to_string(file * 7919),
                         file % 2 ? "" : "a long entity tag of the file " + std::to_string(file),
                         file % 3 * 1'700'000'000);
    };
    ChunkTable table(1);
    for (std::uint32_t i = 0; i < kChunks; ++i) table.Add(Coordinates{i}, make(i), UINT64_MAX);
    table.Finish();
    EXPECT_LT(table.memory(), kChunks * (files == 1000 ? 8 : 32));
    std::uint32_t visited = 0;
    table.ForEach([&](ChunkCoordinates at, const ChunkRef& ref) {
      ASSERT_EQ(at[0], visited++);
      const ChunkRef expected = make(at[0]);
      ASSERT_EQ(ref.location, expected.location);
      ASSERT_EQ(ref.etag, expected.etag);
      ASSERT_EQ(ref.last_modified, expected.last_modified);
    });
    EXPECT_EQ(visited, kChunks);
    for (std::uint32_t i = 0; i < kChunks; i += 991) EXPECT_EQ(table.Find(Coordinates{i})->location, make(i).location);
  }
}

TEST(ChunkTable, FindsTheNextReference) {
  ChunkTable table(2);
  for (const std::uint32_t i : {2, 5, 40, 41}) {
    for (std::uint32_t j = 0; j < 30; ++j) table.Add(Coordinates{i, j}, MakeNative(0, 1), UINT64_MAX);
  }
  EXPECT_EQ(table.FindNext(Coordinates{0, 0}), (Coordinates{2, 0}));
  EXPECT_EQ(table.FindNext(Coordinates{2, 29}), (Coordinates{2, 29}));
  EXPECT_EQ(table.FindNext(Coordinates{2, 30}), (Coordinates{5, 0}));
  EXPECT_EQ(table.FindNext(Coordinates{6, 0}), (Coordinates{40, 0}));
  EXPECT_EQ(table.FindNext(Coordinates{41, 30}), std::nullopt);
}

TEST(ChunkTable, HasOneReferenceWithoutDimensions) {
  ChunkTable table(0);
  EXPECT_FALSE(table.Find({}));
  table.Add({}, MakeNative(3, 4), UINT64_MAX);
  EXPECT_EQ(table.Find({})->offset, 3U);
  EXPECT_EQ(table.FindNext({}), Coordinates());
  EXPECT_THROW(table.Add({}, MakeNative(3, 4), UINT64_MAX), Error);
}

TEST(ChunkTable, RefusesReferencesThatAreNotSorted) {
  for (const Coordinates& wrong : {Coordinates{1, 1}, Coordinates{1, 0}, Coordinates{0, 9}}) {
    ChunkTable table(2);
    table.Add(Coordinates{1, 1}, MakeNative(0, 1), UINT64_MAX);
    EXPECT_THROW(table.Add(wrong, MakeNative(0, 1), UINT64_MAX), Error);
  }
}

TEST(ChunkTable, IsBoundedInSize) {
  ChunkTable table(1);
  ChunkRef ref;
  const Bytes bytes(1000);
  ref.bytes = bytes;
  const auto fill = [&] {
    for (std::uint32_t i = 0; i < 100; ++i) table.Add(Coordinates{i}, ref, 10'000);
  };
  EXPECT_THROW(fill(), Error);
}

}  // namespace
}  // namespace zarr
