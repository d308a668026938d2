#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "driver/node_context.h"
#include "zarrlib/json/json_node.h"

namespace gdal_zarr {

/// A level in the layout of GeoZarr's convention `multiscales`. Paths are relative to the group that has the layout.
struct PyramidLevel {
  std::string asset;         ///< The path of an array, or of a group with an array in it.
  std::string derived_from;  ///< The level that this one was made from; "" if it does not say.
  zarr::JsonNode entry;      ///< What stands in the layout.
};

/// The path of a child of the group with the layout, as a level names it: "a/b" for "./a/b/". Throws zarr::Error for
/// what leads elsewhere.
std::string ChildPath(const zarr::JsonNode& asset);

/// Throws zarr::Error for what is no layout.
std::vector<PyramidLevel> ReadLayout(const zarr::JsonNode& layout);

/// A layout may describe the pyramids of several arrays: its first level is the largest version of one of them, and the
/// chains of `derived_from` that end elsewhere are others. These are the levels of the pyramid that an array is in, by
/// its path; the first array's if no other one has it. The largest version is among them, without an entry of its own
/// where the layout has none. Throws zarr::Error for a pyramid of too many levels.
std::vector<PyramidLevel> LevelsOf(const std::vector<PyramidLevel>& levels, const std::string& array);

/// The layout of a group, to be changed.
class PyramidLayout {
 public:
  /// Levels that are groups are replaced by the arrays in them of which there is a larger version in the group itself:
  /// each array has its own pyramid. Throws zarr::Error.
  PyramidLayout(NodeContext& context, std::string group);

  /// The levels of the pyramid of which an array, directly in the group, is the largest version; without that one.
  std::vector<PyramidLevel> LevelsBelow(const std::string& array) const;
  /// Whether an array is a level of another one's pyramid.
  bool IsLevelOfAnother(const std::string& array) const;
  /// Whether it has a level in a group directly below its own.
  bool Uses(const std::string& group) const;
  /// Replaces an array's pyramid: `base` says where the array is, `below` are the levels; none removes it. The first
  /// pyramid of a layout begins with its base, the others name theirs as what they are derived from.
  void Replace(const std::string& array, const zarr::JsonNode& base, const std::vector<zarr::JsonNode>& below);
  /// Puts it into the attributes of the group. Throws zarr::Error.
  void Store();

 private:
  void ExpandGroups();
  /// The levels for what `level` is, if that is a group.
  std::vector<PyramidLevel> ArraysOf(const PyramidLevel& level) const;

  NodeContext& context_;
  std::string group_;
  std::vector<PyramidLevel> levels_;
};

}  // namespace gdal_zarr
