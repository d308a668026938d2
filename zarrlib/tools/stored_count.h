// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <functional>
#include <string>

#include "zarrlib/hierarchy/hierarchy.h"

namespace zarr::tools {

/// Calls `use` with the path of each array at and below `path`, including arrays that cannot be opened. Omits the
/// content of unreadable groups.
void ForEachArray(const Hierarchy& hierarchy, const std::string& path, NodeKind kind,
                  const std::function<void(const std::string&)>& use);

/// Counts the stored chunks (shards) of all readable arrays at and below a path, for progress reports. Lists folders,
/// and does not read chunks.
std::uint64_t CountStoredChunks(const Hierarchy& hierarchy, const std::string& path);
std::uint64_t CountStoredChunks(const Array& array);

}  // namespace zarr::tools
