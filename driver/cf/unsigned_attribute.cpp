// SPDX-License-Identifier: MIT
#include "driver/cf/unsigned_attribute.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <string>
#include <vector>

#include "driver/dataset/attribute_names.h"
#include "driver/gdal/gdal_compat.h"
#include "zarrlib/json/json_edit.h"

namespace gdal_zarr {
namespace {

using zarr::DataType;

/// Returns the kind that `_Unsigned` assigns to integers of full bytes; their own kind if there is no such attribute.
DataType::Kind GetMeantKind(const zarr::Array& array) {
  const DataType& type = array.data_type();
  const bool whole = type.bits == 0 && (type.kind == DataType::Kind::kInt || type.kind == DataType::Kind::kUint);
  const zarr::JsonNode& attributes = array.metadata().attributes;
  const auto value = whole ? FindMember(attributes, kUnsignedAttribute) : std::nullopt;
  const auto is_unsigned = value ? FindUnsigned(*value) : std::nullopt;
  if (!is_unsigned) return type.kind;
  return *is_unsigned ? DataType::Kind::kUint : DataType::Kind::kInt;
}

/// Returns true if GDAL sees the array's integers in another type, which can be expressed exactly as a double.
bool IsShownOtherwise(const zarr::Array& array) {
  return GetMeantKind(array) != array.data_type().kind && array.data_type().size <= 4;
}

}  // namespace

std::optional<bool> FindUnsigned(const zarr::JsonNode& value) {
  const std::string text = value.IsString() ? value.AsString() : value.IsBoolean() ? value.Dump() : "";
  if (EQUAL(text.c_str(), "true")) return true;
  return EQUAL(text.c_str(), "false") ? std::optional(false) : std::nullopt;
}

bool HoldsValues(std::string_view attribute) {
  constexpr std::string_view kOfValues[] = {"valid_range", "valid_min",  "valid_max",
                                            "flag_values", "flag_masks", "missing_value"};
  return std::ranges::find(kOfValues, attribute) != std::end(kOfValues);
}

DataType GetShownType(const zarr::Array& array) {
  DataType type = array.data_type();
  type.kind = GetMeantKind(array);
  // A missing value of the type `optional` is neither true nor false.
  if (type.kind == DataType::Kind::kBool && type.optional_depth > 0) type.kind = DataType::Kind::kUint;
  return type;
}

double ToShownNumber(const zarr::Array& array, double number) {
  const DataType& stored = array.data_type();
  const DataType::Kind meant = GetMeantKind(array);
  if (meant == stored.kind || number != std::floor(number)) return number;
  const double half = std::ldexp(1.0, static_cast<int>(8 * stored.size) - 1);
  if (meant == DataType::Kind::kUint) return number < 0 && number >= -half ? number + 2 * half : number;
  return number >= half && number < 2 * half ? number - 2 * half : number;
}

zarr::JsonNode ShowNumbers(const zarr::Array& array, std::string_view name, const zarr::JsonNode& value) {
  if (!HoldsValues(name) || !IsShownOtherwise(array)) return value;
  if (value.IsArray()) {
    std::vector<zarr::JsonNode> items;
    for (const zarr::JsonNode& item : value.GetItems()) items.push_back(ShowNumbers(array, name, item));
    return zarr::JsonNode::MakeArray(items);
  }
  if (!value.IsInteger()) return value;
  const double number = value.AsDouble();
  const double shown = ToShownNumber(array, number);
  return shown == number ? value : zarr::JsonNode::MakeInteger(static_cast<std::int64_t>(shown));
}

zarr::JsonNode ShowAttributes(const zarr::Array& array, const zarr::JsonNode& attributes) {
  if (!attributes.IsObject() || !IsShownOtherwise(array)) return attributes;
  zarr::JsonMembers members = attributes.GetMembers();
  for (auto& [name, value] : members) value = ShowNumbers(array, name, value);
  return zarr::JsonNode::MakeObject(members);
}

}  // namespace gdal_zarr
