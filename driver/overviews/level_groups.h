// SPDX-License-Identifier: MIT
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <string_view>

#include "driver/overviews/overview_base.h"

/// The groups `ovr_2x` and so on, which hold levels of overviews. An attribute of the group names the levels that are
/// being made, so that remains of an interrupted process can be told from other arrays.
namespace gdal_zarr {

/// Keeps other processes from making and removing levels of an array, while the returned object lives. The one that
/// waits for it takes what the other one has made. Null where locks do not exclude others.
std::unique_ptr<zarr::StoreLock> LockPyramid(const OverviewBase& base);

/// Makes or removes levels, or changes the layout, while no other process does so beside the base: another array may
/// have its levels in the same groups. These groups and the layout are taken as they are stored now. `change` writes no
/// coordinates and no CRS, for which the same lock is needed.
void ChangeLevels(const OverviewBase& base, const std::function<void()>& change);

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

/// Removes the chunks of a level whose document is gone, because a process was stopped or wrote them after the removal.
/// The layout or the level's group must name the level, so that they are nobody else's.
void EraseOrphans(const OverviewBase& base, const std::string& path);

/// Removes unfinished levels of this array from a group, and the group if it is then empty. The group need not be in
/// the consolidated metadata. Throws zarr::Error.
void RemoveUnfinished(const OverviewBase& base, const std::string& group);

/// Removes a level, the coordinates and grid mappings that no other array of its group uses, and the group if it was
/// made for levels and is then empty. Throws zarr::Error.
void RemoveLevelArray(const OverviewBase& base, const std::string& path);

}  // namespace gdal_zarr
