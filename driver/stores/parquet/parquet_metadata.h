// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "zarrlib/base/bytes.h"

namespace gdal_zarr {

/// The first and the last bytes of a file.
inline constexpr std::string_view kParquetMagic = "PAR1";

// Names and numbers of the Parquet format (github.com/apache/parquet-format, parquet.thrift).
enum class ParquetType : std::int64_t { kBoolean, kInt32, kInt64, kInt96, kFloat, kDouble, kByteArray, kFixedBytes };

enum class ParquetEncoding : std::int64_t {
  kPlain = 0,
  kPlainDictionary = 2,
  kRle = 3,
  kDeltaBinaryPacked = 5,
  kDeltaLengthByteArray = 6,
  kDeltaByteArray = 7,
  kRleDictionary = 8
};

enum class ParquetCodec : std::int64_t { kNone, kSnappy, kGzip, kLzo, kBrotli, kLz4, kZstd, kLz4Raw };
enum class ParquetPageType : std::int64_t { kData, kIndex, kDictionary, kDataV2 };

/// A column of the schema that is not part of a group.
struct ParquetColumn {
  std::string name;
  ParquetType type = ParquetType::kBoolean;
  bool is_optional = false;
  bool is_repeated = false;
  bool is_unsigned = false;       ///< An INT32 whose values are unsigned.
  std::uint64_t child_count = 0;  ///< Not 0 for a group, whose children follow it in the schema.
};

/// The values of one column in one row group.
struct ParquetColumnChunk {
  std::vector<std::string> path;  ///< The names in the schema that lead to the column.
  ParquetCodec codec = ParquetCodec::kNone;
  std::uint64_t value_count = 0;
  std::uint64_t offset = 0;   ///< The position of its first page in the file.
  std::uint64_t size = 0;     ///< The number of bytes of all its pages.
  bool is_elsewhere = false;  ///< It is in another file, or encrypted.
};

struct ParquetRowGroup {
  std::uint64_t row_count = 0;
  std::vector<ParquetColumnChunk> chunks;
};

struct ParquetMetadata {
  std::vector<ParquetColumn> columns;
  std::vector<ParquetRowGroup> row_groups;

  /// Returns null if the file does not have the column.
  const ParquetColumn* FindColumn(std::string_view name) const;
};

struct ParquetPageHeader {
  ParquetPageType type = ParquetPageType::kIndex;
  std::uint64_t decoded_size = 0;
  std::uint64_t stored_size = 0;
  std::uint64_t value_count = 0;
  ParquetEncoding encoding = ParquetEncoding::kPlain;
  ParquetEncoding level_encoding = ParquetEncoding::kRle;
  std::uint64_t definition_size = 0;  ///< Bytes of the definition levels, in a page of version 2.
  std::uint64_t repetition_size = 0;
  bool is_compressed = true;
};

/// Parses the FileMetaData at the end of a file. Throws Error: corrupt for bytes that are not metadata.
ParquetMetadata ParseParquetMetadata(zarr::ByteSpan bytes);

/// Parses the header of a page at the beginning of `bytes`, and stores its size in `*size`. Throws Error(corrupt).
ParquetPageHeader ParseParquetPageHeader(zarr::ByteSpan bytes, std::size_t* size);

}  // namespace gdal_zarr
