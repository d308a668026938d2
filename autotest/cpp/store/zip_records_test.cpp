// SPDX-License-Identifier: MIT
#include "zarrlib/store/zip/zip_records.h"

#include <gtest/gtest.h>

#include <cstring>

namespace zarr {
namespace {

template <typename T>
T At(const Bytes& bytes, std::size_t offset) {
  EXPECT_LE(offset + sizeof(T), bytes.size());
  return LoadLittleEndian<T>(bytes.data() + offset);
}

TEST(ZipRecordsTest, ALocalHeaderIsThatOfAStoredFile) {
  const ZipEntry entry{"a/0", 5, 1000, 0x12345678};
  const Bytes header = MakeZipLocalHeader(entry, {3, 4});
  EXPECT_EQ(header.size(), 33u);
  EXPECT_EQ(GetZipLocalHeaderSize(entry), header.size());
  EXPECT_EQ(AsText({header.data(), 4}), "PK\3\4");
  EXPECT_EQ(At<std::uint16_t>(header, 4), 20);
  EXPECT_EQ(At<std::uint16_t>(header, 6), 0);   // flags
  EXPECT_EQ(At<std::uint16_t>(header, 8), 0);   // method
  EXPECT_EQ(At<std::uint16_t>(header, 10), 4);  // time
  EXPECT_EQ(At<std::uint16_t>(header, 12), 3);
  EXPECT_EQ(At<std::uint32_t>(header, 14), 0x12345678u);
  EXPECT_EQ(At<std::uint32_t>(header, 18), 5u);
  EXPECT_EQ(At<std::uint32_t>(header, 22), 5u);
  EXPECT_EQ(AsText({header.data() + 30, 3}), "a/0");
}

TEST(ZipRecordsTest, NamesThatAreNotAsciiAreMarkedAsUtf8) {
  EXPECT_EQ(At<std::uint16_t>(MakeZipLocalHeader({"h\xc3\xb6he", 0, 0, 0}, {}), 6), 1 << 11);
}

TEST(ZipRecordsTest, LargeSizesStandInFieldsOfZip64) {
  const ZipEntry entry{"a", 0x1'0000'0001, 0, 0};
  const Bytes header = MakeZipLocalHeader(entry, {});
  EXPECT_EQ(GetZipLocalHeaderSize(entry), header.size());
  EXPECT_EQ(At<std::uint16_t>(header, 4), 45);
  EXPECT_EQ(At<std::uint32_t>(header, 18), 0xFFFFFFFFu);
  EXPECT_EQ(At<std::uint16_t>(header, 28), 20);
  EXPECT_EQ(At<std::uint16_t>(header, 31), 1);
  EXPECT_EQ(At<std::uint16_t>(header, 33), 16);
  EXPECT_EQ(At<std::uint64_t>(header, 35), 0x1'0000'0001u);
  EXPECT_EQ(At<std::uint64_t>(header, 43), 0x1'0000'0001u);
}

TEST(ZipRecordsTest, TheEndTellsWhereTheDirectoryStands) {
  ZipDirectory directory({});
  directory.Add({"a", 5, 0, 1});
  directory.Add({"b", 6, 36, 2});
  const Bytes bytes = directory.Finish(73);
  ASSERT_EQ(bytes.size(), 2 * 47u + 22u);
  EXPECT_EQ(At<std::uint32_t>(bytes, 47 + 42), 36u);
  const std::size_t end = 2 * 47;
  EXPECT_EQ(AsText({bytes.data() + end, 4}), "PK\5\6");
  EXPECT_EQ(At<std::uint16_t>(bytes, end + 10), 2);
  EXPECT_EQ(At<std::uint32_t>(bytes, end + 12), 94u);
  EXPECT_EQ(At<std::uint32_t>(bytes, end + 16), 73u);
}

TEST(ZipRecordsTest, WhatStandsFarBehindIsNamedByZip64) {
  ZipDirectory directory({});
  directory.Add({"a", 5, 0x2'0000'0000, 1});
  const Bytes bytes = directory.Finish(0x3'0000'0000);
  const std::size_t record = 46 + 1 + 12;
  ASSERT_EQ(bytes.size(), record + 56 + 20 + 22);
  EXPECT_EQ(At<std::uint32_t>(bytes, 42), 0xFFFFFFFFu);
  EXPECT_EQ(At<std::uint32_t>(bytes, 20), 5u);  // sizes are where they always are
  EXPECT_EQ(At<std::uint64_t>(bytes, 47 + 4), 0x2'0000'0000u);
  EXPECT_EQ(AsText({bytes.data() + record, 4}), "PK\6\6");
  EXPECT_EQ(At<std::uint64_t>(bytes, record + 4), 44u);
  EXPECT_EQ(At<std::uint64_t>(bytes, record + 32), 1u);
  EXPECT_EQ(At<std::uint64_t>(bytes, record + 40), record);
  EXPECT_EQ(At<std::uint64_t>(bytes, record + 48), 0x3'0000'0000u);
  EXPECT_EQ(AsText({bytes.data() + record + 56, 4}), "PK\6\7");
  EXPECT_EQ(At<std::uint64_t>(bytes, record + 56 + 8), 0x3'0000'0000u + record);
  EXPECT_EQ(At<std::uint32_t>(bytes, record + 76 + 16), 0xFFFFFFFFu);
}

TEST(ZipRecordsTest, ManyFilesAreCountedByZip64) {
  for (const std::uint32_t count : {65534u, 65535u}) {
    ZipDirectory directory({});
    for (std::uint32_t i = 0; i < count; ++i) directory.Add({"a", 0, 0, 0});
    const Bytes bytes = directory.Finish(0);
    const bool in64 = count == 65535;
    ASSERT_EQ(bytes.size(), count * 47u + 22 + (in64 ? 76 : 0));
    EXPECT_EQ(At<std::uint16_t>(bytes, bytes.size() - 12), count);
    if (!in64) continue;
    EXPECT_EQ(At<std::uint64_t>(bytes, count * 47u + 32), count);
  }
}

TEST(ZipRecordsTest, TimesAreOfTheYearsFrom1980On) {
  EXPECT_EQ(ToZipTime(0).date >> 9, 0);
  const ZipTime time = ToZipTime(1'000'000'000);  // 9 September 2001, all over the world
  EXPECT_EQ(time.date >> 9, 21);
  EXPECT_EQ(time.date >> 5 & 15, 9);
}

}  // namespace
}  // namespace zarr
