// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include <cpl_vsi.h>

namespace gdal_zarr {

enum class Presence { kFile, kFolder, kAbsent, kFailed };

/// Finds out what is at a path that GDAL could not open or list. A file in an archive is absent if the archive's table
/// of contents could be read and lacks it. A path that wraps another file (/vsigzip/, /vsicrypt/) is absent if that
/// file is. If nothing can be told, the result is kFailed.
///
/// Call this where GDAL's errors are collected, and where opening a file lists no folder. It may need some requests.
Presence LookAgain(const std::string& path);

/// Whether a path leads to a local pipe, device or socket, as it is or as the file that it wraps. Opening such a file
/// can wait for ever.
bool IsSpecialFile(const std::string& path);

/// Opens a file on a network, with a second attempt if needed: GDAL 3.6, at least, remembers that a file could not be
/// opened, but not why.
VSILFILE* OpenOnNetwork(const std::string& path);
/// Whether the last OpenOnNetwork returned null because the server says that there is no such file.
bool IsNotFound();

}  // namespace gdal_zarr
