// SPDX-License-Identifier: MIT
#pragma once

#include "zarrlib/tools/zarrkit.h"

namespace zarr::tools {

/// The `main` function of zarrkit programs: applies limits from the environment, and runs the command.
int RunProgram(int argc, char** argv, const Extensions& extensions);

}  // namespace zarr::tools
