// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <system_error>
#include <vector>

namespace zarr {

/// Lists the names in a folder of the file system, except "." and "..", in no particular order. Returns an empty list,
/// with the reason in `*error`, if the folder cannot be listed. Used instead of std::filesystem::directory_iterator,
/// which (in libstdc++) ends the process if memory for a name runs out; this function throws std::bad_alloc.
std::vector<std::string> ListNames(const std::string& folder, std::error_code* error);

}  // namespace zarr
