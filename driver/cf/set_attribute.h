// SPDX-License-Identifier: MIT
#pragma once

#include <optional>

#include "zarrlib/json/json_node.h"

namespace gdal_zarr {

/// Whether an attribute already says what it is to say, perhaps in another form: a number as text. No value stands for
/// no attribute.
bool SaysAlready(const std::optional<zarr::JsonNode>& known, const std::optional<zarr::JsonNode>& value);

/// Whether attributes already give the colours of a colour table, perhaps as CF's flags.
bool HasColorsAlready(const zarr::JsonNode& attributes, const zarr::JsonNode& value);

}  // namespace gdal_zarr
