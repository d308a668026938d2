// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "zarrlib/base/error.h"

namespace zarr {

class Hierarchy;

/// Suggests names that a user may have meant: at most five, sorted by edit distance from `wanted`. Case is ignored.
std::vector<std::string> ChooseNearNames(std::vector<std::string> names, std::string_view wanted);

/// Suggests nodes for the path of a missing node: nodes of the same name in groups below its nearest existing parent,
/// then the most similar names in this group. Paths are relative to the group. Searches a limited number of groups.
/// Throws the errors of Hierarchy::List.
std::vector<std::string> FindNearNodes(const Hierarchy& hierarchy, std::string_view path);

/// Makes the Error(not_found) for the path of a missing node. It lists the results of FindNearNodes, unless that needs
/// requests. `expected` is "an array" or "a group".
Error MakeMissingNodeError(const Hierarchy& hierarchy, std::string_view path, std::string_view expected);

}  // namespace zarr
