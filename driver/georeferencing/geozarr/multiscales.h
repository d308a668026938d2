// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

#include "zarrlib/json/json_node.h"

namespace gdal_zarr {

/// The member of `multiscales` that lists the group's attributes that this driver wrote together with the layout, and
/// also removes with it.
inline constexpr const char* kWrittenWithLayout = "written_with_layout";
/// The member of a level's entry, and of `multiscales` for all levels, that names the resampling method.
inline constexpr const char* kResamplingMember = "resampling_method";

/// A level in the layout of GeoZarr's convention `multiscales`. Paths are relative to the group that has the layout.
struct PyramidLevel {
  std::string asset;         ///< The path of an array, or of a group that contains an array.
  std::string derived_from;  ///< The level from which this one was made; "" if that is not specified.
  zarr::JsonNode entry;      ///< The entry in the layout; an entry of a draft is converted to the current form.
};

/// Reads the path of a level, relative to the group with the layout: "a/b" for "./a/b/". Throws zarr::Error if the path
/// leads out of the group.
std::string ParseChildPath(const zarr::JsonNode& asset);

/// Reads an entry of a layout, or of one of the drafts, which had `group` and `from_group` instead of `asset` and
/// `derived_from`, and `scale` and `translation` outside `transform`. Throws zarr::Error.
PyramidLevel ReadLevel(const zarr::JsonNode& entry);

/// Reads the layout in the attribute `multiscales`. A level without a resampling method gets the one stated for all.
/// Throws zarr::Error if the layout is not valid.
std::vector<PyramidLevel> ReadLayout(const zarr::JsonNode& multiscales);

/// Returns a text in a level's entry; "" if there is none.
std::string FindText(const zarr::JsonNode& entry, const char* name);

/// Returns the levels of the pyramid that an array, given by its path, belongs to; those of the first pyramid if the
/// layout does not name the array. The base is included, with a null entry if the layout does not contain it. Throws
/// zarr::Error if the pyramid has too many levels.
///
/// A layout may describe the pyramids of several arrays. The first pyramid begins with the layout's first level. Each
/// other pyramid begins where a chain of `derived_from` ends: at an array without an entry, or at an entry of scale 1.
std::vector<PyramidLevel> FindLevelsOf(const std::vector<PyramidLevel>& levels, const std::string& array);

/// Returns the base of each level's pyramid, where its chain of `derived_from` ends; "" for the layout's first pyramid.
std::vector<std::string> FindRoots(const std::vector<PyramidLevel>& levels);

}  // namespace gdal_zarr
