// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include <cpl_vsi.h>

namespace gdal_zarr {

enum class Presence { kFile, kFolder, kAbsent, kFailed };

/// Determines what exists at a path that GDAL could not open or list. A file in an archive is absent if the archive's
/// table of contents could be read and does not contain it. A path that wraps another file (/vsigzip/, /vsicrypt/) is
/// absent if that file is. If the result is unknown, returns kFailed.
///
/// Call this while GDAL's errors are collected, and while opening a file does not list its folder. It may need several
/// requests.
Presence LookAgain(const std::string& path);

/// Returns true if a path refers to a local pipe, device or socket, directly or as the file that it wraps. Opening such
/// a file may block forever.
bool IsSpecialFile(const std::string& path);

/// Makes GDAL forget what it knows of the remote folder that a path is in, and of what is there.
void ForgetFolderOf(const std::string& path);

/// Opens a remote file, with a second attempt if needed: GDAL (at least 3.6) remembers that a file could not be opened,
/// but not why.
VSILFILE* OpenOnNetwork(const std::string& path);
/// Returns true if the last OpenOnNetwork returned null because the server reported that there is no such file.
bool IsNotFound();

}  // namespace gdal_zarr
