// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "driver/create/band_dimensions.h"
#include "driver/create/netcdf/netcdf_dimensions.h"
#include "driver/create/netcdf/netcdf_types.h"
#include "driver/create/plane_names.h"
#include "driver/gdal/gdal_compat.h"
#include "zarrlib/json/json_edit.h"

namespace gdal_zarr {

class SharedResource;

/// The metadata items of GDAL's netCDF driver, translated to this driver's: NetcdfDimensions, and
/// {variable}#{attribute}. Other formats and VRT keep these items.
class NetcdfItems {
 public:
  /// Reads the items of a raster. `types` must belong to the same file.
  NetcdfItems(GDALDataset& source, NetcdfTypes types);

  /// Returns true if the raster has such items, and they define the position of each band.
  bool are_understood() const { return are_understood_; }
  /// Lists the dataset's items without those that the store expresses otherwise. Removes the variable's name from the
  /// names of its attributes.
  CPLStringList ListDatasetItems() const;
  /// Lists the items of a band, counted from 0: without those that the store or the dataset expresses, and with its
  /// position (NetcdfDimensions).
  CPLStringList ListBandItems(std::size_t band) const;
  /// Returns the unit of a band, counted from 0: its own, otherwise the one in the items, which remain unchanged in
  /// windows and other sizes.
  std::string GetUnit(std::size_t band) const;
  /// Warns of each part of the variable that a copy loses, because GDAL does not give it.
  void WarnOfLosses() const;
  /// Returns the names of the coordinate variables along X and Y, or X and Y if they are unknown.
  PlaneNames plane_names() const { return plane_names_.value_or(PlaneNames()); }
  /// Adds the attributes of the source's variables to band dimensions whose attributes are not known yet.
  void AddAttributes(std::vector<BandDimension>* dimensions) const;
  /// Adds the attributes of the source's X and Y coordinates to the copy's X and Y coordinates at the store's root, if
  /// they exist. Leaves out a unit that does not apply to the values. Throws zarr::Error.
  void DescribePlane(SharedResource& resource, const PlaneNames& copied) const;
  /// Writes the latitudes of unevenly spaced rows, as in a Gaussian grid, in place of those computed from the
  /// transform, which GDAL only approximates. `resource` is that of a copy, whose rows and columns are called `copied`.
  /// Coordinates that existed before the copy are left alone. Throws zarr::Error.
  void WriteRowLatitudes(SharedResource& resource, const PlaneNames& copied) const;
  /// Converts attributes of the array at a path, a copy of the variable, that were copied as text, to numbers and lists
  /// if they have these types in the source. Throws zarr::Error.
  void TypeAttributes(SharedResource& resource, const std::string& path) const;
  /// Writes a `missing_value` that the nodata value does not express to the array at a path, or warns that it is lost.
  /// Throws zarr::Error.
  void WriteMissingValue(SharedResource& resource, const std::string& path) const;
  /// Writes the attributes of variables whose coordinates the copied array at a path did not get, for instance because
  /// each band is an array. Its rows and columns are called `copied`. Throws zarr::Error.
  void WriteUnsaid(SharedResource& resource, const std::string& path, const PlaneNames& copied) const;

 private:
  /// Finds a pair of names that may be those of coordinates in this CRS, which may be null: that of a raster whose
  /// items are from before it was warped is another one.
  std::optional<PlaneNames> FindNamesOfPlane(const OGRSpatialReference* srs) const;
  bool FitsAxis(const std::string& name, bool is_x, const OGRSpatialReference* srs) const;
  std::string GetAttribute(const std::string& variable, const char* name) const;
  /// Returns the text of the variable's attribute: that of the bands, in which GDAL corrects numbers, otherwise that of
  /// the dataset.
  std::string GetOwnAttribute(const char* name) const;
  /// Returns `missing_value` if the nodata value does not express it: GDAL uses `_FillValue`, otherwise the first
  /// number of `missing_value`.
  std::optional<zarr::JsonNode> FindOtherMissingValue() const;
  /// Returns the attributes of a coordinate variable that also apply to a copy, whose values may be unpacked.
  zarr::JsonMembers ListAttributes(const std::string& variable, bool are_unpacked) const;
  /// Returns the value of an attribute, given its text in the items.
  zarr::JsonNode MakeValue(const std::string& variable, const std::string& attribute, const std::string& text) const;
  /// Returns true if the plane's names are those of band dimensions.
  bool AreOfBands(const PlaneNames& names) const;
  /// Finds coordinates that GDAL does not give.
  void FindLosses(GDALDataset& source);
  /// Reads `_Unsigned`, which a copy does not get, because the type that GDAL shows expresses the same. If it
  /// contradicts that type, the values of the copy would be others.
  void ReadSign(GDALDataType type);
  /// Makes the numbers of attributes unsigned like the values, of this number of bytes. GDAL only does so in bands, and
  /// only in some attributes. Leaves out attributes if `size` is 0, which is an unknown number.
  void ShowUnsigned(int size);
  void SetItem(const std::string& attribute, const std::string& text);
  /// Returns true if the values are packed in the variable, but not in the raster.
  bool AreUnpacked(GDALRasterBand& band) const;
  /// Returns an attribute and its text for the unpacked values of a variable. A negative scale turns ranges round.
  std::pair<std::string, std::string> Unpack(const std::string& variable, const std::string& attribute,
                                             const std::string& text) const;
  /// Returns true if the coordinates of the copy, if it gets them (WriteUnsaid), or its CRS express a variable's
  /// attributes.
  bool IsSaidElsewhere(std::string_view variable) const;
  /// Returns the dimension of a copy that a variable has the coordinates of. Its rows and columns are called `copied`.
  std::optional<std::string> FindDimension(std::string_view variable, const PlaneNames& copied) const;

  NetcdfTypes types_;
  CPLStringList items_;
  std::vector<CPLStringList> band_items_;
  std::vector<std::string> units_;     // of the bands
  std::vector<double> row_latitudes_;  // the first row's first; empty if they are evenly spaced
  std::string variable_;
  std::string grid_mapping_;
  std::vector<std::string> losses_;  // what WarnOfLosses tells
  bool tells_sign_ = false;          // by `_Unsigned`
  bool are_understood_ = false;
  bool are_unpacked_ = false;
  bool has_transform_ = false;
  bool has_srs_ = false;
  std::optional<PlaneNames> plane_names_;
  NetcdfDimensions dimensions_;
};

}  // namespace gdal_zarr
