// SPDX-License-Identifier: MIT
#include "driver/cf/set_attribute.h"

#include "driver/cf/attribute_number.h"
#include "driver/cf/color_table.h"
#include "driver/dataset/attribute_names.h"
#include "zarrlib/json/json_edit.h"

namespace gdal_zarr {
namespace {

/// Whether two lists have the same numbers, integers or not.
bool AreSameNumbers(const zarr::JsonNode& a, const zarr::JsonNode& b) {
  if (!a.IsArray() || !b.IsArray() || a.size() != b.size()) return false;
  for (std::size_t i = 0; i < a.size(); ++i) {
    if (!a[i].IsNumber() || !b[i].IsNumber() || a[i].AsDouble() != b[i].AsDouble()) return false;
  }
  return true;
}

}  // namespace

bool SaysAlready(const zarr::JsonNode& attributes, std::string_view name, const std::optional<zarr::JsonNode>& value) {
  const auto known = FindMember(attributes, name);
  if (known == value) return true;
  if (!value) return false;
  if (name == kColorTableAttribute) {
    const auto wanted = zarr::JsonNode::MakeObject({{kColorTableAttribute, *value}});
    const GDALColorTable colors = ReadColorTable(wanted);
    return ReadColorTable(attributes).IsSame(&colors) != 0;
  }
  return known && (AreSameNumbers(*known, *value) || (value->IsNumber() && ReadNumber(*known) == value->AsDouble()));
}

}  // namespace gdal_zarr
