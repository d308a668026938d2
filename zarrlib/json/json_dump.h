// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include "zarrlib/json/json_node.h"
#include "zarrlib/json/json_value.h"

namespace zarr {

/// Returns the text of a value, like JsonNode::Dump.
std::string DumpJson(const JsonValue& value, JsonNode::Style style);

}  // namespace zarr
