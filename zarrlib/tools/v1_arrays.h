// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "zarrlib/hierarchy/hierarchy.h"

namespace zarr::tools {

/// Finds arrays of v1 below the root. They are separate stores, which the hierarchy does not list. Searches a bounded
/// number of folders without metadata; does not search a remote store.
std::vector<std::string> FindV1ArraysBelow(const Hierarchy& hierarchy);

/// Describes such an array, and how commands can access it.
std::string DescribeV1Array(const Store& store, std::string_view path);

}  // namespace zarr::tools
