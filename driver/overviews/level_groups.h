#pragma once

#include <string>
#include <string_view>

#include "driver/overviews/level_arrays.h"

/// The groups that hold levels of overviews, `ovr_2x` and so on. As long as levels are being made, an attribute of
/// their group names them: what a process inner chunks that is stopped can be told from arrays that are somebody
/// else's.
namespace gdal_zarr {

/// Whether a group has a name of those that are made for levels: ovr_<number>x.
bool IsGroupForLevels(std::string_view group);

/// Says in the group of the level at `path`, which is made if need be, that the level is not finished. Throws
/// zarr::Error, also where something else is in the group's place.
void NoteUnfinished(const OverviewBase& base, const std::string& path);
bool IsUnfinished(const OverviewBase& base, const std::string& path);
/// Says that the level is finished. Throws zarr::Error.
void NoteFinished(const OverviewBase& base, const std::string& path);

/// Removes from a group what is not finished there of this array's levels, and the group if it is empty then. It need
/// not be named in consolidated metadata. Throws zarr::Error.
void RemoveUnfinished(const OverviewBase& base, const std::string& group);

/// Removes a level, the coordinates and grid mappings beside it that no other array of its group uses, and the group if
/// it was made for levels and is empty then. Throws zarr::Error.
void RemoveLevelArray(const OverviewBase& base, const std::string& path);

}  // namespace gdal_zarr
