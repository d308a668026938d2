// SPDX-License-Identifier: MIT
#pragma once

#include <nlohmann/json.hpp>
#include <string_view>

namespace zarr {

/// Parses text that NormalizeJson has made. Of members with the same name the last one counts, as in Python. Takes time
/// in proportion to the text, also for objects with very many members. Throws Error(corrupt) without a place, and
/// Error(limit_exceeded) for more than Limit::kJsonValues values.
nlohmann::ordered_json ParseJson(std::string_view text);

/// Keeps one of several members with the same name, with the value of the last.
void DropDuplicates(nlohmann::ordered_json::object_t* members);

}  // namespace zarr
