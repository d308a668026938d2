// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "driver/cf/cf_time.h"
#include "driver/create/band_dimensions.h"
#include "driver/create/netcdf_types.h"
#include "driver/create/plane_names.h"
#include "driver/gdal/gdal_compat.h"
#include "zarrlib/json/json_edit.h"

namespace gdal_zarr {

class SharedResource;

/// The metadata items of GDAL's netCDF driver, in the terms of this one. GDAL describes the dimensions of a variable by
/// the dataset's items NETCDF_DIM_EXTRA, NETCDF_DIM_{name}_DEF, NETCDF_DIM_{name}_VALUES and {variable}#{attribute},
/// and by NETCDF_DIM_{name} of each band. Other formats and VRT keep these items.
class NetcdfItems {
 public:
  /// Reads the items of a raster. `types` must be those of the same file.
  NetcdfItems(GDALDataset& source, NetcdfTypes types);

  /// Whether the raster has such items, and they tell the place of each band.
  bool are_understood() const { return are_understood_; }
  /// Lists the dataset's items without those that the store says otherwise. Attributes of the variable lose its name.
  CPLStringList ListDatasetItems() const;
  /// Lists the items of a band, counted from 0: without those that the store or the dataset says, and with its place,
  /// as DIM_{name}_INDEX, _VALUE, _UNIT and _ISO8601.
  CPLStringList ListBandItems(std::size_t band) const;
  /// The unit of a band, counted from 0: its own, else the one in the items, which windows and other sizes leave alone.
  std::string GetUnit(std::size_t band) const;
  /// The names of the variables with the coordinates along X and Y; X and Y if they are not known.
  PlaneNames plane_names() const { return plane_names_.value_or(PlaneNames()); }
  /// Gives dimensions of bands the attributes that their variables have in the source.
  void AddAttributes(std::vector<BandDimension>* dimensions) const;
  /// Gives the coordinates along X and Y of a copy, at the store's root, the attributes that those of the source have,
  /// if they are there. A unit that is not that of their values is left out. Throws zarr::Error.
  void DescribePlane(SharedResource& resource, const PlaneNames& copied) const;
  /// Writes the latitudes of rows that are not evenly spaced, as in a Gaussian grid, in place of those of the
  /// transform, which GDAL only approximates. `resource` is that of a copy, whose rows and columns are called `copied`.
  /// Coordinates that were there before the copy are left alone. Throws zarr::Error.
  void WriteRowLatitudes(SharedResource& resource, const PlaneNames& copied) const;
  /// Makes numbers and lists of those attributes of the array at a path, a copy of the variable, that are such in the
  /// source, and were copied as texts. Throws zarr::Error.
  void TypeAttributes(SharedResource& resource, const std::string& path) const;

 private:
  struct Dimension {
    std::string name;
    std::vector<std::string> values;
    std::string unit;
    std::optional<TimeUnit> time_unit;
  };

  std::optional<Dimension> ReadDimension(const std::string& name) const;
  std::vector<Dimension> ReadDimensions() const;
  /// Finds the index of a band along each dimension by its number, or by its values; returns none if neither tells it.
  std::vector<std::size_t> FindIndices(std::size_t band) const;
  bool AgreesWithBand(const std::vector<std::size_t>& indices, std::size_t band) const;
  std::optional<PlaneNames> FindNamesOfPlane() const;
  std::string GetAttribute(const std::string& variable, const char* name) const;
  /// The attributes of a coordinate variable that hold for a copy, too.
  zarr::JsonMembers ListAttributes(const std::string& variable) const;
  /// The value of an attribute of which the items have the text.
  zarr::JsonNode MakeValue(const std::string& variable, const std::string& attribute, const std::string& text) const;
  /// Whether the names of a plane are those of dimensions that the bands count.
  bool AreOfBands(const PlaneNames& names) const;
  /// Whether the values were packed in the variable, and are not in the raster.
  bool AreUnpacked(GDALRasterBand& band) const;
  /// Converts the numbers of an item about packed values to unpacked ones.
  std::string Unpack(const std::string& numbers) const;
  /// Whether the coordinates or the grid mapping of the copy say what a variable's attributes say.
  bool IsSaidElsewhere(std::string_view variable) const;

  NetcdfTypes types_;
  CPLStringList items_;
  std::vector<CPLStringList> band_items_;
  std::vector<std::string> units_;     // of the bands
  std::vector<double> row_latitudes_;  // the first row's first; none if they are even
  std::string variable_;
  std::string grid_mapping_;
  bool are_understood_ = false;
  bool are_unpacked_ = false;
  std::optional<PlaneNames> plane_names_;
  std::vector<Dimension> dimensions_;              // the slowest first
  std::vector<std::vector<std::size_t>> indices_;  // of each band
};

}  // namespace gdal_zarr
