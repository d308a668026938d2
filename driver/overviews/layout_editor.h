// SPDX-License-Identifier: MIT
#pragma once

#include <set>
#include <string>
#include <vector>

#include "driver/dataset/shared_resource.h"
#include "driver/georeferencing/geozarr/multiscales.h"
#include "driver/overviews/overview_base.h"
#include "zarrlib/json/json_node.h"

namespace gdal_zarr {

/// Changes the layout of a group.
class LayoutEditor {
 public:
  /// Replaces levels that are groups by those arrays in them whose base is in the group with the layout, so that each
  /// array has its own pyramid. Throws zarr::Error.
  LayoutEditor(SharedResource& resource, const std::string& group);
  /// The same, if the caller has read the attributes of the group.
  LayoutEditor(SharedResource& resource, std::string group, const zarr::JsonNode& attributes);

  /// Throws zarr::Error if the group's `multiscales` are of another convention, such as OME-NGFF up to version 0.4: a
  /// layout would replace them.
  void CheckIsFree() const;
  /// Returns the levels of the pyramid whose base is an array directly in the group, without the base.
  std::vector<PyramidLevel> FindLevelsBelow(const std::string& array) const;
  /// Returns true if an array is a level in another array's pyramid.
  bool IsLevelOfAnother(const std::string& array) const;
  /// Replaces the pyramid of an array. `base` is the array's entry, and `below` the entries of its levels; if `below`
  /// is empty, the pyramid is removed. Each pyramid of a layout begins with its base, unless GDAL's built-in driver
  /// would treat the base as a level of the first pyramid: then only the levels name it, in `derived_from`. Levels that
  /// other processes have added in a remote store since this object was made are kept.
  void Replace(const std::string& array, const zarr::JsonNode& base, const std::vector<zarr::JsonNode>& below);
  /// Replaces levels that are groups in the stored layout too, unless it only belongs to this array. Call this before
  /// levels are created: otherwise unfinished levels in these groups would count as levels. Throws zarr::Error.
  void NameArrays(const std::string& array);
  /// Applies the replacements to the layout in the current attributes of the group, and updates the CRS and the
  /// bounding box there. If all levels belong to one array, and each is the only raster in its group, they are named by
  /// their groups, as other readers expect. Throws zarr::Error.
  void Save(const OverviewBase& base);
  /// Removes arrays that have been deleted from the layout in the current attributes of the group, and a layout without
  /// levels, with the CRS and the bounding box there. Levels that were derived from them become bases. Throws
  /// zarr::Error.
  void Remove(const std::set<std::string>& removed);

 private:
  /// The arguments of a call of Replace.
  struct Replacement {
    std::string array;
    zarr::JsonNode base;
    std::vector<zarr::JsonNode> below;
  };

  void ReadLevels(const zarr::JsonNode& attributes);
  void Apply(const Replacement& replacement);
  /// Returns the levels of a pyramid that this object has neither found nor set.
  std::vector<PyramidLevel> FindAdded(const std::vector<PyramidLevel>& below) const;
  /// Adds entries for bases that only their levels name.
  void AddBases();
  /// Removes the bases of other pyramids that would be treated as levels of the first one.
  void DropMisleadingBases();
  /// Returns the attributes with the levels.
  static zarr::JsonNode WithLevels(zarr::JsonNode attributes, const std::vector<PyramidLevel>& levels);
  /// Returns true if all levels are in the pyramid of that array.
  bool HasOnly(const std::string& array) const;
  /// Returns true if a group was created for levels, or is named as a level, and does not contain a raster of another
  /// name.
  bool IsLevelOfOneArray(const std::string& group, const std::string& array) const;
  /// Returns the levels, each replaced by its group if that is possible for all.
  std::vector<PyramidLevel> ContractGroups() const;
  void ExpandGroups();
  /// Returns the levels that replace `level`, if it is a group.
  std::vector<PyramidLevel> FindArraysOfLevel(const PyramidLevel& level) const;
  /// Returns true if a name in the layout is that of a group, including a missing group that was created for levels.
  bool IsGroupOfLevels(const std::string& asset) const;

  SharedResource& resource_;
  std::string group_;
  std::vector<PyramidLevel> levels_;
  std::set<std::string> groups_;  ///< The levels that were groups and have been replaced.
  std::vector<Replacement> replacements_;
  std::set<std::string> known_;  ///< All levels that were found at first, or set.
};

}  // namespace gdal_zarr
