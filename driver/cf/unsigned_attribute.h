// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <string_view>

#include "zarrlib/array/array.h"
#include "zarrlib/json/json_node.h"
#include "zarrlib/metadata/data_type.h"

/// The attribute `_Unsigned` of NetCDF's users' guide, "true" or "false", changes the signedness of an array's
/// integers. GDAL sees the type with that signedness; the stored bytes are not changed.
namespace gdal_zarr {

/// Returns the value of the attribute, or nullopt if it is invalid.
std::optional<bool> FindUnsigned(const zarr::JsonNode& value);

/// Returns true if the numbers of an attribute are values of the array, such as those of `valid_range`.
bool HoldsValues(std::string_view attribute);

/// Returns the type of an array that GDAL sees: the stored type, or the one with the other signedness. Booleans of the
/// type `optional` are presented as numbers, so that missing ones can be distinguished.
zarr::DataType GetShownType(const zarr::Array& array);

/// Converts a number in an attribute to the type that GDAL sees. Writers disagree whether such numbers are in the
/// stored type (-1) or in the type that GDAL sees (255). Numbers that fit the latter, and those of other arrays, are
/// not changed.
double ToShownNumber(const zarr::Array& array, double number);
/// Returns the value of an attribute as GDAL sees it: numbers that are values of the array are converted like in
/// ToShownNumber. Other values, and other attributes, are not changed.
zarr::JsonNode ShowNumbers(const zarr::Array& array, std::string_view name, const zarr::JsonNode& value);
/// Returns attributes of the array as GDAL sees them.
zarr::JsonNode ShowAttributes(const zarr::Array& array, const zarr::JsonNode& attributes);

}  // namespace gdal_zarr
