// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace zarr {

/// Chooses the names that a user may have meant: at most five, those first that take the fewest changes of a character
/// to get from `wanted`. Letters count as equal in any case.
std::vector<std::string> ChooseNearNames(std::vector<std::string> names, std::string_view wanted);

}  // namespace zarr
