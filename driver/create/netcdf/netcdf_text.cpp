// SPDX-License-Identifier: MIT
#include "driver/create/netcdf/netcdf_text.h"

#include <algorithm>
#include <cmath>
#include <iterator>

#include "driver/multidim/attribute.h"
#include "zarrlib/base/text.h"

namespace gdal_zarr {
namespace {

using zarr::JsonNode;

/// Attributes whose text is never a number.
constexpr std::string_view kTexts[] = {"standard_name", "long_name", "units",   "calendar",
                                       "axis",          "positive",  "comment", "description"};

}  // namespace

std::pair<std::string_view, std::string_view> SplitItem(std::string_view item) {
  const std::size_t equal = item.find('=');
  if (equal == std::string_view::npos) return {item, {}};
  return {item.substr(0, equal), item.substr(equal + 1)};
}

std::string GetAttributeItem(const CPLStringList& items, const std::string& variable, const char* attribute) {
  return items.FetchNameValueDef((variable + "#" + attribute).c_str(), "");
}

std::vector<std::string> SplitList(std::string text) {
  if (text.starts_with('{') && text.ends_with('}')) text = text.substr(1, text.size() - 2);
  const CPLStringList items(CSLTokenizeString2(text.c_str(), ",", CSLT_ALLOWEMPTYTOKENS));
  return {items.List(), items.List() + items.size()};
}

bool IsSameValue(const std::string& a, const std::string& b) {
  const auto x = zarr::ParseNumber<double>(a);
  const auto y = zarr::ParseNumber<double>(b);
  return a == b || (x && y && *x == *y);
}

bool IsTextOf(const JsonNode& value, const std::string& text) {
  const std::vector<JsonNode> items = value.IsArray() ? value.GetItems() : std::vector{value};
  const std::vector<std::string> texts = SplitList(text);
  return items.size() == texts.size() &&
         std::ranges::equal(items, texts, [](const JsonNode& item, const std::string& other) {
           if (item.IsString()) return item.AsString() == other;
           const auto number = zarr::ParseNumber<double>(other);
           const double own = item.AsDouble();
           return number && (*number == own || (std::isnan(*number) && std::isnan(own)) ||
                             std::fabs(*number - own) <= 1e-6 * std::fabs(own));
         });
}

JsonNode ParseValue(std::string_view attribute, const std::string& text) {
  JsonNode string = JsonNode::MakeString(text);
  if (text.empty() || std::ranges::find(kTexts, attribute) != std::end(kTexts)) return string;
  std::vector<JsonNode> numbers;
  for (const std::string& item : SplitList(text)) {
    const auto number = zarr::ParseNumber<double>(item);
    if (!number) return string;
    const bool is_integer = CPLGetValueType(item.c_str()) == CPL_VALUE_INTEGER;
    numbers.push_back(is_integer ? JsonNode::MakeInteger(CPLAtoGIntBig(item.c_str())) : JsonNode::MakeFloat(*number));
  }
  return text.starts_with('{') ? JsonNode::MakeArray(numbers) : numbers.size() == 1 ? numbers[0] : string;
}

bool HasNegativeNumber(const std::string& text) {
  return std::ranges::any_of(SplitList(text),
                             [](const std::string& item) { return zarr::ParseNumber<double>(item).value_or(0) < 0; });
}

std::string ChangeNumbers(const std::string& text, const std::function<double(double)>& change) {
  std::vector<JsonNode> changed;
  for (const std::string& item : SplitList(text)) {
    const auto number = zarr::ParseNumber<double>(item);
    if (!number) return text;
    changed.push_back(JsonNode::MakeFloat(change(*number)));
  }
  const bool is_list = text.starts_with('{');
  if (changed.empty()) return text;
  return GetAttributeText(*MakeAttribute("", "numbers", is_list ? JsonNode::MakeArray(changed) : changed[0]));
}

std::string ReverseList(const std::string& text) {
  std::vector<std::string> items = SplitList(text);
  std::ranges::reverse(items);
  std::string reversed;
  for (const std::string& item : items) reversed.append(reversed.empty() ? "{" : ",").append(item);
  return reversed + "}";
}

}  // namespace gdal_zarr
