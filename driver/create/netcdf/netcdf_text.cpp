// SPDX-License-Identifier: MIT
#include "driver/create/netcdf/netcdf_text.h"

#include <algorithm>
#include <cmath>
#include <iterator>

#include "driver/gdal/text.h"
#include "driver/multidim/attribute.h"
#include "zarrlib/base/text.h"

namespace gdal_zarr {
namespace {

using zarr::JsonNode;

/// Attributes whose text is never a number.
constexpr std::string_view kTexts[] = {"standard_name", "long_name", "units",   "calendar",
                                       "axis",          "positive",  "comment", "description"};

/// Returns true for the text that GDAL's formats make of a number: it writes 8 digits of a float, and at least 15 of a
/// double.
bool IsTextOf(double value, const std::string& text) {
  constexpr int kMost = 17;
  const auto number = zarr::ParseNumber<double>(text);
  if (!number || std::isnan(value)) return number && std::isnan(*number);
  for (int digits = 8; digits <= kMost; ++digits) {
    if (zarr::ParseNumber<double>(CPLSPrintf("%.*g", digits, value)) == number) return true;
  }
  return false;
}

}  // namespace

std::pair<std::string_view, std::string_view> SplitItem(std::string_view item) {
  const std::size_t equal = item.find('=');
  if (equal == std::string_view::npos) return {item, {}};
  return {item.substr(0, equal), item.substr(equal + 1)};
}

std::string_view GetVariable(std::string_view name) {
  const std::size_t hash = name.find('#');
  return name.substr(0, hash == std::string_view::npos ? 0 : hash);
}

std::string GetAttributeItem(const CPLStringList& items, const std::string& variable, const char* attribute) {
  return items.FetchNameValueDef((variable + "#" + attribute).c_str(), "");
}

std::string FindGroup(const CPLStringList& items, const std::string& variable) {
  std::string group;
  for (int i = 0; i < items.size(); ++i) {
    const std::string_view name = GetVariable(SplitItem(items[i]).first);
    if (name == variable) return "";
    if (!name.starts_with('/') || !name.ends_with("/" + variable)) continue;
    const std::string_view found = name.substr(0, name.size() - variable.size());
    if (!group.empty() && group != found) return "";
    group = found;
  }
  return group;
}

CPLStringList ShowWithin(const CPLStringList& items, const std::string& group) {
  CPLStringList shown;
  for (int i = 0; i < items.size(); ++i) {
    const auto [name, value] = SplitItem(items[i]);
    const std::string_view variable = GetVariable(name);
    const std::string_view above = variable.substr(0, variable.rfind('/') + 1);
    const std::string own(name.substr(above.size()));
    const bool is_within = !above.empty() && group.starts_with(above) && !variable.ends_with("/NC_GLOBAL");
    const bool is_other = !is_within || items.FetchNameValue(own.c_str());
    shown.AddNameValue(is_other ? std::string(name).c_str() : own.c_str(), std::string(value).c_str());
  }
  return shown;
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
           return item.IsInteger() ? item.Dump() == other : IsTextOf(item.AsDouble(), other);
         });
}

JsonNode ParseValue(std::string_view attribute, const std::string& text) {
  JsonNode string = JsonNode::MakeString(text);
  if (text.empty() || std::ranges::find(kTexts, attribute) != std::end(kTexts)) return string;
  std::vector<JsonNode> numbers;
  for (const std::string& item : SplitList(text)) {
    const auto number = zarr::ParseNumber<double>(item);
    if (!number || !IsPrintedNumber(item)) return string;
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
