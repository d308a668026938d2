// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <exception>
#include <optional>
#include <string>
#include <vector>

namespace gdal_zarr {

class RasterDataset;

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

/// Reads the place of a band, counted from 0, along each dimension besides X and Y. What cannot be read, or not within
/// the time that the open options allow, has no value. Texts of more than 1024 bytes are cut, and end in "...".
std::vector<BandCoordinate> ListBandCoordinates(RasterDataset& dataset, int band);

/// Describes a place in words, such as "2024-07-01T00:00:00Z, level=850 hPa". Returns "" if no dimension has
/// coordinates.
std::string DescribeBandCoordinates(const std::vector<BandCoordinate>& coordinates);

/// Throws the first failure among coordinates, if there is one: what was made of them is not to be kept.
void CheckAllWereRead(const std::vector<BandCoordinate>& coordinates);

}  // namespace gdal_zarr
