// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "driver/cf/cf_time.h"
#include "driver/gdal/gdal_compat.h"

namespace gdal_zarr {

/// The dimensions of a netCDF variable that GDAL spreads over the bands of a raster, and the position of each band
/// along them. GDAL describes them by the dataset's items NETCDF_DIM_EXTRA, NETCDF_DIM_{name}_DEF,
/// NETCDF_DIM_{name}_VALUES and {name}#{attribute}, and by NETCDF_DIM_{name} of each band.
class NetcdfDimensions {
 public:
  NetcdfDimensions() = default;
  /// Parses the items of a dataset and of its bands.
  NetcdfDimensions(const CPLStringList& items, const std::vector<CPLStringList>& band_items);

  /// Returns true if the items define the position of each band, or if there is only one, of a variable without such
  /// dimensions.
  bool are_understood() const { return are_understood_; }
  /// Returns the names of dimensions whose coordinates GDAL does not give.
  std::vector<std::string> ListLost() const;
  /// Returns true if the coordinates of a dimension have that name.
  bool HasCoordinates(std::string_view name) const;
  /// Returns true if the coordinates of a dimension are packed; AddPosition unpacks them.
  bool ArePacked(std::string_view name) const;
  /// Adds the position of a band, counted from 0, as DIM_{name}_INDEX, _VALUE, _UNIT and _ISO8601.
  void AddPosition(std::size_t band, CPLStringList* items) const;

 private:
  enum class Values { kCoordinates, kCounted, kLost };
  struct Dimension {
    std::string name;
    std::vector<std::string> values;  // one for each index, as stored
    std::string unit;
    std::optional<TimeUnit> time_unit;
    Values kind = Values::kCoordinates;
    std::optional<double> scale = std::nullopt;  // if they are packed
    double offset = 0;
    std::vector<std::string> missing = {};  // the values of missing coordinates
  };

  static std::optional<Dimension> CountDimension(const std::vector<CPLStringList>& band_items, const std::string& name);
  static std::optional<Dimension> ReadDimension(const CPLStringList& items, const std::string& name);
  static std::vector<Dimension> ReadDimensions(const CPLStringList& items,
                                               const std::vector<CPLStringList>& band_items);
  static std::string FindMeaning(const Dimension& dimension, const std::string& value);
  /// Returns the index of a band along each dimension, derived from its number or its values; returns an empty list if
  /// neither defines it.
  std::vector<std::size_t> FindIndices(const std::vector<CPLStringList>& band_items, std::size_t band) const;
  bool AgreesWithBand(const std::vector<std::size_t>& indices, const CPLStringList& band) const;

  bool are_understood_ = true;
  std::vector<Dimension> dimensions_;              // the slowest first
  std::vector<std::vector<std::size_t>> indices_;  // of each band
};

}  // namespace gdal_zarr
