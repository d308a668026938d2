// SPDX-License-Identifier: MIT
#include "driver/cf/set_attribute.h"

#include "driver/cf/attribute_number.h"
#include "driver/cf/color_table.h"
#include "driver/dataset/attribute_names.h"
#include "zarrlib/json/json_edit.h"

namespace gdal_zarr {
namespace {

/// Returns true if two lists have the same numbers, integers or not.
bool AreSameNumbers(const zarr::JsonNode& a, const zarr::JsonNode& b) {
  if (!a.IsArray() || !b.IsArray() || a.size() != b.size()) return false;
  for (std::size_t i = 0; i < a.size(); ++i) {
    if (!a[i].IsNumber() || !b[i].IsNumber() || a[i].AsDouble() != b[i].AsDouble()) return false;
  }
  return true;
}

}  // namespace

bool SaysAlready(const std::optional<zarr::JsonNode>& known, const std::optional<zarr::JsonNode>& value) {
  if (known == value) return true;
  return known && value &&
         (AreSameNumbers(*known, *value) || (value->IsNumber() && ReadNumber(*known) == value->AsDouble()));
}

bool HasColorsAlready(const zarr::JsonNode& attributes, const zarr::JsonNode& value) {
  const GDALColorTable wanted = ReadColorTable(zarr::JsonNode::MakeObject({{kColorTableAttribute, value}}), true);
  return ReadColorTable(attributes, true).IsSame(&wanted) != 0;
}

}  // namespace gdal_zarr
