#pragma once

#include <string>

#include "driver/gdal_compat.h"

namespace gdal_zarr {

/// Whether side files are looked for beside a file: where this costs no request, thus on local file systems and in
/// archives, or where the user keeps side files elsewhere (GDAL_PAM_PROXY_DIR) and has one for this file.
bool MayHaveSideFiles(const std::string& file);

/// Whether GDAL can keep side files beside a file, or elsewhere for it.
bool CanSaveSideFiles(const std::string& file);

/// The file with an array's overviews, without its ending ".ovr", beside the array's own document: a name that GDAL's
/// own driver also knows.
std::string OverviewFileStem(const std::string& document, const std::string& array_name);

}  // namespace gdal_zarr
