// SPDX-License-Identifier: MIT
#include "driver/stores/parquet/parquet_file.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <optional>
#include <string>
#include <vector>

#include "autotest/cpp/driver/stores/parquet/bytes_source.h"
#include "driver/stores/kerchunk/packed_columns.h"
#include "driver/stores/kerchunk/reference_records.h"
#include "driver/stores/parquet/bit_readers.h"
#include "driver/stores/parquet/compact_reader.h"
#include "driver/stores/parquet/page_bytes.h"
#include "zarrlib/base/error.h"

namespace gdal_zarr {
namespace {

using Value = std::optional<std::string>;

class Collector final : public ColumnSink {
 public:
  void AddNull() override { values.emplace_back(); }
  void AddInteger(std::int64_t value) override { values.emplace_back(std::to_string(value)); }
  void AddBytes(std::string_view value, std::uint64_t*) override { values.emplace_back(value); }
  std::vector<Value> values;
};

zarr::Bytes MakeBytes(std::initializer_list<int> values) {
  zarr::Bytes bytes;
  for (const int value : values) bytes.push_back(static_cast<std::byte>(value));
  return bytes;
}

std::vector<std::string> ReadTestFiles() {
  std::vector<std::string> files;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(ZARR_TEST_DATA "/references/stores")) {
    if (entry.path().extension() != ".parq" || !entry.is_regular_file()) continue;
    std::ifstream stream(entry.path(), std::ios::binary);
    files.emplace_back(std::istreambuf_iterator<char>(stream), std::istreambuf_iterator<char>());
  }
  return files;
}

/// Reads all rows. Returns false if the file is refused.
bool ReadsAll(const std::string& bytes) {
  try {
    const ReferenceRecords records(BytesSource(bytes), 2000);
    for (std::uint64_t row = 0; row < records.size(); ++row) {
      if (records.Has(row)) records.Find(row);
    }
    return true;
  } catch (const zarr::Error&) {
    return false;
  }
}

// --- parts of the format --------------------------------------------------------------------------------------------

TEST(CompactReader, ReadsFieldsAndSkipsOthers) {
  // 1: true, 2: a list of two booleans, 4: -3, 5: "ab", 6: {1: 7}, 300: a double
  const zarr::Bytes bytes = MakeBytes({0x11, 0x19, 0x22, 1, 2, 0x25, 5, 0x18, 2, 'a', 'b', 0x1c, 0x15, 14, 0,  //
                                       0x07, 0xd8, 4,    0, 0, 0,    0, 0,    0, 0,   0,   0,    99});
  CompactReader reader(bytes);
  std::vector<std::string> found;
  reader.ReadFields([&](std::int64_t id) {
    if (id == 1) found.emplace_back(reader.ReadBoolean() ? "true" : "false");
    if (id == 2) reader.ReadItems([&] { found.emplace_back(reader.ReadBoolean() ? "yes" : "no"); });
    if (id == 4) found.push_back(std::to_string(reader.ReadInteger()));
    if (id == 5) found.push_back(reader.ReadString());
    if (id == 300) found.emplace_back("300");
  });
  EXPECT_EQ(found, (std::vector<std::string>{"true", "yes", "no", "-3", "ab", "300"}));
  EXPECT_EQ(reader.position(), bytes.size() - 1);
}

TEST(CompactReader, RefusesWhatDoesNotFit) {
  const std::vector<zarr::Bytes> wrong = {
      MakeBytes({}),                                          // no end of the structure
      MakeBytes({0x18, 5, 'a', 0}),                           // a string that is too long
      MakeBytes({0x19, 0xf5, 0xff, 0xff, 0xff, 0xff, 7, 0}),  // a list of more items than bytes
      MakeBytes({0x1f, 0}),                                   // an unknown type
      zarr::Bytes(1000, std::byte{0x1c}),                     // structures in structures
  };
  for (const zarr::Bytes& bytes : wrong) {
    CompactReader reader(bytes);
    EXPECT_THROW(reader.ReadFields([](std::int64_t) {}), zarr::Error);
  }
}

TEST(BitReaders, ReadRunsAndPackedBits) {
  // The example of the format: 0 to 7, packed with three bits each; then a run of four times 5.
  const zarr::Bytes bytes = MakeBytes({3, 0x88, 0xc6, 0xfa, 8, 5});
  RunReader reader(bytes, 3);
  for (std::uint32_t i = 0; i < 8; ++i) EXPECT_EQ(reader.ReadNext(), i);
  for (int i = 0; i < 4; ++i) EXPECT_EQ(reader.ReadNext(), 5u);
  EXPECT_THROW(reader.ReadNext(), zarr::Error);
  EXPECT_THROW(RunReader(bytes, 33), zarr::Error);
}

TEST(BitReaders, ReadDeltas) {
  // Blocks of 8 values: 7, 5, 3, 1, 2, 3, 4, 5 as in the format.
  const zarr::Bytes bytes = MakeBytes({8, 1, 8, 14, 3, 2, 0xc0, 0x3f});
  DeltaReader reader(bytes, 8);
  EXPECT_EQ(reader.FindEnd(), bytes.size());
  for (const int value : {7, 5, 3, 1, 2, 3, 4, 5}) EXPECT_EQ(reader.ReadNext(), value);
  EXPECT_THROW(reader.ReadNext(), zarr::Error);
  EXPECT_THROW(DeltaReader(bytes, 7), zarr::Error);
}

TEST(DecompressPage, DecodesSnappyAndLz4) {
  zarr::Bytes out;
  DecompressPage(ParquetCodec::kSnappy, MakeBytes({9, 0x08, 'a', 'b', 'c', 0x09, 3}), 9, &out);
  EXPECT_EQ(zarr::AsText(out), "abcabcabc");
  const zarr::Bytes block = MakeBytes({0x30, 'a', 'b', 'c'});
  DecompressPage(ParquetCodec::kLz4Raw, block, 3, &out);
  EXPECT_EQ(zarr::AsText(out), "abc");
  DecompressPage(ParquetCodec::kLz4, block, 3, &out);  // without Hadoop's frames
  EXPECT_EQ(zarr::AsText(out), "abc");
  DecompressPage(ParquetCodec::kLz4, MakeBytes({0, 0, 0, 3, 0, 0, 0, 4, 0x30, 'a', 'b', 'c'}), 3, &out);
  EXPECT_EQ(zarr::AsText(out), "abc");
  for (const zarr::Bytes& wrong :
       {MakeBytes({9, 0x08, 'a'}), MakeBytes({9, 0x09, 3}), MakeBytes({8, 0}), MakeBytes({})}) {
    EXPECT_THROW(DecompressPage(ParquetCodec::kSnappy, wrong, 9, &out), zarr::Error);
  }
  EXPECT_THROW(DecompressPage(ParquetCodec::kBrotli, block, 3, &out), zarr::Error);
}

// --- files ----------------------------------------------------------------------------------------------------------

TEST(ParquetFile, ReadsColumnsOfOtherWriters) {
  const auto files = ReadTestFiles();
  ASSERT_GE(files.size(), 10u);
  for (const std::string& bytes : files) {
    const BytesSource source(bytes);
    const ParquetFile file(source);
    Collector paths;
    file.ReadColumn("path", &paths);
    EXPECT_EQ(paths.values.size(), file.row_count());
    EXPECT_EQ(paths.values.front(), "../../../../data/grid.h5");
    Collector sizes;
    file.ReadColumn("size", &sizes);
    EXPECT_EQ(sizes.values.size(), file.row_count());
    EXPECT_THROW(file.ReadColumn("other", &sizes), zarr::Error);
  }
}

/// Each file must be read or refused, whatever becomes of it.
TEST(ParquetFile, EachTruncationIsRefused) {
  for (const std::string& bytes : ReadTestFiles()) {
    EXPECT_TRUE(ReadsAll(bytes));
    for (std::size_t size = 0; size < bytes.size(); ++size) EXPECT_FALSE(ReadsAll(bytes.substr(0, size)));
  }
}

TEST(ParquetFile, EachFlippedByteIsReadOrRefused) {
  for (std::string bytes : ReadTestFiles()) {
    for (char& byte : bytes) {
      for (const int flipped : {0xff, 0x01, 0x10}) {
        byte = static_cast<char>(byte ^ flipped);
        ReadsAll(bytes);
        byte = static_cast<char>(byte ^ flipped);
      }
    }
  }
}

// --- columns in memory ----------------------------------------------------------------------------------------------

TEST(PackedIntegers, KeepAllValues) {
  PackedIntegers integers;
  std::vector<std::uint64_t> values;
  for (std::uint64_t i = 0; i < 5000; ++i) values.push_back(i < 2500 ? 7 : i * 0x123456789abc % UINT64_MAX);
  values[3000] = UINT64_MAX;
  for (const std::uint64_t value : values) integers.Append(value);
  integers.Finish();
  ASSERT_EQ(integers.size(), values.size());
  for (std::size_t i = 0; i < values.size(); ++i) ASSERT_EQ(integers.Get(i), values[i]) << i;
  EXPECT_EQ(integers.Get(5000), 0u);
}

TEST(PackedStrings, KeepAllValues) {
  PackedStrings strings;
  std::vector<std::string> values;
  for (int i = 0; i < 1000; ++i)
    values.push_back("s3://bucket/folder/" + std::string(i % 300, 'x') + std::to_string(i));
  values.emplace_back(std::string("\0\xff", 2));
  for (std::size_t i = 0; i < values.size(); ++i) EXPECT_EQ(strings.Add(values[i]), i + 1);
  EXPECT_EQ(strings.Add(values[3]), 4u);
  EXPECT_EQ(strings.Add(values.back()), values.size());
  strings.Finish();
  for (std::size_t i = 0; i < values.size(); ++i) EXPECT_EQ(strings.Get(i + 1), values[i]);
  EXPECT_LT(strings.memory_size(), std::size_t{300} * 1000);
}

}  // namespace
}  // namespace gdal_zarr
