// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>

namespace zarr {

/// Runs another program in the place of this one, with the same arguments, environment and open files. `arguments` are
/// those of `main`, with nullptr at the end. Returns only if there is no such program, or if it cannot be run.
void RunInstead(const std::filesystem::path& program, char* const* arguments);

/// The folder of the program that runs; empty if the system does not tell.
std::filesystem::path FindProgramFolder();

}  // namespace zarr
