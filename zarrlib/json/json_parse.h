// SPDX-License-Identifier: MIT
#pragma once

#include <string_view>

#include "zarrlib/json/json_value.h"

namespace zarr {

/// Parses text that NormalizeJson has made; its marks become numbers again. If members have the same name, the last one
/// counts, as in Python. Takes time proportional to the text, including for objects with very many members. Throws
/// Error(corrupt) without a location, and Error(limit_exceeded) for more than Limit::kJsonValues values.
JsonValue ParseJson(std::string_view text);

/// Keeps one of several members with the same name, with the value of the last one.
void DropDuplicates(JsonValue::Object* members);

}  // namespace zarr
