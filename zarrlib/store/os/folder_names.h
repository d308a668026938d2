// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <system_error>
#include <vector>

namespace zarr {

/// Lists the names in a folder of the system, except "." and "..", in no order. Returns none, with the reason in
/// `*error`, if it cannot be listed. As std::filesystem::directory_iterator, which ends the process if there is no
/// memory for a name (in libstdc++); this throws std::bad_alloc.
std::vector<std::string> ListNames(const std::string& folder, std::error_code* error);

}  // namespace zarr
