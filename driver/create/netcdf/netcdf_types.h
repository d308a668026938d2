// SPDX-License-Identifier: MIT
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "driver/gdal/gdal_compat.h"
#include "zarrlib/json/json_node.h"

namespace gdal_zarr {

/// The types of attributes, which the metadata items of GDAL's netCDF driver do not preserve: they are always text.
class NetcdfTypes {
 public:
  /// Opens the file of a raster of that driver again. The types are unknown for other rasters, and if opening fails.
  explicit NetcdfTypes(GDALDataset& source);

  /// Returns true if the file is open.
  bool are_known() const { return root_ != nullptr; }
  /// Sets the group in which searches for variables begin, such as "/a/b/".
  void SearchFrom(const std::string& group) { start_ = group.substr(0, group.size() - 1); }
  /// Returns the number, or the list of numbers or strings, of an attribute of a variable, or of the file
  /// ("NC_GLOBAL"). Returns nullopt for a string, which its item contains unchanged. Searches for a variable in all
  /// groups.
  std::optional<zarr::JsonNode> FindValue(const std::string& variable, const std::string& attribute) const;
  /// Returns the names of those of a variable's last two dimensions that have coordinates.
  std::vector<std::string> ListCoordinatesOfPlane(const std::string& variable) const;

 private:
  std::shared_ptr<GDALGroup> root_;
  std::string start_ = "/";
};

}  // namespace gdal_zarr
