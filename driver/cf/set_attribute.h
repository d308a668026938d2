// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <string_view>

#include "zarrlib/json/json_node.h"

namespace gdal_zarr {

/// Whether attributes already say what an attribute of that name is to say, perhaps in another form: a number as text,
/// a colour table as CF's flags. No value stands for no attribute.
bool SaysAlready(const zarr::JsonNode& attributes, std::string_view name, const std::optional<zarr::JsonNode>& value);

}  // namespace gdal_zarr
