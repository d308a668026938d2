#pragma once

#include <string>
#include <vector>

#include "driver/dataset/shared_resource.h"
#include "driver/georeferencing/geozarr/multiscales.h"
#include "zarrlib/json/json_node.h"

namespace gdal_zarr {

/// The layout of a group, to be changed.
class LayoutEditor {
 public:
  /// Levels that are groups are replaced by the arrays in them of which there is a larger version in the group itself:
  /// each array has its own pyramid. Throws zarr::Error.
  LayoutEditor(SharedResource& resource, std::string group);

  /// The levels of the pyramid of which an array, directly in the group, is the largest version; without that one.
  std::vector<PyramidLevel> LevelsBelow(const std::string& array) const;
  /// Whether an array is a level of another one's pyramid.
  bool IsLevelOfAnother(const std::string& array) const;
  /// Replaces an array's pyramid: `base` says where the array is, `below` are the levels; none removes it. The first
  /// pyramid of a layout begins with its base, the others name theirs as what they are derived from.
  void Replace(const std::string& array, const zarr::JsonNode& base, const std::vector<zarr::JsonNode>& below);
  /// Puts it into the attributes of the group. Throws zarr::Error.
  void Store();

 private:
  void ExpandGroups();
  /// The levels for what `level` is, if that is a group.
  std::vector<PyramidLevel> ArraysOf(const PyramidLevel& level) const;

  SharedResource& resource_;
  std::string group_;
  std::vector<PyramidLevel> levels_;
};

}  // namespace gdal_zarr
