// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <memory>
#include <vector>

#include "driver/gdal/gdal_compat.h"
#include "zarrlib/metadata/data_type.h"

namespace gdal_zarr {

/// Throws zarr::Error(limit_exceeded) if an array has more values than Limit::kCoordinates, or more chunks than
/// Limit::kCoordinateChunks. Call this before reading a whole array to find georeferencing.
void CheckCoordinateCount(const GDALMDArray& array);
/// Returns true if CheckCoordinateCount would throw.
bool HasTooManyCoordinates(const GDALMDArray& array);

/// Returns how far a stored number may be from the intended one: half of its type's last binary digit; 0 for integers
/// and Float64.
double GetRounding(const zarr::DataType& type, double stored);

/// The values of a coordinate array, unpacked, in C order, and how far they were rounded when they were stored. A value
/// type.
class CoordinateValues {
 public:
  /// Reads the values. The result is empty if the array is not numeric, or, with a warning, if it is too large or
  /// broken. Throws zarr::Error(io) if it cannot be read. By CF 1.11, section 8.1, bounds without `scale_factor` and
  /// `add_offset` are packed like their `coordinates` if both have the same type.
  static CoordinateValues Read(const GDALMDArray& array, const GDALMDArray* coordinates = nullptr);

  std::size_t size() const { return stored_->size(); }
  double operator[](std::size_t i) const { return Unpack(i, (*stored_)[i]); }
  /// Returns the number that was probably intended, such as 0.1 for its nearest Float32: the one with the fewest
  /// digits.
  double FindMeantValue(std::size_t i) const;
  /// Returns how far a value may be from the intended number.
  double GetRounding(std::size_t i) const;

  /// Returns the values with these indices.
  CoordinateValues Pick(const std::vector<std::size_t>& indices) const;
  /// Treats the values as longitudes, and adds multiples of 360° so that adjacent values differ by at most 180°, and
  /// the middle one is from -180 to 180: [170, 180, -170, -160] becomes [-190, -180, -170, -160]. More than half of the
  /// globe starts at the first value if all are from -180 to 360. Values that are too large for longitudes are not
  /// changed.
  CoordinateValues WithoutJumps() const;

 private:
  double Unpack(std::size_t i, double stored) const;

  std::shared_ptr<const std::vector<double>> stored_ = std::make_shared<const std::vector<double>>();
  std::vector<int> turns_;  // multiples of 360° added to each value; empty if there are none
  double scale_ = 1;
  double offset_ = 0;
  int digits_ = 0;  // binary digits of a floating-point type; 0 if there are plenty
};

}  // namespace gdal_zarr
