// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <string>

#include "zarrlib/base/system/file.h"

namespace zarr {

/// Creates a file and its folder, and locks the file while the result exists. An existing file is used; a file that is
/// removed before it is locked is created again. Symbolic links are not followed. Returns nullopt if another process,
/// or another call, holds the lock. Throws Error(io).
std::optional<File> HoldLockFile(const std::string& path);

}  // namespace zarr
