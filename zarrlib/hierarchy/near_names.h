// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "zarrlib/base/error.h"

namespace zarr {

class Hierarchy;

/// Chooses the names that a user may have meant: at most five, those first that take the fewest changes of a character
/// to get from `wanted`. Letters count as equal in any case.
std::vector<std::string> ChooseNearNames(std::vector<std::string> names, std::string_view wanted);

/// Finds what may have been meant by the path of a node that is absent: nodes of its name in groups below the nearest
/// group above it that exists, then the names in this group that are nearest. Paths are relative to the group. Looks
/// into a limited number of groups. Throws what Hierarchy::List throws.
std::vector<std::string> FindNearNodes(const Hierarchy& hierarchy, std::string_view path);

/// Makes the Error(not_found) for the path of a node that is absent. It lists what FindNearNodes finds, unless that
/// takes requests. `expected` is "an array" or "a group".
Error MakeMissingNodeError(const Hierarchy& hierarchy, std::string_view path, std::string_view expected);

}  // namespace zarr
