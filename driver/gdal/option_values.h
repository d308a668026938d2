// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "driver/gdal/text.h"

/// Code shared by the tables of open options and of creation options. Their rows have the members `name`, `alias` (""
/// if there is none), `type`, `default_value` (may be null), `description`, and `values`, a list.
namespace gdal_zarr {

/// Returns true for YES, TRUE, ON and 1, false for their opposites, and nullopt for other values.
std::optional<bool> ParseBoolean(std::string_view value);

/// Finds an option by its name or alias, ignoring case. Returns null if there is none.
template <typename Row>
const Row* FindOptionRow(std::span<const Row> table, std::string_view name) {
  if (name.empty()) return nullptr;  // most aliases are empty
  for (const Row& row : table) {
    if (IsEqualIgnoringCase(name, row.name) || IsEqualIgnoringCase(name, row.alias)) return &row;
  }
  return nullptr;
}

/// Makes the XML element of an option in GDAL's lists of options. `limits` is "", or XML attributes, each with a
/// leading space.
template <typename Row>
std::string MakeOptionXml(const Row& row, const std::string& limits = "") {
  std::string xml = std::string("<Option name='") + row.name + "' type='" + row.type + "'";
  if (*row.alias) xml += std::string(" alias='") + row.alias + "'";
  if (row.default_value) xml += std::string(" default='") + row.default_value + "'";
  xml += limits + " description='" + EscapeXml(row.description) + "'>";
  for (const char* value : row.values) xml += std::string("<Value>") + value + "</Value>";
  return xml + "</Option>";
}

/// Lists the allowed values of an option.
template <typename Row>
std::string JoinValues(const Row& row, const char* separator) {
  std::string text;
  for (const char* value : row.values) text += (text.empty() ? "" : separator) + std::string(value);
  return text;
}

}  // namespace gdal_zarr
