// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace gdal_zarr {

/// Helpers that the tables of open options and of creation options share.
bool IsEqualIgnoringCase(std::string_view a, std::string_view b);
/// True for YES, TRUE, ON and 1, false for their opposites, nothing for other values.
std::optional<bool> ParseBoolean(std::string_view value);
/// Escapes text for an XML attribute in apostrophes.
std::string EscapeXml(std::string_view text);

}  // namespace gdal_zarr
