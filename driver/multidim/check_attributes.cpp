// SPDX-License-Identifier: MIT
#include "driver/multidim/check_attributes.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "driver/cf/attribute_number.h"
#include "driver/cf/cf_time.h"
#include "driver/cf/color_table.h"
#include "driver/cf/unsigned_attribute.h"
#include "driver/cf/value_attributes.h"
#include "driver/dataset/attribute_names.h"
#include "driver/dataset/unused_attribute.h"
#include "driver/gdal/text.h"
#include "zarrlib/json/json_edit.h"
#include "zarrlib/metadata/document_names.h"

namespace gdal_zarr {
namespace {

using zarr::JsonNode;

/// The array that has the attribute, and all its attributes.
struct Owner {
  const zarr::Array& array;
  const JsonNode& attributes;

  bool is_integer() const {
    const auto kind = array.data_type().kind;
    return kind == zarr::DataType::Kind::kInt || kind == zarr::DataType::Kind::kUint;
  }
};

bool IsNumber(const JsonNode& node, const Owner&) {
  const auto number = ReadNumber(node);
  return number && std::isfinite(*number);
}

bool IsRange(const JsonNode& node, const Owner&) {
  if (node.IsArray() && node.size() == 0) return true;  // an attribute without elements says nothing
  const auto pair = ReadNumberList(node);
  return pair && pair->size() == 2 && std::isfinite((*pair)[0]) && std::isfinite((*pair)[1]) &&
         (*pair)[0] <= (*pair)[1];
}

bool IsRangeOfType(const JsonNode& node, const Owner& owner) {
  return IsRange(ShowNumbers(owner.array, "valid_range", node), owner);
}

bool IsText(const JsonNode& node, const Owner&) {
  return node.IsString();
}

bool IsUnsignedFlag(const JsonNode& node, const Owner& owner) {
  return !owner.is_integer() || FindUnsigned(node).has_value();
}

bool IsCalendar(const JsonNode& node, const Owner& owner) {
  const auto units = FindMember(owner.attributes, kUnitsAttribute);
  const bool is_of_times = units && units->IsString() && units->AsString().find(" since ") != std::string::npos;
  return !is_of_times || (node.IsString() && ParseCalendar(node.AsString()));
}

/// Returns true for a valid unit of time, and for text that is not a unit of time.
bool IsUnit(const JsonNode& node, const Owner& owner) {
  if (!node.IsString()) return false;
  if (ToLower(node.AsString()).find(" since ") == std::string::npos) return true;
  const auto calendar = FindMember(owner.attributes, "calendar");
  const auto known = ParseCalendar(calendar && calendar->IsString() ? calendar->AsString() : "");
  return !known || ParseTimeUnit(node.AsString(), *known);
}

bool IsFlagList(const JsonNode& node, const Owner& owner) {
  return !owner.is_integer() || ReadNumberList(node).has_value();
}

/// Returns true if there are as many names as values.
bool AreMeanings(const JsonNode& node, const Owner& owner) {
  if (!owner.is_integer()) return true;
  if (!node.IsString()) return false;
  auto values = FindMember(owner.attributes, "flag_values");
  if (!values) values = FindMember(owner.attributes, "flag_masks");
  const auto numbers = values ? ReadNumberList(*values) : std::nullopt;
  const CPLStringList words(CSLTokenizeString2(node.AsString().c_str(), " ", 0));
  return !numbers || numbers->size() == static_cast<std::size_t>(words.size());
}

bool AreColors(const JsonNode&, const Owner& owner) {
  return !owner.is_integer() || ReadColorTable(owner.attributes, true).GetColorEntryCount() > 0;
}

bool AreDimensions(const JsonNode& node, const Owner& owner) {
  if (!node.IsArray()) return false;
  if (node.size() == 0) return true;  // NCZarr's scalars have one dimension, which is not in this list
  if (node.size() != owner.array.rank()) return false;
  return std::ranges::all_of(node.GetItems(), [](const JsonNode& item) { return item.IsString() || item.IsNull(); });
}

bool IsInterpretation(const JsonNode& node, const Owner&) {
  const auto items = node.IsArray() ? node.GetItems() : std::vector<JsonNode>{node};
  return std::ranges::all_of(items, [](const JsonNode& item) { return item.IsString(); });
}

bool IsList(const JsonNode& node, const Owner&) {
  return node.IsArray();
}

/// The rule for a valid attribute.
struct Rule {
  std::string_view name;
  std::string_view expected;
  bool (*is_usable)(const JsonNode& value, const Owner& owner);
};

constexpr Rule kRules[] = {
    {kScaleAttribute, "a number", IsNumber},
    {kOffsetAttribute, "a number", IsNumber},
    {"valid_min", "a number", IsNumber},
    {"valid_max", "a number", IsNumber},
    {"valid_range", "two numbers, the lower one first", IsRangeOfType},
    {"actual_range", "two numbers, the lower one first", IsRange},
    {kUnsignedAttribute, "\"true\" or \"false\"", IsUnsignedFlag},
    {kUnitsAttribute, "text, of times a unit and a date", IsUnit},
    {"calendar", "a calendar of CF", IsCalendar},
    {"flag_values", "a list of numbers", IsFlagList},
    {"flag_masks", "a list of numbers", IsFlagList},
    {"flag_meanings", "text with as many words as there are values", AreMeanings},
    {"flag_colors", "as many colours, #rrggbb, as there are values", AreColors},
    {kColorTableAttribute, "a list of colours", AreColors},
    {kColorInterpretationAttribute, "names of colour interpretations", IsInterpretation},
    {kBandsAttribute, "a list with an object per band", IsList},
    {"standard_name", "text", IsText},
    {"axis", "text", IsText},
    {"positive", "text", IsText},
    {kBoundsAttribute, "text", IsText},
    {kCoordinatesAttribute, "text", IsText},
    {zarr::kXarrayDimensions, "a name for each dimension", AreDimensions},
};

/// A copy of an attribute for other programs.
struct Copy {
  std::string_view object;
  std::string_view member;
  const char* attribute;
};

constexpr Copy kCopies[] = {
    {"_eopf_attrs", "scale_factor", kScaleAttribute},
    {"_eopf_attrs", "add_offset", kOffsetAttribute},
    {"raster:bands", "scale", kScaleAttribute},
    {"raster:bands", "offset", kOffsetAttribute},
};

std::optional<JsonNode> FindCopy(const JsonNode& attributes, const Copy& copy) {
  auto object = FindMember(attributes, copy.object);
  if (object && object->IsArray()) object = object->size() == 1 ? std::optional((*object)[0]) : std::nullopt;
  return object ? FindMember(*object, copy.member) : std::nullopt;
}

/// Warns of copies of the scale and the offset that contradict the attributes.
void CompareCopies(SharedResource& resource, const JsonNode& attributes) {
  for (const Copy& copy : kCopies) {
    const auto other = FindCopy(attributes, copy);
    const auto own = other ? FindMember(attributes, copy.attribute) : std::nullopt;
    const auto number = own ? ReadNumber(*own) : std::nullopt;
    const auto copied = number ? ReadNumber(*other) : std::nullopt;
    if (!copied || std::fabs(*copied - *number) <= 1e-7 * std::fabs(*number)) continue;
    resource.WarnOnce(
        FormatContradiction(*other, FormatNumber(*number) + ", as " + copy.attribute + " says", FormatNumber(*copied)));
  }
}

}  // namespace

void CheckAttributes(SharedResource& resource, const zarr::Array& array) {
  const JsonNode& attributes = array.metadata().attributes;
  if (!attributes.IsObject()) return;
  const Owner owner{array, attributes};
  for (const auto& [name, value] : attributes.GetMembers()) {
    if (value.IsNull()) continue;
    const auto rule = std::ranges::find(kRules, name, &Rule::name);
    if (rule == std::end(kRules) || rule->is_usable(value, owner)) continue;
    resource.WarnOnce(FormatUnusable(value, rule->expected));
  }
  CompareCopies(resource, attributes);
}

}  // namespace gdal_zarr
