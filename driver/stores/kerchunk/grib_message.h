// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

#include "zarrlib/base/bytes.h"

namespace gdal_zarr {

/// The properties of a GRIB message's grid that GDAL does not report.
struct GribGrid {
  std::uint64_t columns = 0;
  std::uint64_t rows = 0;
  /// Flags for the order of the values: kAgainstColumns and so on.
  std::uint8_t scanning = 0;
  /// True if the coordinates can be computed from those of the first value and the distances between values.
  bool regular = true;
  double first_latitude = 0;  ///< In degrees, of the first value; only set if the grid is regular.
  double first_longitude = 0;

  static constexpr std::uint8_t kAgainstColumns = 0x80;  ///< from east to west
  static constexpr std::uint8_t kAlongRows = 0x40;       ///< from south to north
  static constexpr std::uint8_t kByColumn = 0x20;        ///< column by column, not row by row

  std::uint64_t count() const { return columns * rows; }
  /// Returns the column or the row of value `i` of the message, relative to its first value.
  std::uint64_t GetColumn(std::uint64_t i) const { return by_column() ? i / rows : i % columns; }
  std::uint64_t GetRow(std::uint64_t i) const { return by_column() ? i % rows : i / columns; }
  /// Returns the index of value `i` of the message in a raster whose first row is in the north.
  std::uint64_t GetRasterIndex(std::uint64_t i) const;

 private:
  bool by_column() const { return (scanning & kByColumn) != 0; }
};

/// Reads the grid of the first field of a GRIB 1 or 2 message. Throws zarr::Error: corrupt for bytes that are not a
/// message, unsupported for grids with rows of different lengths and for rows with alternating scan direction.
GribGrid ReadGribGrid(zarr::ByteSpan message);

}  // namespace gdal_zarr
