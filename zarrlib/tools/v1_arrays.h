// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "zarrlib/hierarchy/hierarchy.h"

namespace zarr::tools {

/// Finds arrays of v1 below the root. They are stores of their own, which the hierarchy does not list. Looks into a
/// bounded number of folders without metadata, and into none of a store where each look costs a request.
std::vector<std::string> FindV1ArraysBelow(const Hierarchy& hierarchy);

/// Says what such an array is, and how commands get at it.
std::string DescribeV1Array(const Store& store, std::string_view path);

}  // namespace zarr::tools
