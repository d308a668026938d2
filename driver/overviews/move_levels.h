// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "driver/overviews/overview_base.h"

namespace gdal_zarr {

/// Updates the georeferencing of the levels of an array's pyramid, and the layout, to the array's current
/// georeferencing. Does nothing if the array has no pyramid. Warns, and leaves the levels as they are, if they are
/// outside of the groups that this driver creates. Throws zarr::Error.
void MoveLevels(const OverviewBase& base);

/// Returns the paths of the levels that this driver made of an array; none if it is itself a level.
std::vector<std::string> FindOwnLevels(SharedResource& resource, const std::string& array);

/// Like DeleteNodeInLists, for an array. The levels that this driver made of it go with it, and its pyramid leaves the
/// layout of its group: otherwise a later array of this name would get them.
void DeleteWithLevels(SharedResource& resource, const std::string& array);
/// Like RenameNodeInLists, for an array. The levels that this driver made of it are renamed, too. Warns of levels that
/// it loses.
void RenameWithLevels(SharedResource& resource, std::string_view array, std::string_view new_name);

}  // namespace gdal_zarr
