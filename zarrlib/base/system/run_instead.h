// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>

namespace zarr {

/// Replaces this process with another program, with the same arguments, environment and open files. `arguments` are
/// those of `main`, with nullptr at the end. Returns only if the program does not exist or cannot be run.
void RunInstead(const std::filesystem::path& program, char* const* arguments);

/// Returns the folder of the running program, or an empty path if the system does not report it.
std::filesystem::path FindProgramFolder();

}  // namespace zarr
