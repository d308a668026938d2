// SPDX-License-Identifier: MIT
#pragma once

#include "zarrlib/tools/zarrkit.h"

namespace zarr::tools {

/// The `main` of a program that is zarrkit: takes limits from the environment, and runs the command.
int RunProgram(int argc, char** argv, const StoreOpener& open);

}  // namespace zarr::tools
