// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <random>
#include <string>
#include <string_view>

namespace zarr::fuzz {

using Random = std::minstd_rand;

/// A number below `limit`, which is not 0.
inline std::size_t Below(std::size_t limit, Random* random) {
  return (*random)() % limit;
}

/// Changes one to a few places of a JSON document: a number to an edge value, a type, a name; deletes, duplicates,
/// moves or adds a member or an item. `other` is another document that parts can be taken of. Returns nothing if the
/// text is no JSON, or is nested too deeply.
std::optional<std::string> MutateJson(std::string_view text, std::string_view other, Random* random);

}  // namespace zarr::fuzz
