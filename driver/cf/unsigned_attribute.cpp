// SPDX-License-Identifier: MIT
#include "driver/cf/unsigned_attribute.h"

#include <cmath>
#include <string>

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
  const auto value = whole ? FindMember(attributes, "_Unsigned") : std::nullopt;
  const auto is_unsigned = value ? FindUnsigned(*value) : std::nullopt;
  if (!is_unsigned) return type.kind;
  return *is_unsigned ? DataType::Kind::kUint : DataType::Kind::kInt;
}

}  // namespace

std::optional<bool> FindUnsigned(const zarr::JsonNode& value) {
  const std::string text = value.IsString() ? value.AsString() : value.IsBoolean() ? value.Dump() : "";
  if (EQUAL(text.c_str(), "true")) return true;
  return EQUAL(text.c_str(), "false") ? std::optional(false) : std::nullopt;
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

}  // namespace gdal_zarr
