// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

#include "zarrlib/base/bytes.h"

namespace gdal_zarr {

/// The grid of a GRIB message: what GDAL does not tell of it.
struct GribGrid {
  std::uint64_t columns = 0;
  std::uint64_t rows = 0;
  /// The flags of the order of the values: kAgainstColumns and so on.
  std::uint8_t scanning = 0;
  /// Whether coordinates follow from the first value's and from the distances between values.
  bool regular = true;
  double first_latitude = 0;  ///< In degrees, of the first value; only where the grid is regular.
  double first_longitude = 0;

  static constexpr std::uint8_t kAgainstColumns = 0x80;  ///< from east to west
  static constexpr std::uint8_t kAlongRows = 0x40;       ///< from south to north
  static constexpr std::uint8_t kByColumn = 0x20;        ///< a column follows the other, and not a row

  std::uint64_t count() const { return columns * rows; }
  /// The column and the row of the message's value `i`, counted from its first value.
  std::uint64_t GetColumn(std::uint64_t i) const { return by_column() ? i / rows : i % columns; }
  std::uint64_t GetRow(std::uint64_t i) const { return by_column() ? i % rows : i / columns; }
  /// The index, in a raster whose first row is in the north, of the message's value `i`.
  std::uint64_t GetRasterIndex(std::uint64_t i) const;

 private:
  bool by_column() const { return (scanning & kByColumn) != 0; }
};

/// Reads the grid of the first field of a message of GRIB 1 or 2. Throws zarr::Error: corrupt for bytes that are no
/// message, unsupported for grids without rows of one length and for rows that go to and fro.
GribGrid ReadGribGrid(zarr::ByteSpan message);

}  // namespace gdal_zarr
