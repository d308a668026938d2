// SPDX-License-Identifier: MIT
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "driver/gdal/gdal_compat.h"
#include "zarrlib/json/json_node.h"

/// The text of metadata items of GDAL's netCDF driver, which has one per attribute: {variable}#{attribute}={value}.
namespace gdal_zarr {

inline constexpr const char* kNetcdfPrefix = "NETCDF_DIM_";
inline constexpr const char* kExtraDimensions = "NETCDF_DIM_EXTRA";

/// Splits "name=value".
std::pair<std::string_view, std::string_view> SplitItem(std::string_view item);
/// Returns the variable in an item's name, or "".
std::string_view GetVariable(std::string_view name);
/// Returns "" if there is no such item.
std::string GetAttributeItem(const CPLStringList& items, const std::string& variable, const char* attribute);
/// Returns the group, such as "/a/b/", if the items of a variable begin with its full name; otherwise "".
std::string FindGroup(const CPLStringList& items, const std::string& variable);
/// Returns the items with the names that variables have within a group: those of its variables, and of those in groups
/// above it, begin with the name alone.
CPLStringList ShowWithin(const CPLStringList& items, const std::string& group);
/// Splits "{1,2}".
std::vector<std::string> SplitList(std::string text);
/// Returns true if both are the same number or text.
bool IsSameValue(const std::string& a, const std::string& b);
/// Returns true if a text is GDAL's form of a value: GDAL rounds numbers, and formats lists as {a,b}.
bool IsTextOf(const zarr::JsonNode& value, const std::string& text);
/// Parses text as a number or a list of numbers, if that is how they are printed. Returns other text, and that of
/// attributes that never are numbers, unchanged.
zarr::JsonNode ParseValue(std::string_view attribute, const std::string& text);

/// Returns true for a negative number, or a list of numbers with one.
bool HasNegativeNumber(const std::string& text);
/// Changes each number of a text. Returns other text unchanged.
std::string ChangeNumbers(const std::string& text, const std::function<double(double)>& change);
/// Returns "{2,1}" for "{1,2}".
std::string ReverseList(const std::string& text);

}  // namespace gdal_zarr
