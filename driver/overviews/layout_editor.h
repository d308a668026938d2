// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

#include "driver/dataset/shared_resource.h"
#include "driver/georeferencing/geozarr/multiscales.h"
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
  /// pyramid is removed. The first pyramid of a layout begins with its base; levels of others name their base in
  /// `derived_from`.
  void Replace(const std::string& array, const zarr::JsonNode& base, const std::vector<zarr::JsonNode>& below);
  /// Makes the replacements in the layout that the attributes of the group now have. Throws zarr::Error.
  void Save();

 private:
  /// The arguments of a call of Replace.
  struct Replacement {
    std::string array;
    zarr::JsonNode base;
    std::vector<zarr::JsonNode> below;
  };

  void ReadLevels(const zarr::JsonNode& attributes);
  void Apply(const Replacement& replacement);
  /// Returns the attributes with the levels.
  zarr::JsonNode WithLevels(zarr::JsonNode attributes) const;
  void ExpandGroups();
  /// Returns the levels that replace `level`, if that is a group.
  std::vector<PyramidLevel> FindArraysOfLevel(const PyramidLevel& level) const;

  SharedResource& resource_;
  std::string group_;
  std::vector<PyramidLevel> levels_;
  std::vector<Replacement> replacements_;
};

}  // namespace gdal_zarr
