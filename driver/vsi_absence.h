#pragma once

#include <string>

#include <cpl_vsi.h>

namespace gdal_zarr {

/// Whether a file of GDAL's virtual file systems that cannot be opened is not there, rather than not to be read: a file
/// in an archive that was found and whose table of contents could be read, but does not name it; and what stands for
/// another file (/vsigzip/, /vsicrypt/) if that one is not there. A folder is no file, and absent.
///
/// To be called where GDAL's errors are collected and opening lists no folders. May need some requests.
bool IsAbsentVirtually(const std::string& path);

/// Opens a file on a network, if need be a second time: releases of GDAL up to 3.6 at least remember that a file could
/// not be opened, but not why.
VSILFILE* OpenOnNetwork(const std::string& path);
/// Whether a server has said, to the last OpenOnNetwork, which gave null, that there is no such file.
bool SaysNotFound();

}  // namespace gdal_zarr
