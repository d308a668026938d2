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

}  // namespace zarr
