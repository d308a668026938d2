// SPDX-License-Identifier: MIT
#pragma once

#include <chrono>
#include <cstdint>
#include <exception>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "driver/dataset/unanswered_questions.h"
#include "driver/gdal/gdal_compat.h"
#include "driver/raster/raster_parts.h"

namespace gdal_zarr {

/// The position of a band along one of the dimensions other than X and Y. A value type.
struct BandCoordinate {
  std::string dimension;
  std::uint64_t index = 0;
  /// The coordinate; nullopt if the dimension has none. A packed number is unpacked (CF 1.11, section 8.1), a missing
  /// one is "nan".
  std::optional<std::string> value;
  std::string unit;      ///< Empty if there is none.
  std::string calendar;  ///< That of times, if it is not the standard or the proleptic Gregorian one; otherwise empty.
  std::optional<std::string> time;  ///< The coordinate in ISO 8601, if it is a time.
  /// The coordinate for display: the time, text unchanged, or an unpacked number with its dimension and unit
  /// ("level=850 hPa"). Empty if there is no value.
  std::string shown;
  std::exception_ptr failure;  ///< Why the coordinate could not be read, if a retry may succeed; otherwise null.
};

/// Reads the coordinates of a raster's bands, within a total time that the user sets. Not thread-safe, except for
/// NoteUnanswered.
class BandCoordinates {
 public:
  /// A request of coordinates that fails is recorded in `questions` as this one.
  static constexpr unsigned kQuestion = 16;

  BandCoordinates(const RasterParts& raster, UnansweredQuestions& questions, double seconds)
      : raster_(raster), questions_(questions), left_(seconds) {}
  /// Reads the coordinates of an overview, in the time that is left for the full resolution.
  BandCoordinates(const RasterParts& raster, UnansweredQuestions& questions, const BandCoordinates& base)
      : BandCoordinates(raster, questions, base.left_.count()) {}

  /// Reads the position of a band, counted from 0, along each dimension of the array other than X and Y. A coordinate
  /// that cannot be read, or not in time, has no value. Strings of more than 1024 bytes are truncated and end in "...".
  std::vector<BandCoordinate> List(int band);

  /// Records that the coordinates of a band could not be read. The next read of values is then an error, even if the
  /// coordinates have been read in the meantime: copying to GeoTIFF requests them twice and keeps the first result.
  void NoteUnanswered(int band) noexcept;
  /// Reads the recorded coordinates again. Throws zarr::Error.
  void AskAgain();

 private:
  std::optional<std::string> Find(const GDALDimension& dimension, std::uint64_t index);

  const RasterParts raster_;
  UnansweredQuestions& questions_;
  std::chrono::duration<double> left_;
  std::mutex unanswered_mutex_;
  std::set<int> unanswered_;  // recorded and not read again yet
};

/// Reads the coordinate of a dimension at an index. Throws zarr::Error.
BandCoordinate ReadBandCoordinate(const GDALDimension& dimension, std::uint64_t index);

/// Describes a position in words, such as "2024-07-01T00:00:00Z, level=850 hPa". Returns "" if no dimension has
/// coordinates.
std::string DescribeBandCoordinates(const std::vector<BandCoordinate>& coordinates);

/// Throws the first failure among the coordinates, if any. In this case, results derived from them must not be kept.
void CheckAllWereRead(const std::vector<BandCoordinate>& coordinates);

}  // namespace gdal_zarr
