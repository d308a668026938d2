// SPDX-License-Identifier: MIT
#include <cpl_error.h>

#include "driver/zarrkit/open_named_store.h"
#include "driver/zarrkit/stack_files.h"
#include "zarrlib/tools/program.h"

/// zarrkit for stores on GDAL's virtual file systems. zarrkit runs this program when it is needed.
int main(int argc, char** argv) {
  CPLSetErrorHandler(CPLQuietErrorHandler);  // the program reports a fatal error once
  return zarr::tools::RunProgram(argc, argv, {gdal_zarr::OpenNamedStore, gdal_zarr::StackFiles});
}
