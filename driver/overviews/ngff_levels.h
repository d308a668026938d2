// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <string_view>

#include "driver/dataset/shared_resource.h"

namespace gdal_zarr {

/// The following functions call those of SharedResource, and throw its errors. They also update OME-NGFF's lists of
/// levels in the groups above the node, as far as FindOverviews reads them. Levels that were removed leave the lists,
/// and so do images without levels. In GeoZarr's layouts, paths of renamed nodes change, and those of removed groups go
/// (see WithoutRemovedLevels). Everything else stays as it is.
void DeleteNodeInLists(SharedResource& resource, const std::string& path);
/// `name` is the new name, in the same group. Attributes of CF follow, see RenameWithReferences.
void RenameNodeInLists(SharedResource& resource, std::string_view path, std::string_view name);

}  // namespace gdal_zarr
