#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace gdal_zarr {

/// What the tables of open and creation options share.
bool EqualIgnoringCase(std::string_view a, std::string_view b);
/// YES, TRUE, ON, 1 and their opposites; nothing for anything else.
std::optional<bool> ParseBoolean(std::string_view value);
/// For the value of an attribute in apostrophes.
std::string EscapeXml(std::string_view text);

}  // namespace gdal_zarr
