// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <vector>

#include "zarrlib/json/json_node.h"

/// Numbers in attributes. Some writers store a number as a list of one, or as text, such as "0.01".
namespace gdal_zarr {

/// Returns a number that is exact for 64-bit integers. The value may be a number, a list of one, or text that consists
/// of a number (including "NaN" and "inf"). Returns nullopt for other values. Errors about the number point to the
/// value.
std::optional<zarr::JsonNode> FindNumber(const zarr::JsonNode& node);

/// Like FindNumber, for a Float64.
std::optional<double> ReadNumber(const zarr::JsonNode& node);

/// Returns the numbers of a list, or of text that separates them by spaces or commas, optionally within brackets. A
/// single number is treated as a list of one. Returns nullopt if any item is not a number.
std::optional<std::vector<double>> ReadNumberList(const zarr::JsonNode& node);

/// Makes the value of an attribute that can only be finite. Throws zarr::Error(invalid_argument) for another number.
zarr::JsonNode MakeFiniteNumber(const char* attribute, double value);

}  // namespace gdal_zarr
