#pragma once

#include <string>
#include <vector>

#include "zarrlib/json/json_node.h"

namespace gdal_zarr {

/// A level in the layout of GeoZarr's convention `multiscales`. Paths are relative to the group that has the layout.
struct PyramidLevel {
  std::string asset;         ///< The path of an array, or of a group with an array in it.
  std::string derived_from;  ///< The level that this one was made from; "" if it does not say.
  zarr::JsonNode entry;      ///< What stands in the layout; that of a draft as it would stand there now.
};

/// The path of a child of the group with the layout, as a level names it: "a/b" for "./a/b/". Throws zarr::Error for
/// what leads elsewhere.
std::string ChildPath(const zarr::JsonNode& asset);

/// What an entry of a layout says: one of the convention, or of one of its drafts, which had `group` and `from_group`
/// in place of `asset` and `derived_from`, and no `transform` about `scale` and `translation`. Throws zarr::Error.
PyramidLevel ReadLevel(const zarr::JsonNode& entry);

/// Throws zarr::Error for what is no layout.
std::vector<PyramidLevel> ReadLayout(const zarr::JsonNode& layout);

/// A layout may describe the pyramids of several arrays: its first level is the largest version of one of them, and the
/// chains of `derived_from` that end elsewhere are others. These are the levels of the pyramid that an array is in, by
/// its path; the first array's if no other one has it. The largest version is among them, without an entry of its own
/// where the layout has none. Throws zarr::Error for a pyramid of too many levels.
std::vector<PyramidLevel> LevelsOf(const std::vector<PyramidLevel>& levels, const std::string& array);

/// Where a level's chain of `derived_from` ends: "" for the pyramid of the layout's first array.
std::string RootOf(const std::vector<PyramidLevel>& levels, const PyramidLevel& level);

}  // namespace gdal_zarr
