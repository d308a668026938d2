// SPDX-License-Identifier: MIT
// The CF attributes that define the meaning of an array's values.
#include <algorithm>
#include <cmath>
#include <string_view>

#include "zarrlib/base/base64.h"
#include "zarrlib/tools/check/conventions/conventions.h"

namespace zarr::tools {
namespace {

/// Returns true if an integer, or a number without a fraction, fits into `bits` bits.
bool FitsInteger(const JsonNode& value, unsigned bits, bool is_signed) {
  if (!value.IsNumber()) return false;
  const unsigned digits = bits - (is_signed ? 1 : 0);
  if (!value.IsInteger()) {
    const double number = value.AsDouble();
    const double high = std::ldexp(1.0, static_cast<int>(digits));
    return number == std::floor(number) && number < high && number >= (is_signed ? -high : 0);
  }
  if (value.type() == JsonNode::Type::kInteger && value.AsInt64() < 0) {
    return is_signed && value.AsInt64() >= -(std::int64_t{1} << (digits - 1)) * 2;
  }
  return digits >= 64 || value.AsUint64() >> digits == 0;
}

/// Returns true if a string is the base64 encoding of one value: xarray stores the fill value of v3's floats in this
/// form, as a double.
bool IsEncodedValue(const std::string& text, std::size_t size) {
  const auto bytes = DecodeBase64(text);
  return bytes && (bytes->size() == size || bytes->size() == sizeof(double));
}

bool IsFloatValue(const JsonNode& value, std::size_t size) {
  if (value.IsNumber()) return true;
  if (!value.IsString()) return false;
  const std::string& text = value.AsString();
  return text == "NaN" || text == "Infinity" || text == "-Infinity" || IsEncodedValue(text, size);
}

/// Returns true if a value in attributes can be a value of the array; true for unknown types.
bool IsValueOf(const DataType& type, bool has_unsigned, const JsonNode& value) {
  using Kind = DataType::Kind;
  const unsigned bits = type.bits > 0 ? type.bits : static_cast<unsigned>(8 * type.size);
  switch (type.kind) {
    case Kind::kBool:
      return value.IsBoolean() || FitsInteger(value, 1, false);
    case Kind::kInt:
    case Kind::kUint:
      return FitsInteger(value, bits, type.kind == Kind::kInt) ||
             (has_unsigned && FitsInteger(value, bits, type.kind != Kind::kInt));
    case Kind::kFloat:
      return IsFloatValue(value, type.size);
    case Kind::kString:
    case Kind::kFixedUtf32:
    case Kind::kFixedBytes:
      return value.IsString();
    default:
      return true;
  }
}

void CheckValues(const ConventionNode& node, const char* name, const Rule& rule) {
  const auto attribute = node.Find(name);
  if (!attribute) return;
  const DataType& type = node.array->data_type();
  const std::vector<JsonNode> values = attribute->IsArray() ? attribute->GetItems() : std::vector<JsonNode>{*attribute};
  const bool has_unsigned = node.Find("_Unsigned").has_value();
  for (const JsonNode& value : values) {
    if (IsValueOf(type, has_unsigned, value)) continue;
    node.Report(rule, value, FormatExpectedGot("a value of the type " + type.name, value.GetExcerpt()));
  }
}

bool IsFinite(const JsonNode& value) {
  return value.IsNumber() && std::isfinite(value.AsDouble());
}

void CheckRange(const ConventionNode& node) {
  const Rule& rule = ConventionRule("cf-valid-range");
  const auto range = node.Find("valid_range");
  if (range && !(range->IsArray() && range->size() == 2 && (*range)[0].IsNumber() && (*range)[1].IsNumber() &&
                 (*range)[0].AsDouble() <= (*range)[1].AsDouble())) {
    node.Report(rule, *range, FormatExpectedGot("two numbers in ascending order", range->GetExcerpt()));
  }
  const auto low = node.Find("valid_min");
  const auto high = node.Find("valid_max");
  for (const auto& limit : {low, high}) {
    if (limit && !limit->IsNumber()) node.Report(rule, *limit, FormatExpectedGot("a number", limit->GetExcerpt()));
  }
  if (low && high && low->IsNumber() && high->IsNumber() && low->AsDouble() > high->AsDouble()) {
    node.Report(rule, *low, "valid_min is greater than valid_max");
  }
}

void CheckPacking(const ConventionNode& node) {
  const Rule& rule = ConventionRule("cf-packing");
  const auto factor = node.Find("scale_factor");
  const auto offset = node.Find("add_offset");
  for (const auto& number : {factor, offset}) {
    if (number && !IsFinite(*number))
      node.Report(rule, *number, FormatExpectedGot("a finite number", number->GetExcerpt()));
  }
  if (factor && IsFinite(*factor) && factor->AsDouble() == 0)
    node.Report(rule, *factor, "a factor of 0 makes all values equal");
}

void CheckUnits(const ConventionNode& node) {
  const auto units = node.Find("units");
  if (units && !units->IsString()) {
    node.Report(ConventionRule("cf-units"), *units, FormatExpectedGot("a text", units->GetExcerpt()));
  } else if (units && units->AsString().find(" since ") != std::string::npos && !IsTimeUnit(units->AsString())) {
    node.Report(ConventionRule("cf-time-units"), *units,
                FormatExpectedGot("a unit such as \"days since 2000-01-01\"", units->GetExcerpt()));
  }
  const auto calendar = node.Find("calendar");
  if (!calendar) return;
  constexpr std::string_view kCalendars[] = {"standard", "gregorian", "proleptic_gregorian",
                                             "julian",   "noleap",    "365_day",
                                             "all_leap", "366_day",   "360_day",
                                             "utc",      "tai",       "none"};
  std::string name = calendar->IsString() ? calendar->AsString() : "";
  std::ranges::transform(name, name.begin(),
                         [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; });
  if (std::ranges::find(kCalendars, name) == std::end(kCalendars)) {
    node.Report(ConventionRule("cf-calendar"), *calendar,
                FormatExpectedGot("a calendar of CF", calendar->GetExcerpt()));
  }
}

}  // namespace

void CheckCfValues(const ConventionNode& node) {
  CheckValues(node, "_FillValue", ConventionRule("cf-fill-value"));
  CheckValues(node, "missing_value", ConventionRule("cf-missing-value"));
  CheckRange(node);
  CheckPacking(node);
  CheckUnits(node);
}

}  // namespace zarr::tools
