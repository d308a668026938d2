// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <string_view>

#include "driver/overviews/level_arrays.h"

/// The groups `ovr_2x` and so on, which hold levels of overviews. An attribute of the group names the levels that are
/// being made, so that remains of an interrupted process can be told from other arrays.
namespace gdal_zarr {

/// Whether a group has the name of one made for levels: ovr_<number>x.
bool IsGroupForLevels(std::string_view group);

/// Notes in the group of the level at `path`, which is made if needed, that the level is unfinished. Throws
/// zarr::Error, also if another node is in the group's place.
void NoteUnfinished(const OverviewBase& base, const std::string& path);
bool IsUnfinished(const OverviewBase& base, const std::string& path);
/// Whether changes of the level's group wait in memory until other changes of this dataset have been put.
bool IsGroupWaiting(const OverviewBase& base, const std::string& path);
/// Notes that the level is finished. Throws zarr::Error.
void NoteFinished(const OverviewBase& base, const std::string& path);

/// Removes unfinished levels of this array from a group, and the group if it is then empty. The group need not be in
/// the consolidated metadata. Throws zarr::Error.
void RemoveUnfinished(const OverviewBase& base, const std::string& group);

/// Removes a level, the coordinates and grid mappings that no other array of its group uses, and the group if it was
/// made for levels and is then empty. Throws zarr::Error.
void RemoveLevelArray(const OverviewBase& base, const std::string& path);

}  // namespace gdal_zarr
