// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <string_view>

#include "zarrlib/json/json_node.h"

namespace zarr {

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
