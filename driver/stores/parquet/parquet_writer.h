// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <variant>
#include <vector>

#include "zarrlib/base/bytes.h"

namespace gdal_zarr {

/// A column to write: numbers, which are all present, or strings, of which some are null.
struct ParquetOutputColumn {
  std::string name;
  std::variant<std::vector<std::int64_t>, std::vector<std::optional<std::string>>> values;
  bool is_text = false;  ///< The strings are UTF-8.
};

/// Makes a Parquet file with one row group, whose columns have one page each of plain values, compressed by Zstandard
/// if this build has it. All columns have the same number of values. Throws zarr::Error(limit_exceeded) for a page of
/// 2 GiB or more. Thread-safe.
zarr::Bytes MakeParquetFile(std::span<const ParquetOutputColumn> columns);

}  // namespace gdal_zarr
