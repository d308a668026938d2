// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string_view>
#include <vector>

#include "driver/stores/parquet/parquet_metadata.h"
#include "zarrlib/base/bytes.h"

namespace gdal_zarr {

/// Receives the values of a column, row by row.
class ColumnSink {
 public:
  virtual ~ColumnSink() = default;
  virtual void AddNull() = 0;
  /// The value of an INT32 or INT64 column. Throws Error(unsupported) in a sink of other values.
  virtual void AddInteger(std::int64_t value);
  /// The value of a BYTE_ARRAY column; the view is only valid during the call. If the value is part of a dictionary,
  /// `note` points to a number, at first 0, that the sink may store with it; otherwise it is null.
  virtual void AddBytes(std::string_view value, std::uint64_t* note);
  /// Returns true if the remaining values are not needed.
  virtual bool is_done() const { return false; }
};

/// The dictionary of a column chunk.
struct ParquetDictionary {
  zarr::Bytes page;
  std::vector<std::int64_t> integers;
  std::vector<std::string_view> strings;  ///< Views of the page.
  std::vector<std::uint64_t> notes;       ///< One for each string.
};

/// Passes the next value of a data page that is not null to a sink. Throws Error(corrupt) after the last one.
using PageValues = std::function<void(ColumnSink*)>;

/// Decodes the values of a page. The bytes, the dictionary (null if there is none) and the budget must outlive the
/// result. `most` is the number of values at most, and `budget` that of bytes that decoding may still produce. Throws
/// Error: unsupported for encodings and types that references do not need.
PageValues MakePageValues(const ParquetColumn& column, ParquetEncoding encoding, zarr::ByteSpan bytes,
                          std::uint64_t most, ParquetDictionary* dictionary, std::uint64_t* budget);

/// Takes bytes from a budget, which bounds the time that a small file can need. Throws Error(limit_exceeded).
void Spend(std::uint64_t bytes, std::uint64_t* budget);

/// Decodes `count` values of a dictionary page, which has been decompressed to `dictionary->page`. Throws like
/// MakePageValues.
void ReadDictionary(const ParquetColumn& column, std::uint64_t count, ParquetDictionary* dictionary);

}  // namespace gdal_zarr
