// SPDX-License-Identifier: MIT
#include "driver/stores/parquet/parquet_writer.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "autotest/cpp/driver/stores/parquet/bytes_source.h"
#include "driver/stores/kerchunk/reference_records.h"
#include "driver/stores/parquet/compact_reader.h"
#include "driver/stores/parquet/compact_writer.h"
#include "driver/stores/parquet/parquet_file.h"

namespace gdal_zarr {
namespace {

using Strings = std::vector<std::optional<std::string>>;
using Numbers = std::vector<std::int64_t>;

BytesSource MakeFile(Strings paths, Numbers offsets, Numbers sizes, Strings values) {
  const std::vector<ParquetOutputColumn> columns = {{"path", std::move(paths), true},
                                                    {"offset", std::move(offsets)},
                                                    {"size", std::move(sizes)},
                                                    {"raw", std::move(values)}};
  return BytesSource(std::string(zarr::AsText(MakeParquetFile(columns))));
}

TEST(ParquetWriter, WritesWhatTheReaderReads) {
  const BytesSource file =
      MakeFile({"s3://b/a.nc", std::nullopt, "/é.nc", std::nullopt}, {5, 0, 1LL << 40, 0}, {7, 0, 3, 0},
               {std::nullopt, std::nullopt, std::nullopt, std::string("\0x\xff", 3)});
  const ReferenceRecords records(file, 100);
  ASSERT_EQ(records.size(), 4u);
  EXPECT_EQ(records.Find(0)->url, "s3://b/a.nc");
  EXPECT_EQ(records.Find(0)->offset, 5u);
  EXPECT_EQ(records.Find(0)->length, 7u);
  EXPECT_FALSE(records.Has(1));
  EXPECT_EQ(records.Find(2)->url, "/é.nc");
  EXPECT_EQ(records.Find(2)->offset, std::uint64_t{1} << 40);
  EXPECT_EQ(records.Find(3)->inline_value, std::string("\0x\xff", 3));
}

TEST(ParquetWriter, WritesManyRows) {
  constexpr std::int64_t kRows = 30'000;
  Strings paths;
  Numbers offsets;
  for (std::int64_t i = 0; i < kRows; ++i) {
    paths.push_back(i % 3 == 0 ? std::nullopt : std::optional("/data/" + std::to_string(i / 1000) + ".nc"));
    offsets.push_back(i * 1'000'003);
  }
  const BytesSource file = MakeFile(paths, offsets, Numbers(kRows, 9), Strings(kRows));
  const ReferenceRecords records(file, kRows);
  ASSERT_EQ(records.size(), 30'000u);
  for (std::int64_t i = 0; i < kRows; ++i) {
    const auto row = static_cast<std::uint64_t>(i);
    ASSERT_EQ(records.Has(row), i % 3 != 0) << i;
    if (i % 3 == 0) continue;
    ASSERT_EQ(records.Find(row)->url, *paths[row]);
    ASSERT_EQ(records.Find(row)->offset, static_cast<std::uint64_t>(offsets[row]));
  }
}

TEST(ParquetWriter, WritesNoRows) {
  const BytesSource file = MakeFile({}, {}, {}, {});
  EXPECT_EQ(ParquetFile(file).row_count(), 0u);
}

TEST(CompactWriter, WritesIntegersThatAreReadBack) {
  for (const std::int64_t value : {std::int64_t{0}, std::int64_t{-1}, std::int64_t{127}, INT64_MIN, INT64_MAX}) {
    zarr::Bytes bytes;
    CompactWriter writer(&bytes);
    writer.PutI64(3, value);
    writer.PutString(12, "text");
    writer.End();
    CompactReader reader(bytes);
    std::int64_t number = 5;
    std::string text;
    reader.ReadFields([&](std::int64_t id) {
      if (id == 3) number = reader.ReadInteger();
      if (id == 12) text = reader.ReadString();
    });
    EXPECT_EQ(number, value);
    EXPECT_EQ(text, "text");
  }
}

}  // namespace
}  // namespace gdal_zarr
