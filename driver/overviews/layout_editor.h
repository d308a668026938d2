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
  /// Replaces levels that are groups by the arrays in them for which the group with the layout holds a base, so that
  /// each array has its own pyramid. Throws zarr::Error.
  LayoutEditor(SharedResource& resource, std::string group);

  /// Returns the levels of the pyramid whose base is an array directly in the group, without the base.
  std::vector<PyramidLevel> FindLevelsBelow(const std::string& array) const;
  /// Whether an array is a level in the pyramid of another one.
  bool IsLevelOfAnother(const std::string& array) const;
  /// Replaces the pyramid of an array. `base` is the array's entry, and `below` has those of its levels; if empty, the
  /// pyramid is removed. Each pyramid of a layout begins with its base, unless GDAL's own driver would take that for a
  /// level of the first one: then only the levels name it, in `derived_from`.
  void Replace(const std::string& array, const zarr::JsonNode& base, const std::vector<zarr::JsonNode>& below);
  /// Replaces levels that are groups in the stored layout too, unless it is of this array only. To be called before
  /// levels are made: unfinished ones in these groups would count as levels. Throws zarr::Error.
  void NameArrays(const std::string& array);
  /// Makes the replacements in the layout that the attributes of the group now have, and updates the CRS and the
  /// bounding box there. If all levels are those of one array, and each is the only raster in its group, they are named
  /// by their groups, as other readers expect. Throws zarr::Error.
  void Save(const OverviewBase& base);

 private:
  /// The arguments of a call of Replace.
  struct Replacement {
    std::string array;
    zarr::JsonNode base;
    std::vector<zarr::JsonNode> below;
  };

  void ReadLevels(const zarr::JsonNode& attributes);
  void Apply(const Replacement& replacement);
  /// Adds entries for bases that only their levels name.
  void AddBases();
  /// Removes the bases of other pyramids that would be taken for levels of the first one.
  void DropMisleadingBases();
  /// Returns the attributes with the levels.
  static zarr::JsonNode WithLevels(zarr::JsonNode attributes, const std::vector<PyramidLevel>& levels);
  /// Whether all levels are in the pyramid of that array.
  bool HasOnly(const std::string& array) const;
  /// Whether a group was made for levels, or is named as level, and holds no raster of another name.
  bool IsLevelOfOneArray(const std::string& group, const std::string& array) const;
  /// Returns the levels, each replaced by its group if that is possible for all.
  std::vector<PyramidLevel> ContractGroups() const;
  void ExpandGroups();
  /// Returns the levels that replace `level`, if that is a group.
  std::vector<PyramidLevel> FindArraysOfLevel(const PyramidLevel& level) const;
  /// Whether a name in the layout is that of a group, also of one that was made for levels and is gone.
  bool IsGroupOfLevels(const std::string& asset) const;

  SharedResource& resource_;
  std::string group_;
  std::vector<PyramidLevel> levels_;
  std::set<std::string> groups_;  ///< The levels that were groups, and have been replaced.
  std::vector<Replacement> replacements_;
};

}  // namespace gdal_zarr
