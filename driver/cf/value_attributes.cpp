// SPDX-License-Identifier: MIT
#include "driver/cf/value_attributes.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <functional>
#include <utility>
#include <vector>

#include "driver/cf/attribute_number.h"
#include "driver/cf/unsigned_attribute.h"
#include "zarrlib/json/json_edit.h"

namespace gdal_zarr {
namespace {

using zarr::JsonNode;

constexpr double kHighestCategory = 4095;

std::optional<double> ReadFiniteNumber(const std::optional<JsonNode>& node) {
  const auto number = node ? ReadNumber(*node) : std::nullopt;
  return number && std::isfinite(*number) ? number : std::nullopt;
}

/// Reads a list of two numbers, the lower one first. `convert` converts each to a value of the array.
template <typename Convert>
ValueRange ReadPair(const JsonNode& attributes, const char* name, const Convert& convert) {
  const auto node = FindMember(attributes, name);
  const auto pair = node ? ReadNumberList(*node) : std::nullopt;
  if (!pair || pair->size() != 2 || !std::isfinite((*pair)[0]) || !std::isfinite((*pair)[1])) return {};
  const double low = convert((*pair)[0]);
  const double high = convert((*pair)[1]);
  if (low > high) return {};
  return {low, high};
}

/// Returns the integers of a list, or a single integer; an empty list if any of them cannot be the number of a
/// category.
std::vector<std::size_t> FindCategoryValues(const JsonNode& node) {
  std::vector<std::size_t> values;
  for (const double number : ReadNumberList(node).value_or(std::vector<double>())) {
    if (!(number >= 0 && number <= kHighestCategory) || number != std::floor(number)) return {};
    values.push_back(static_cast<std::size_t>(number));
  }
  return values;
}

/// Returns the values named by `flag_meanings`: `flag_values`, unless `flag_masks` show that these combine several
/// fields; otherwise `flag_masks`, if each is a single bit. A pixel with several bits set then does not have a name.
std::vector<std::size_t> ReadFlagNumbers(const JsonNode& attributes) {
  const auto values = FindMember(attributes, "flag_values");
  const auto masks = FindMember(attributes, "flag_masks");
  const std::vector<std::size_t> bits = masks ? FindCategoryValues(*masks) : std::vector<std::size_t>();
  const bool one_field = std::adjacent_find(bits.begin(), bits.end(), std::not_equal_to<>()) == bits.end();
  if (values) return !masks || (!bits.empty() && one_field) ? FindCategoryValues(*values) : std::vector<std::size_t>();
  return std::all_of(bits.begin(), bits.end(), [](std::size_t mask) { return std::has_single_bit(mask); })
             ? bits
             : std::vector<std::size_t>();
}

}  // namespace

ValueRange ReadValueRange(const zarr::Array& array, const JsonNode& attributes, double scale, double offset) {
  const ValueRange actual = ReadPair(attributes, "actual_range", [](double number) { return number; });
  if (actual.minimum && scale != 0) {
    double low = (*actual.minimum - offset) / scale;
    double high = (*actual.maximum - offset) / scale;
    if (scale < 0) std::swap(low, high);
    return {low, high};
  }
  const auto shown = [&array](double number) { return ToShownNumber(array, number); };
  const ValueRange valid = ReadPair(attributes, "valid_range", shown);
  if (valid.minimum) return valid;
  const auto end = [&](const char* name) {
    const auto number = ReadFiniteNumber(FindMember(attributes, name));
    return number ? std::optional(shown(*number)) : std::nullopt;
  };
  return {end("valid_min"), end("valid_max")};
}

std::string FormatStatistic(const JsonNode& node) {
  if (node.IsString()) return CPLGetValueType(node.AsString().c_str()) == CPL_VALUE_STRING ? "" : node.AsString();
  return node.IsNumber() ? node.Dump() : "";
}

JsonNode MakeStatistic(const char* text) {
  const JsonNode string = JsonNode::MakeString(text);
  const auto number = FindNumber(string);
  return number && FormatStatistic(*number) == text ? *number : string;
}

CPLStringList ReadStatistics(const JsonNode& attributes, std::size_t band, std::size_t band_count) {
  CPLStringList statistics;
  if (!attributes.IsObject()) return statistics;
  const auto read = [&](const std::string& name, const JsonNode& node) {
    if (node.IsArray() ? node.size() != band_count : band_count != 1) return;
    const std::string text = FormatStatistic(node.IsArray() ? node[band] : node);
    if (!text.empty()) statistics.SetNameValue(name.c_str(), text.c_str());
  };
  // In the order of GDAL, before those of other formats, such as STATISTICS_MEDIAN of Erdas Imagine.
  for (const char* name : {"STATISTICS_MINIMUM", "STATISTICS_MAXIMUM", "STATISTICS_MEAN", "STATISTICS_STDDEV",
                           "STATISTICS_VALID_PERCENT"}) {
    if (const auto node = FindMember(attributes, name)) read(name, *node);
  }
  for (const auto& [name, node] : attributes.GetMembers()) {
    if (IsStatistic(name) && !statistics.FetchNameValue(name.c_str())) read(name, node);
  }
  return statistics;
}

CPLStringList ReadCategoryNames(const JsonNode& attributes) {
  CPLStringList names;
  const auto meanings = FindMember(attributes, "flag_meanings");
  if (!meanings || !meanings->IsString()) return names;
  const CPLStringList words(CSLTokenizeString2(meanings->AsString().c_str(), " ", 0));
  const std::vector<std::size_t> numbers = ReadFlagNumbers(attributes);
  if (numbers.empty() || numbers.size() != static_cast<std::size_t>(words.size())) return names;
  std::vector<const char*> by_value(*std::max_element(numbers.begin(), numbers.end()) + 1, "");
  for (std::size_t i = 0; i < numbers.size(); ++i) by_value[numbers[i]] = words[static_cast<int>(i)];
  for (const char* name : by_value) names.AddString(name);
  return names;
}

}  // namespace gdal_zarr
