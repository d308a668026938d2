// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>

namespace zarr {

/// Returns the number of columns of the terminal that standard error is connected to. Returns 0 if it is a file or a
/// pipe, or a terminal that cannot rewrite a line (TERM is "dumb"). Thread-safe.
std::size_t GetErrorTerminalWidth();

}  // namespace zarr
