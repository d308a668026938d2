// SPDX-License-Identifier: MIT
#pragma once

#include <iosfwd>
#include <string>

namespace zarr::tools {

/// If a local folder is an Icechunk repository, prints its branches and tags with the IDs of their snapshots, and the
/// last commits of the branch that is read. Throws Error for a damaged repository.
void PrintRepository(const std::string& folder, std::ostream& out);

}  // namespace zarr::tools
