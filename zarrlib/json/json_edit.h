#pragma once

#include <string>
#include <string_view>

#include "zarrlib/json/json_node.h"

namespace zarr {

/// The object with a member set to that value: in its place if there is one of that name, else at the end. Null counts
/// as an object without members.
JsonNode WithMember(const JsonNode& object, std::string_view name, const JsonNode& value);
/// The object without that member.
JsonNode WithoutMember(const JsonNode& object, std::string_view name);

}  // namespace zarr
