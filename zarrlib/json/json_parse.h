#pragma once

#include <nlohmann/json.hpp>
#include <string_view>

namespace zarr {

/// Parses what NormalizeJson made. Of members of the same name the last one counts, as in Python. Takes time in
/// proportion to the text, also for objects of very many members. Throws Error(corrupt) without a place;
/// Error(limit_exceeded) for more than kMaxJsonValues.
nlohmann::ordered_json ParseJson(std::string_view text);

/// Of members of the same name inner chunks one, with the value of the last.
void DropDuplicates(nlohmann::ordered_json::object_t* members);

}  // namespace zarr
