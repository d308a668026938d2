// SPDX-License-Identifier: MIT
#pragma once

#include <optional>

#include "zarrlib/array/array.h"
#include "zarrlib/json/json_node.h"
#include "zarrlib/metadata/data_type.h"

/// The attribute `_Unsigned` of NetCDF's users' guide, "true" or "false", changes the signedness of an array's
/// integers. GDAL is shown the type with that signedness; the stored bytes stay as they are.
namespace gdal_zarr {

/// Returns what the attribute says; nothing for a value that it cannot have.
std::optional<bool> FindUnsigned(const zarr::JsonNode& value);

/// Returns the type that GDAL is shown for an array: the stored one, or the one with the other signedness. Booleans of
/// the type `optional` are shown as numbers, so that a missing one can be told.
zarr::DataType GetShownType(const zarr::Array& array);

/// Converts a number in an attribute to the type that GDAL is shown. Writers disagree whether such numbers are in the
/// stored type (-1) or in the shown one (255). Numbers that fit the shown type, and those of other arrays, stay.
double ToShownNumber(const zarr::Array& array, double number);

}  // namespace gdal_zarr
