// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string_view>

#include "driver/stores/parquet/column_values.h"
#include "driver/stores/parquet/parquet_metadata.h"
#include "zarrlib/base/bytes.h"

namespace gdal_zarr {

/// The bytes of a Parquet file.
class ParquetSource {
 public:
  virtual ~ParquetSource() = default;
  virtual std::uint64_t size() const = 0;
  /// Fills the buffer with the bytes that begin at `offset`; they are within the file.
  virtual void Read(std::uint64_t offset, zarr::MutableByteSpan buffer) const = 0;
};

/// Reads the columns of a Parquet file that do not belong to groups: pages of version 1 and 2 with the encodings PLAIN,
/// DELTA_BINARY_PACKED, DELTA_LENGTH_BYTE_ARRAY, DELTA_BYTE_ARRAY, PLAIN_DICTIONARY and RLE_DICTIONARY, and the codecs
/// of DecompressPage. Arrow is not needed.
///
/// Memory is bounded, and in proportion to the file: a page, its dictionary, and some megabytes of stored bytes are in
/// memory at a time. Errors do not name the file: corrupt for bytes that do not follow the format, unsupported for
/// other encodings, codecs and types, limit_exceeded for sizes that only serve to exhaust a reader, and those of the
/// source. Not thread-safe.
class ParquetFile {
 public:
  /// Reads the metadata at the end of the file. `source` must outlive this object.
  explicit ParquetFile(const ParquetSource& source);

  std::uint64_t row_count() const { return row_count_; }
  bool HasColumn(std::string_view name) const { return metadata_.FindColumn(name) != nullptr; }
  /// Passes the values of a column that the file has to `sink`, until it has all of them or does not need more.
  void ReadColumn(std::string_view name, ColumnSink* sink) const;

 private:
  const ParquetSource& source_;
  ParquetMetadata metadata_;
  std::uint64_t row_count_ = 0;
};

}  // namespace gdal_zarr
