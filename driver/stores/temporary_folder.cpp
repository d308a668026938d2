// SPDX-License-Identifier: MIT
#include "driver/stores/temporary_folder.h"

#include <cpl_conv.h>

#include <filesystem>

#include "zarrlib/store/files/path_text.h"

namespace gdal_zarr {

std::string GetFolderForTemporaryFiles() {
  const char* folder = CPLGetConfigOption("CPL_TMPDIR", nullptr);
  return folder ? folder : zarr::ToText(std::filesystem::temp_directory_path());
}

}  // namespace gdal_zarr
