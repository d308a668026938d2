#pragma once

#include <cstddef>
#include <vector>

#include "driver/gdal/gdal_compat.h"

namespace gdal_zarr {

/// The values of a coordinate array, unpacked, in C order, with what is known of how they were rounded when they were
/// stored. A value type.
class CoordinateValues {
 public:
  /// None if there are too many, if they are no numbers, or, with a warning, if they are broken. Throws zarr::Error(io)
  /// if they cannot be read. By CF 1.11, section 8.1, an array
  /// of bounds without `scale_factor` and `add_offset` is packed as `coordinates` are, if its type is theirs.
  static CoordinateValues Read(const GDALMDArray& array, const GDALMDArray* coordinates = nullptr);

  std::size_t size() const { return stored_.size(); }
  double operator[](std::size_t i) const { return Unpack(i, stored_[i]); }
  /// The number that somebody meant who wrote 0.1 as a Float32: the one with the fewest digits.
  double Meant(std::size_t i) const;
  /// How far a value may be from what was meant: half of its type's last binary digit. 0 for integers and Float64.
  double Rounding(std::size_t i) const;

  /// Of these indices.
  CoordinateValues Pick(const std::vector<std::size_t>& indices) const;
  /// Of longitudes: adds whole turns, so that no two neighbours are more than half a turn apart, and the middle of all
  /// is one from -180 to 180: [170, 180, -170, -160] becomes [-190, -180, -170, -160].
  CoordinateValues WithoutJumps() const;

 private:
  double Unpack(std::size_t i, double stored) const;

  std::vector<double> stored_;
  std::vector<int> turns_;  // that were added; empty if none were
  double scale_ = 1;
  double offset_ = 0;
  int digits_ = 0;  // of a floating-point type, binary; 0 if they are more than enough
};

}  // namespace gdal_zarr
