#pragma once

#include <string>

#include <cpl_vsi.h>

namespace gdal_zarr {

enum class Presence { kFile, kFolder, kAbsent, kFailed };

/// What stands at a path, for which GDAL has only said that it cannot be opened, or listed. Absent is a file in an
/// archive that was found and whose table of contents could be read, but does not name it; and what stands for another
/// file (/vsigzip/, /vsicrypt/) if that one is not there. What cannot be told has failed.
///
/// To be called where GDAL's errors are collected and opening lists no folders. May need some requests.
Presence LookAgain(const std::string& path);

/// Opens a file on a network, if need be a second time: releases of GDAL up to 3.6 at least remember that a file could
/// not be opened, but not why.
VSILFILE* OpenOnNetwork(const std::string& path);
/// Whether a server has said, to the last OpenOnNetwork, which gave null, that there is no such file.
bool SaysNotFound();

}  // namespace gdal_zarr
