// SPDX-License-Identifier: MIT
#pragma once

#include <optional>

#include "zarrlib/json/json_node.h"

namespace gdal_zarr {

/// Returns true if an attribute already has the given value, perhaps in another form, such as a number as text. nullopt
/// stands for no attribute.
bool SaysAlready(const std::optional<zarr::JsonNode>& known, const std::optional<zarr::JsonNode>& value);

/// Returns true if attributes already contain the colours of a colour table, perhaps as CF's flags.
bool HasColorsAlready(const zarr::JsonNode& attributes, const zarr::JsonNode& value);

}  // namespace gdal_zarr
