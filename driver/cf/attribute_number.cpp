// SPDX-License-Identifier: MIT
#include "driver/cf/attribute_number.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <string_view>

#include "zarrlib/base/text.h"

namespace gdal_zarr {
namespace {

using zarr::JsonNode;

constexpr std::string_view kSpaces = " \t\r\n";

std::string_view Trim(std::string_view text) {
  const std::size_t first = text.find_first_not_of(kSpaces);
  return first == std::string_view::npos ? "" : text.substr(first, text.find_last_not_of(kSpaces) - first + 1);
}

std::optional<JsonNode> ParseNumberText(std::string_view text, const JsonNode& place) {
  text = Trim(text);
  if (text.starts_with('+') && !text.starts_with("+-")) text.remove_prefix(1);
  if (const auto number = zarr::ParseNumber<std::int64_t>(text)) return JsonNode::MakeInteger(*number, place);
  if (const auto number = zarr::ParseNumber<std::uint64_t>(text)) return JsonNode::MakeUnsigned(*number, place);
  if (const auto number = zarr::ParseNumber<double>(text)) return JsonNode::MakeFloat(*number, place);
  return std::nullopt;
}

std::optional<std::vector<double>> ParseNumberTexts(const JsonNode& node) {
  constexpr std::string_view kOpen = "[({";
  constexpr std::string_view kClose = "])}";
  std::string_view text = Trim(node.AsString());
  const std::size_t bracket = text.empty() ? std::string_view::npos : kOpen.find(text.front());
  if (bracket != std::string_view::npos && text.back() == kClose[bracket]) text = text.substr(1, text.size() - 2);
  std::vector<double> numbers;
  constexpr std::string_view kSeparators = " \t\r\n,";
  for (std::size_t end = 0;;) {
    const std::size_t begin = text.find_first_not_of(kSeparators, end);
    if (begin == std::string_view::npos) break;
    end = std::min(text.find_first_of(kSeparators, begin), text.size());
    const auto number = ParseNumberText(text.substr(begin, end - begin), node);
    if (!number) return std::nullopt;
    numbers.push_back(number->AsDouble());
  }
  return numbers.empty() ? std::nullopt : std::optional(numbers);
}

}  // namespace

std::optional<JsonNode> FindNumber(const JsonNode& node) {
  if (node.IsNumber()) return node;
  if (node.IsString()) return ParseNumberText(node.AsString(), node);
  if (node.IsArray() && node.size() == 1 && !node[0].IsArray()) return FindNumber(node[0]);
  return std::nullopt;
}

std::optional<double> ReadNumber(const JsonNode& node) {
  const auto number = FindNumber(node);
  return number ? std::optional(number->AsDouble()) : std::nullopt;
}

std::optional<std::vector<double>> ReadNumberList(const JsonNode& node) {
  if (node.IsString()) return ParseNumberTexts(node);
  if (!node.IsArray()) return node.IsNumber() ? std::optional(std::vector{node.AsDouble()}) : std::nullopt;
  if (node.size() == 1 && node[0].IsString()) return ParseNumberTexts(node[0]);
  std::vector<double> numbers;
  for (const JsonNode& item : node.GetItems()) {
    const auto number = item.IsArray() ? std::nullopt : ReadNumber(item);
    if (!number) return std::nullopt;
    numbers.push_back(*number);
  }
  return numbers;
}

JsonNode MakeFiniteNumber(const char* attribute, double value) {
  if (std::isfinite(value)) return JsonNode::MakeFloat(value);
  throw zarr::Error(zarr::ErrorKind::kInvalidArgument,
                    std::string(attribute) + ": " + zarr::FormatExpectedGot("a finite number", std::to_string(value)));
}

}  // namespace gdal_zarr
