// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "zarrlib/json/json_node.h"

namespace zarr {

using JsonMembers = std::vector<std::pair<std::string, JsonNode>>;

/// Finds a member by its name; nothing if `node` is no object, or has none of that name.
std::optional<JsonNode> FindMember(const JsonNode& node, std::string_view name);
/// Whether two values are the same in a document too: 1 and 1.0 are equal otherwise.
bool AreWrittenAlike(const JsonNode& a, const JsonNode& b);
/// Makes an array of floating-point numbers.
JsonNode MakeNumberList(const std::vector<double>& numbers);
/// Copies an object and sets a member: in the place of the one of that name, else at the end. Null counts as an object
/// without members.
JsonNode CopyWithMember(const JsonNode& object, std::string_view name, const JsonNode& value);
/// Copies an object without the member of that name.
JsonNode CopyWithoutMember(const JsonNode& object, std::string_view name);
/// Makes the change that leads from `before` to `after` in another value, `stored`: members that differ, also those of
/// objects in objects, are set or removed, and all others stay as they are. Values that are no objects are replaced
/// whole.
JsonNode ApplyDifference(const JsonNode& stored, const JsonNode& before, const JsonNode& after);

}  // namespace zarr
