// SPDX-License-Identifier: MIT
#include "zarrlib/metadata/near_valid.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <optional>
#include <string_view>
#include <utility>

#include "zarrlib/base/error.h"
#include "zarrlib/base/text.h"
#include "zarrlib/json/json_edit.h"
#include "zarrlib/metadata/fill_value.h"

namespace zarr {
namespace {

using Kind = DataType::Kind;
using Warnings = std::vector<std::string>;

/// A value in the specification's form; nullopt if it already has that form, or cannot be corrected.
using Correction = std::optional<JsonNode>;

void Warn(const JsonNode& node, std::string_view expected, const JsonNode& taken, Warnings* warnings) {
  warnings->push_back(node.pointer() + ": " + FormatExpectedGot(expected, node.GetExcerpt()) + "; taken as " +
                      taken.GetExcerpt());
}

/// Corrects an integer that is written as a float or as text.
Correction CorrectLength(const JsonNode& node) {
  if (node.IsString()) {
    const auto value = ParseNumber<std::uint64_t>(node.AsString());
    return value ? Correction(JsonNode::MakeUnsigned(*value, node)) : std::nullopt;
  }
  if (node.type() != JsonNode::Type::kFloat) return std::nullopt;
  const double value = node.AsDouble();
  const bool is_length = value >= 0 && value < 0x1p53 && value == std::floor(value);
  return is_length ? Correction(JsonNode::MakeUnsigned(static_cast<std::uint64_t>(value), node)) : std::nullopt;
}

/// Corrects a list of lengths, or a bare length for a single dimension.
Correction CorrectLengths(const JsonNode& node) {
  if (node.IsInteger()) return JsonNode::MakeArray({node}, node);
  if (!node.IsArray()) return std::nullopt;
  std::vector<JsonNode> items = node.GetItems();
  bool changed = false;
  for (JsonNode& item : items) {
    if (auto length = CorrectLength(item)) {
      item = *std::move(length);
      changed = true;
    }
  }
  return changed ? Correction(JsonNode::MakeArray(items, node)) : std::nullopt;
}

Correction CorrectOrder(const JsonNode& node) {
  if (node.IsNull() || (node.IsString() && node.AsString() == "c")) return JsonNode::MakeString("C", node);
  return node.IsString() && node.AsString() == "f" ? Correction(JsonNode::MakeString("F", node)) : std::nullopt;
}

Correction CorrectSeparator(const JsonNode& node) {
  return node.IsString() && node.AsString().empty() ? Correction(JsonNode::MakeString(".", node)) : std::nullopt;
}

/// NumPy's names of types, which do not include a byte order: the native order is meant, which is little-endian on the
/// computers that write stores.
struct NumpyName {
  std::string_view name;
  std::string_view typestr;
};
constexpr std::array kNumpyNames = std::to_array<NumpyName>({
    {"bool", "|b1"},
    {"int8", "|i1"},
    {"int16", "<i2"},
    {"int32", "<i4"},
    {"int64", "<i8"},
    {"uint8", "|u1"},
    {"uint16", "<u2"},
    {"uint32", "<u4"},
    {"uint64", "<u8"},
    {"float16", "<f2"},
    {"float32", "<f4"},
    {"float64", "<f8"},
    {"complex64", "<c8"},
    {"complex128", "<c16"},
    {"?", "|b1"},
    {"b1", "|b1"},
    {"i1", "|i1"},
    {"u1", "|u1"},
});

/// Corrects a type given by its name, or without a byte order, such as "float32", "f4", "U5".
Correction CorrectTypestr(const JsonNode& node) {
  if (!node.IsString()) return std::nullopt;
  const std::string& text = node.AsString();
  const auto* const named =
      std::find_if(kNumpyNames.begin(), kNumpyNames.end(), [&](const NumpyName& name) { return name.name == text; });
  if (named != kNumpyNames.end()) return JsonNode::MakeString(named->typestr, node);
  constexpr std::string_view kWithoutOrder = "iufcMmSU";
  const bool has_digits = text.size() > 1 && std::string_view("0123456789").find(text[1]) != std::string_view::npos;
  if (!has_digits || kWithoutOrder.find(text[0]) == std::string_view::npos) return std::nullopt;
  return JsonNode::MakeString((text[0] == 'S' ? "|" : "<") + text, node);
}

/// A member of a document, and how it is corrected.
struct MemberRule {
  std::string_view name;
  std::string_view expected;
  Correction (*correct)(const JsonNode& value);
  const char* missing = nullptr;  ///< The JSON text used if the member is missing.
};

constexpr std::string_view kLengths = "a list of integers";

constexpr MemberRule kRulesOfV2[] = {
    {"shape", kLengths, CorrectLengths},
    {"chunks", kLengths, CorrectLengths},
    {"dtype", "a NumPy type string such as \"<f4\"", CorrectTypestr},
    {"order", "\"C\" or \"F\"", CorrectOrder, "\"C\""},
    {"fill_value", "a value or null", nullptr, "null"},
    {"compressor", "an object or null", nullptr, "null"},
    {"dimension_separator", "\".\" or \"/\"", CorrectSeparator},
};
constexpr MemberRule kRulesOfV3[] = {{"shape", kLengths, CorrectLengths}};
constexpr MemberRule kRulesOfRegularGrid[] = {{"chunk_shape", kLengths, CorrectLengths}};

JsonNode CorrectMembers(JsonNode document, std::span<const MemberRule> rules, Warnings* warnings) {
  for (const MemberRule& rule : rules) {
    const auto value = document.Find(rule.name);
    if (!value && rule.missing) {
      warnings->push_back(document.pointer() + "/" + std::string(rule.name) + ": missing; taken as " + rule.missing);
    }
    const Correction correct = value && rule.correct ? rule.correct(*value) : std::nullopt;
    if (!correct) continue;
    Warn(*value, rule.expected, *correct, warnings);
    document = CopyWithMember(document, rule.name, *correct);
  }
  return document;
}

JsonNode CorrectRegularGrid(const JsonNode& zarr_json, Warnings* warnings) {
  const auto grid = zarr_json.Find("chunk_grid");
  const auto name = grid ? FindMember(*grid, "name") : std::nullopt;
  const auto configuration = grid ? FindMember(*grid, "configuration") : std::nullopt;
  if (!name || *name != JsonNode::MakeString("regular") || !configuration || !configuration->IsObject())
    return zarr_json;
  const std::size_t before = warnings->size();
  const JsonNode correct = CorrectMembers(*configuration, kRulesOfRegularGrid, warnings);
  if (warnings->size() == before) return zarr_json;
  return CopyWithMember(zarr_json, "chunk_grid", CopyWithMember(*grid, "configuration", correct));
}

// --- fill values ---------------------------------------------------------------------------------------------------

Correction CorrectBoolean(const JsonNode& node) {
  const bool is_bit = node.IsNumber() && (node.AsDouble() == 0 || node.AsDouble() == 1);
  return is_bit ? Correction(JsonNode::MakeBoolean(node.AsDouble() == 1, node)) : std::nullopt;
}

Correction CorrectInteger(const JsonNode& node) {
  if (node.IsBoolean()) return JsonNode::MakeInteger(node.AsBoolean() ? 1 : 0, node);
  if (!node.IsString()) return std::nullopt;
  if (const auto value = ParseNumber<std::int64_t>(node.AsString())) return JsonNode::MakeInteger(*value, node);
  const auto value = ParseNumber<std::uint64_t>(node.AsString());
  return value ? Correction(JsonNode::MakeUnsigned(*value, node)) : std::nullopt;
}

/// Parses text that Python accepts as a float.
std::optional<double> ParseFloatText(std::string_view text) {
  if (text.starts_with('+')) text.remove_prefix(1);
  if (text.starts_with('+') || text.find('(') != std::string_view::npos) return std::nullopt;
  return ParseNumber<double>(text);
}

Correction CorrectFloat(const JsonNode& node, const DataType& type) {
  if (node.IsBoolean()) return JsonNode::MakeFloat(node.AsBoolean() ? 1 : 0, node);
  constexpr std::string_view kOfSpecification[] = {"NaN", "Infinity", "+Infinity", "-Infinity"};
  const bool is_known = node.IsString() && std::find(std::begin(kOfSpecification), std::end(kOfSpecification),
                                                     node.AsString()) != std::end(kOfSpecification);
  if (is_known || (!node.IsString() && !node.IsNumber())) return std::nullopt;
  const auto value = node.IsString() ? ParseFloatText(node.AsString()) : std::optional(node.AsDouble());
  if (!value) return std::nullopt;
  const bool is_beyond = std::isfinite(*value) && std::isinf(RoundToFloat(type, *value));
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  if (is_beyond) return JsonNode::MakeFloat(std::copysign(kInfinity, *value), node);
  return node.IsString() ? Correction(JsonNode::MakeFloat(*value, node)) : std::nullopt;
}

}  // namespace

bool HasFormat(const JsonNode& document, int version) {
  const JsonNode format = document.At("zarr_format");
  if (format.IsString()) return format.AsString() == std::to_string(version);
  return format.IsNumber() && format.AsDouble() == version;
}

JsonNode CorrectFormat(const JsonNode& document, int version, std::vector<std::string>* warnings) {
  if (!document.IsObject() || !document.Has("zarr_format") || !HasFormat(document, version)) return document;
  const JsonNode format = document.At("zarr_format");
  if (format.IsInteger()) return document;
  const JsonNode correct = JsonNode::MakeInteger(version, format);
  Warn(format, std::to_string(version), correct, warnings);
  return CopyWithMember(document, "zarr_format", correct);
}

JsonNode CorrectArrayV2(const JsonNode& zarray, std::vector<std::string>* warnings) {
  if (!zarray.IsObject()) return zarray;
  return CorrectMembers(CorrectFormat(zarray, 2, warnings), kRulesOfV2, warnings);
}

JsonNode CorrectArrayV3(const JsonNode& zarr_json, std::vector<std::string>* warnings) {
  if (!zarr_json.IsObject()) return zarr_json;
  return CorrectRegularGrid(CorrectMembers(CorrectFormat(zarr_json, 3, warnings), kRulesOfV3, warnings), warnings);
}

JsonNode CorrectFillValue(const JsonNode& node, const DataType& type, std::vector<std::string>* warnings) {
  Correction correct;
  std::string expected = "a number";
  switch (type.kind) {
    case Kind::kBool:
      if (!node.IsBoolean()) correct = CorrectBoolean(node);
      expected = "true or false";
      break;
    case Kind::kInt:
    case Kind::kUint:
      correct = CorrectInteger(node);
      break;
    case Kind::kFloat:
    case Kind::kBfloat16:
    case Kind::kSmallFloat:
      correct = CorrectFloat(node, type);
      if (node.IsNumber()) expected = "a number in the range of " + type.name;
      break;
    default:
      break;
  }
  if (!correct) return node;
  Warn(node, expected, *correct, warnings);
  return *correct;
}

}  // namespace zarr
