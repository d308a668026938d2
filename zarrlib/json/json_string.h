// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace zarr {

/// Decodes a string in JSON text, with its quotes, to UTF-8; nothing for other text. For strings that carry bytes:
/// unlike a JsonNode, keeps each character as it is. Halves of surrogate pairs become U+FFFD.
std::optional<std::string> DecodeJsonString(std::string_view text);

}  // namespace zarr
