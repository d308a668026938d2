// SPDX-License-Identifier: MIT
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "driver/gdal/gdal_compat.h"
#include "zarrlib/json/json_node.h"

namespace gdal_zarr {

/// What the metadata items of GDAL's netCDF driver leave open: they are texts, whatever an attribute is in the file.
class NetcdfTypes {
 public:
  /// Opens the file of a raster of that driver once more. Knows nothing where this is no such raster, or that fails.
  explicit NetcdfTypes(GDALDataset& source);

  /// Whether the file is open.
  bool are_known() const { return root_ != nullptr; }
  /// The number, or the list of numbers or texts, of an attribute of a variable, or of the file ("NC_GLOBAL"). Nothing
  /// for a text, which its item has as it is. Looks for a variable in all groups.
  std::optional<zarr::JsonNode> FindValue(const std::string& variable, const std::string& attribute) const;

 private:
  std::shared_ptr<GDALGroup> root_;
};

}  // namespace gdal_zarr
