// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include "zarrlib/store/icechunk/containers.h"

namespace gdal_zarr {

/// Makes the container in which a repository declares a file: its folder on a disk, its bucket in an object store, or
/// its web server, with GDAL's settings for it, except for those that are secret. `url` is that of a reference, and
/// `path` is GDAL's path of the file. Throws zarr::Error(unsupported) for a file system that Icechunk has not.
zarr::Container MakeContainer(const std::string& path, const std::string& url);

/// Returns the path by which a file in a container is read. If the container says that its requests need no
/// credentials, it is the URL of the file on its web server, so that GDAL's settings, which hold for the whole process,
/// stay as they are. Otherwise, or if the user has set an endpoint for the bucket, or that requests are not signed, it
/// is `path`. `url` is that of a reference.
std::string MakeContainedPath(const zarr::Container& container, const std::string& path, const std::string& url);

}  // namespace gdal_zarr
