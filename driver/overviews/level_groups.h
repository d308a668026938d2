// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "driver/dataset/shared_resource.h"
#include "driver/overviews/overview_base.h"
#include "zarrlib/metadata/array_metadata.h"

/// The groups `ovr_2x` and so on, which contain overview levels. An attribute of the group names the levels that are
/// being created, so that remains of an interrupted process can be distinguished from other arrays.
namespace gdal_zarr {

/// An array whose levels are in groups next to it. Used by one thread.
struct LevelOwner {
  SharedResource& resource;
  std::string array;  ///< Its path.
  /// Returns metadata whose chunks have the names that those of the level for a factor have. May be null: then chunks
  /// without a document stay.
  std::function<zarr::ArrayMetadata(int factor)> make_level;

  std::string group() const { return GetParentPath(array); }
  std::string name() const { return GetNodeName(array); }
};

LevelOwner MakeLevelOwner(const OverviewBase& base);

/// Prevents other processes from creating and removing levels of an array during the lifetime of the returned object. A
/// process that had to wait for the lock then loads the other one's changes. Returns null if locks are not exclusive.
std::unique_ptr<zarr::StoreLock> LockPyramid(SharedResource& resource, const std::string& array);

/// Creates or removes levels, or changes the layout, while no other process does so in the base's group: another array
/// may have its levels in the same groups. Loads the current stored state of these groups and the layout first.
/// `change` must not write coordinates or a CRS, for which the same lock is needed.
void ChangeLevels(const OverviewBase& base, const std::function<void()>& change);
/// The same for the arrays in the group `home`.
void ChangeLevels(SharedResource& resource, const std::string& home, const std::function<void()>& change);

/// Returns true if a group has the name of one created for levels: ovr_<number>x.
bool IsGroupForLevels(std::string_view group);

/// Returns the factor in the name of the group of a level's array, such as 4 for ovr_4x/a, or nullopt.
std::optional<std::uint64_t> FindLevelFactor(std::string_view path);

/// Marks the level at `path` as unfinished in its group, which is created if needed. Throws zarr::Error, including when
/// another node is at the path of the group.
void NoteUnfinished(SharedResource& resource, const std::string& path);
bool IsUnfinished(const SharedResource& resource, const std::string& path);
/// Returns true if changes of the level's group are pending in memory until other changes of this dataset have been
/// written.
bool IsGroupWaiting(const SharedResource& resource, const std::string& path);
/// Marks the level as finished. Throws zarr::Error.
void NoteFinished(SharedResource& resource, const std::string& path);

/// Removes the chunks of a level whose document is missing, because a process was stopped or wrote them after the
/// removal. The layout or the level's group must name the level, so that the chunks cannot belong to another array.
void EraseOrphans(const LevelOwner& owner, const std::string& path);

/// Removes unfinished levels of this array from a group, and the group if it is then empty. The group need not be in
/// the consolidated metadata. Throws zarr::Error.
void RemoveUnfinished(const LevelOwner& owner, const std::string& group);
/// The same for all groups for levels next to the array.
void RemoveUnfinished(const LevelOwner& owner);

/// Removes a level, the coordinates and grid mappings that no other array of its group uses, and the group if it was
/// created for levels and is then empty. Throws zarr::Error.
void RemoveLevelArray(const LevelOwner& owner, const std::string& path);
/// Removes the coordinates of that name next to the level at `path`, unless other arrays of its group use them. Throws
/// zarr::Error.
void RemoveLevelCoordinates(SharedResource& resource, const std::string& path, const std::string& name);

}  // namespace gdal_zarr
