// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <functional>
#include <string>

#include "zarrlib/hierarchy/hierarchy.h"

namespace zarr::tools {

/// Calls `use` with the path of each array at and below `path`. Arrays that cannot be opened are among them, and what
/// is below a group that cannot be read is left out.
void ForEachArray(const Hierarchy& hierarchy, const std::string& path, NodeKind kind,
                  const std::function<void(const std::string&)>& use);

/// Counts the stored chunks (shards) of all arrays at and below a path that can be read, so that progress can be shown.
/// Lists folders, and reads no chunk.
std::uint64_t CountStoredChunks(const Hierarchy& hierarchy, const std::string& path);
std::uint64_t CountStoredChunks(const Array& array);

}  // namespace zarr::tools
