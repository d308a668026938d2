// SPDX-License-Identifier: MIT
#include "driver/stores/temporary_folder.h"

#include <cpl_conv.h>

#include <filesystem>
#include <system_error>

#include "zarrlib/base/error.h"
#include "zarrlib/store/files/path_text.h"

namespace gdal_zarr {

std::string GetFolderForTemporaryFiles() {
  if (const char* const folder = CPLGetConfigOption("CPL_TMPDIR", nullptr)) return folder;
  std::error_code error;
  const auto folder = std::filesystem::temp_directory_path(error);
  if (!error) return zarr::ToText(folder);
  throw zarr::Error(zarr::ErrorKind::kIo, "", "", "",
                    "there is no folder for temporary files (" + error.message() +
                        "); the configuration option CPL_TMPDIR can name one");
}

}  // namespace gdal_zarr
