#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace zarr {

/// The characters of a string that stands in JSON text, with its quotes, in UTF-8; nothing for other text. For strings
/// that carry bytes: unlike in a JsonNode, each character stays what it is. Halves of surrogate pairs become U+FFFD.
std::optional<std::string> DecodeJsonString(std::string_view text);

}  // namespace zarr
