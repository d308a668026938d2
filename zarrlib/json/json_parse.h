// SPDX-License-Identifier: MIT
#pragma once

#include <string_view>

#include "zarrlib/json/json_value.h"

namespace zarr {

/// Parses text that NormalizeJson has made; its marks become numbers again. Of members with the same name the last one
/// counts, as in Python. Takes time in proportion to the text, also for objects with very many members. Throws
/// Error(corrupt) without a place, and Error(limit_exceeded) for more than Limit::kJsonValues values.
JsonValue ParseJson(std::string_view text);

/// Keeps one of several members with the same name, with the value of the last.
void DropDuplicates(JsonValue::Object* members);

}  // namespace zarr
