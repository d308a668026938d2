// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "zarrlib/base/system/file.h"
#include "zarrlib/store/store.h"

/// Files that are values of a store in the folder `root`. Errors are Error(io) without a location. Thread-safe.
namespace zarr {

/// Opens a value and gets its status. Returns nullopt if there is no such file.
std::optional<File> OpenValueFile(const std::string& root, const std::string& path, FileStatus* status);
/// Returns true if the value exists. Sets the stamp, unless it is null.
bool LookAtValue(const std::string& root, const std::string& path, VersionStamp* stamp);
/// Fills the buffer with the bytes starting at `offset`.
void ReadFileAt(const File& file, std::uint64_t offset, MutableByteSpan buffer);

}  // namespace zarr
