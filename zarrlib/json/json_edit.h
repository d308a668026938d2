// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "zarrlib/json/json_node.h"

namespace zarr {

using JsonMembers = std::vector<std::pair<std::string, JsonNode>>;

/// Finds a member by its name. Returns nullopt if `node` is not an object, or has no such member.
std::optional<JsonNode> FindMember(const JsonNode& node, std::string_view name);
/// Returns an item of a list, or, as item 0, a value that is not a list.
std::optional<JsonNode> FindItem(const std::optional<JsonNode>& list, std::size_t index);
/// Returns true if two values are written alike in a document, but for the order of members. operator== treats 1
/// and 1.0 as equal, and compares the order.
bool AreWrittenAlike(const JsonNode& a, const JsonNode& b);
/// Makes an array of floating-point numbers.
JsonNode MakeNumberList(const std::vector<double>& numbers);
/// Copies an object and sets a member: replaces the member of that name, or appends it. Null counts as an object
/// without members.
JsonNode CopyWithMember(const JsonNode& object, std::string_view name, const JsonNode& value);
JsonNode CopyWithoutMember(const JsonNode& object, std::string_view name);
/// Applies the change from `before` to `after` to another value, `stored`. Members that differ, including those of
/// nested objects, are set or removed; all others stay as they are. Values that are not objects are replaced as a
/// whole.
JsonNode ApplyDifference(const JsonNode& stored, const JsonNode& before, const JsonNode& after);

}  // namespace zarr
