// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <vector>

#include "zarrlib/json/json_node.h"

/// Numbers in attributes. Some writers save a number as a list of one, or as text, such as "0.01".
namespace gdal_zarr {

/// Returns a number that is exact for 64-bit integers, if the value is one, a list of one, or text that is a number as
/// a whole ("NaN" and "inf" too). Errors about it point to the value. Nothing for other values.
std::optional<zarr::JsonNode> FindNumber(const zarr::JsonNode& node);

/// Does the same as FindNumber, for a Float64.
std::optional<double> ReadNumber(const zarr::JsonNode& node);

/// Returns the numbers of a list, or those of text that separates them by spaces or commas, also within brackets; a
/// number counts as a list of one. Nothing if one of them is no number.
std::optional<std::vector<double>> ReadNumberList(const zarr::JsonNode& node);

}  // namespace gdal_zarr
