// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <string_view>

namespace zarr::fuzz {

/// Registers the driver of this project as GDAL's only one, silences errors, and keeps GDAL from using a network. Does
/// something in the first call only.
void SetUpGdal();
/// Makes a file in /vsimem, and the folders that it is in.
void WriteMemoryFile(const std::string& path, std::string_view content);

}  // namespace zarr::fuzz
