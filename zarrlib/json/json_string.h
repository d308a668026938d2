// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace zarr {

/// Decodes a quoted JSON string to UTF-8. Returns nullopt for other text. Used for strings that carry bytes: unlike a
/// JsonNode, keeps each character unchanged. Unpaired surrogates become U+FFFD.
std::optional<std::string> DecodeJsonString(std::string_view text);

}  // namespace zarr
