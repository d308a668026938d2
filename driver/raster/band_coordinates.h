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

/// The place of a band along one of the dimensions besides X and Y. A value type.
struct BandCoordinate {
  std::string dimension;  ///< Its name.
  std::uint64_t index = 0;
  std::optional<std::string> value;  ///< The coordinate, as stored; nothing if the dimension has none.
  std::string unit;                  ///< "" if there is none.
  std::optional<std::string> time;   ///< The coordinate in ISO 8601, if it is a time.
  /// The coordinate for people: the time, text as it is, or a number with its dimension and unit ("level=850 hPa"),
  /// unpacked; "" without a value.
  std::string shown;
  std::exception_ptr failure;  ///< Why the coordinate could not be read, though it may be another time; null if it was.
};

/// Reads coordinates of bands, for no longer in all than a user allows. Not thread-safe.
class BandCoordinates {
 public:
  explicit BandCoordinates(double seconds) : allowed_(seconds) {}

  /// Reads the place of a band, counted from 0, along each dimension of the array besides X and Y. What cannot be read,
  /// or not within the time, has no value. Texts of more than 1024 bytes are cut, and end in "...".
  std::vector<BandCoordinate> List(const RasterView& view, const GDALMDArray& array, int band);

 private:
  std::optional<std::string> Find(const GDALDimension& dimension, std::uint64_t index);

  std::chrono::duration<double> allowed_;
  std::chrono::duration<double> taken_{0};
};

/// Describes a place in words, such as "2024-07-01T00:00:00Z, level=850 hPa". Returns "" if no dimension has
/// coordinates.
std::string DescribeBandCoordinates(const std::vector<BandCoordinate>& coordinates);

/// Throws the first failure among coordinates, if there is one: what was made of them is not to be kept.
void CheckAllWereRead(const std::vector<BandCoordinate>& coordinates);

}  // namespace gdal_zarr
