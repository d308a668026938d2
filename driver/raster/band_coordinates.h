// SPDX-License-Identifier: MIT
#pragma once

#include <chrono>
#include <cstdint>
#include <exception>
#include <optional>
#include <string>
#include <vector>

#include "driver/gdal/gdal_compat.h"

namespace gdal_zarr {

class RasterView;

/// The position of a band along one of the dimensions other than X and Y. A value type.
struct BandCoordinate {
  std::string dimension;
  std::uint64_t index = 0;
  std::optional<std::string> value;  ///< The coordinate, as stored; nullopt if the dimension has none.
  std::string unit;                  ///< Empty if there is none.
  std::optional<std::string> time;   ///< The coordinate in ISO 8601, if it is a time.
  /// The coordinate for display: the time, text unchanged, or an unpacked number with its dimension and unit
  /// ("level=850 hPa"). Empty if there is no value.
  std::string shown;
  std::exception_ptr failure;  ///< Why the coordinate could not be read, if a retry may succeed; otherwise null.
};

/// Reads the coordinates of bands, within a total time that the user sets. Not thread-safe.
class BandCoordinates {
 public:
  explicit BandCoordinates(double seconds) : allowed_(seconds) {}

  /// Reads the position of a band, counted from 0, along each dimension of the array other than X and Y. A coordinate
  /// that cannot be read, or not in time, has no value. Strings of more than 1024 bytes are truncated and end in "...".
  std::vector<BandCoordinate> List(const RasterView& view, const GDALMDArray& array, int band);

 private:
  std::optional<std::string> Find(const GDALDimension& dimension, std::uint64_t index);

  std::chrono::duration<double> allowed_;
  std::chrono::duration<double> taken_{0};
};

/// Describes a position in words, such as "2024-07-01T00:00:00Z, level=850 hPa". Returns "" if no dimension has
/// coordinates.
std::string DescribeBandCoordinates(const std::vector<BandCoordinate>& coordinates);

/// Throws the first failure among the coordinates, if any. In this case, results derived from them must not be kept.
void CheckAllWereRead(const std::vector<BandCoordinate>& coordinates);

}  // namespace gdal_zarr
