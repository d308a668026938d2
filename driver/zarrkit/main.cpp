// SPDX-License-Identifier: MIT
#include <cpl_error.h>

#include "driver/zarrkit/open_named_store.h"
#include "zarrlib/tools/program.h"

/// zarrkit for stores that GDAL's virtual file systems reach. zarrkit runs this program where it is needed.
int main(int argc, char** argv) {
  CPLSetErrorHandler(CPLQuietErrorHandler);  // the program reports what stops it, once
  return zarr::tools::RunProgram(argc, argv, gdal_zarr::OpenNamedStore);
}
