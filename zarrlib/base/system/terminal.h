// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>

namespace zarr {

/// The number of columns of the terminal that standard error leads to; 0 if it leads to a file or a pipe, or to a
/// terminal that cannot rewrite a line (TERM is "dumb"). Thread-safe.
std::size_t GetErrorTerminalWidth();

}  // namespace zarr
