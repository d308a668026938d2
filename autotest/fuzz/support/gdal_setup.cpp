// SPDX-License-Identifier: MIT
#include "autotest/fuzz/support/gdal_setup.h"

#include <cpl_conv.h>
#include <cpl_error.h>
#include <cpl_vsi.h>
#include <ogr_srs_api.h>

#include "autotest/fuzz/support/checks.h"
#include "driver/plugin/plugin.h"

namespace zarr::fuzz {

void SetUpGdal() {
  static const bool done = [] {
    CPLSetConfigOption("GDAL_NUM_THREADS", "1");
    CPLSetConfigOption("GDAL_CACHEMAX", "32");
    CPLSetConfigOption("GDAL_HTTP_PROXY", "127.0.0.1:1");
    CPLSetConfigOption("GDAL_HTTP_MAX_RETRY", "0");
    OSRSetPROJEnableNetwork(0);
    CPLSetErrorHandler(CPLQuietErrorHandler);
    GDALRegister_Zarr();
    return true;
  }();
  Require(done, "GDAL is set up");
}

void WriteMemoryFile(const std::string& path, std::string_view content) {
  VSIMkdirRecursive(path.substr(0, path.rfind('/')).c_str(), 0755);
  VSILFILE* const file = VSIFOpenL(path.c_str(), "wb");
  if (file == nullptr) return;
  VSIFWriteL(content.data(), 1, content.size(), file);
  VSIFCloseL(file);
}

}  // namespace zarr::fuzz
