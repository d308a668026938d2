// SPDX-License-Identifier: MIT
#pragma once

#include <sys/stat.h>

#include <cstdint>
#include <optional>
#include <string>

#include "zarrlib/store/os/posix_file.h"
#include "zarrlib/store/store.h"

/// Files that are values of a store in the folder `root`. Errors are Error(io) without a place. Thread-safe.
namespace zarr {

/// Opens a value, and gets its status; nothing if there is no such file.
std::optional<File> OpenValueFile(const std::string& root, const std::string& path, struct stat* status);
/// Whether there is a value. Sets the stamp, unless that is null.
bool LookAtValue(const std::string& root, const std::string& path, VersionStamp* stamp);
/// Fills the buffer with the bytes from `offset` on.
void ReadFileAt(const File& file, std::uint64_t offset, MutableByteSpan buffer);

}  // namespace zarr
