// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <string>

#include "zarrlib/store/os/posix_file.h"

namespace zarr {

/// Makes a file, with the folder that it is in, and locks it for as long as the result exists. A file that is there
/// already is taken; one that is removed before it is locked is made again. Symbolic links are not followed. Returns
/// nothing if another process, or another call, holds the lock. Throws Error(io).
std::optional<File> HoldLockFile(const std::string& path);

}  // namespace zarr
