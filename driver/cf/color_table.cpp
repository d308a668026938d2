// SPDX-License-Identifier: MIT
#include "driver/cf/color_table.h"

#include <charconv>
#include <cmath>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "driver/cf/attribute_number.h"
#include "driver/dataset/attribute_names.h"

namespace gdal_zarr {
namespace {

using zarr::JsonNode;

constexpr std::int64_t kHighestIndex = 65535;

/// Parses [red, green, blue] or [red, green, blue, alpha].
std::optional<GDALColorEntry> ParseColor(const JsonNode& node) {
  if (!node.IsArray() || (node.size() != 3 && node.size() != 4)) return std::nullopt;
  short parts[4] = {0, 0, 0, 255};
  for (std::size_t i = 0; i < node.size(); ++i) {
    if (!node[i].IsInteger() || !(node[i].AsDouble() >= 0 && node[i].AsDouble() <= 255)) return std::nullopt;
    parts[i] = static_cast<short>(node[i].AsInt64());
  }
  return GDALColorEntry{parts[0], parts[1], parts[2], parts[3]};
}

/// Parses "#rrggbb" or "#rrggbbaa"; the "#" is optional.
std::optional<GDALColorEntry> ParseHexadecimal(std::string_view text) {
  if (text.starts_with('#')) text.remove_prefix(1);
  if (text.size() != 6 && text.size() != 8) return std::nullopt;
  short parts[4] = {0, 0, 0, 255};
  for (std::size_t i = 0; i < text.size() / 2; ++i) {
    const char* begin = text.data() + 2 * i;
    if (*begin == '-' || std::from_chars(begin, begin + 2, parts[i], 16).ptr != begin + 2) return std::nullopt;
  }
  return GDALColorEntry{parts[0], parts[1], parts[2], parts[3]};
}

GDALColorTable ParseColorList(const JsonNode& node) {
  GDALColorTable table;
  if (!node.IsArray() || node.size() > static_cast<std::size_t>(kHighestIndex) + 1) return table;
  int index = 0;
  for (const JsonNode& item : node.GetItems()) {
    if (const auto color = ParseColor(item)) table.SetColorEntry(index, &*color);
    ++index;
  }
  return table;
}

std::vector<std::string> SplitWords(const JsonNode& node) {
  std::vector<std::string> words;
  if (node.IsString()) {
    const CPLStringList list(CSLTokenizeString2(node.AsString().c_str(), " ,", 0));
    words.assign(list.List(), list.List() + list.size());
  } else if (node.IsArray()) {
    for (const JsonNode& item : node.GetItems()) words.push_back(item.IsString() ? item.AsString() : "");
  }
  return words;
}

GDALColorTable ParseFlags(const JsonNode& values, const JsonNode& colors) {
  GDALColorTable table;
  const std::vector<double> numbers = ReadNumberList(values).value_or(std::vector<double>());
  const std::vector<std::string> words = SplitWords(colors);
  if (numbers.size() != words.size()) return table;
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    const auto color = ParseHexadecimal(words[i]);
    const bool fits = numbers[i] == std::floor(numbers[i]) && numbers[i] >= 0 && numbers[i] <= kHighestIndex;
    if (color && fits) table.SetColorEntry(static_cast<int>(numbers[i]), &*color);
  }
  return table;
}

}  // namespace

GDALColorTable ReadColorTable(const JsonNode& attributes, bool of_integers) {
  if (!attributes.IsObject()) return GDALColorTable();
  if (const auto list = attributes.Find(kColorTableAttribute)) return ParseColorList(*list);
  if (!of_integers) return GDALColorTable();
  const auto values = attributes.Find("flag_values");
  const auto colors = attributes.Find("flag_colors");
  return values && colors ? ParseFlags(*values, *colors) : GDALColorTable();
}

}  // namespace gdal_zarr
