// SPDX-License-Identifier: MIT
#include "driver/raster/band_attributes.h"

#include <algorithm>
#include <array>
#include <vector>

#include "driver/cf/value_attributes.h"
#include "driver/dataset/attribute_names.h"
#include "zarrlib/json/json_edit.h"

namespace gdal_zarr {
namespace {

using zarr::JsonNode;

constexpr std::string_view kMetadata = "metadata";

/// Returns the items of a list, filled up with nulls to the number of bands.
std::vector<JsonNode> SplitItems(const JsonNode& attributes, std::string_view name, std::size_t band_count) {
  std::vector<JsonNode> items(band_count);
  const auto list = FindMember(attributes, name);
  if (!list) return items;
  if (!list->IsArray()) {
    if (band_count == 1) items[0] = *list;
    return items;
  }
  for (std::size_t i = 0; i < std::min(band_count, list->size()); ++i) items[i] = (*list)[i];
  return items;
}

bool AreAllNull(const std::vector<JsonNode>& items) {
  return std::all_of(items.begin(), items.end(), [](const JsonNode& item) { return item.IsNull(); });
}

JsonNode WithStatistic(const JsonNode& attributes, std::size_t band, std::size_t band_count, const std::string& name,
                       const char* value) {
  std::vector<JsonNode> items = SplitItems(attributes, name, band_count);
  if (value ? FormatStatistic(items[band]) == value : items[band].IsNull()) return attributes;
  items[band] = value ? MakeStatistic(value) : JsonNode();
  if (AreAllNull(items)) return CopyWithoutMember(attributes, name);
  return CopyWithMember(attributes, name, band_count == 1 ? items[0] : JsonNode::MakeArray(items));
}

JsonNode WithItem(const JsonNode& attributes, std::size_t band, std::size_t band_count, const std::string& name,
                  const char* value) {
  const JsonNode before = FindBandItem(attributes, band, kMetadata).value_or(JsonNode::MakeObject({}));
  const auto known = FindMember(before, name);
  if (value ? known == std::optional(JsonNode::MakeString(value)) : !known) return attributes;
  const JsonNode after =
      value ? CopyWithMember(before, name, JsonNode::MakeString(value)) : CopyWithoutMember(before, name);
  return WithBandItem(attributes, band, band_count, kMetadata, after.size() > 0 ? std::optional(after) : std::nullopt);
}

}  // namespace

JsonNode PickBandAttributes(const JsonNode& attributes) {
  constexpr std::array<std::string_view, 11> kNames = {kBandsAttribute,      kColorInterpretationAttribute,
                                                       kColorTableAttribute, "flag_values",
                                                       "flag_masks",         "flag_meanings",
                                                       "flag_colors",        "actual_range",
                                                       "valid_range",        "valid_min",
                                                       "valid_max"};
  zarr::JsonMembers picked;
  if (!attributes.IsObject()) return JsonNode::MakeObject({});
  for (auto& [name, value] : attributes.GetMembers()) {
    const bool is_asked_for = IsStatistic(name) || std::ranges::find(kNames, name) != kNames.end();
    if (is_asked_for) picked.emplace_back(name, value);
  }
  return JsonNode::MakeObject(picked, attributes);
}

std::optional<JsonNode> FindBandItem(const JsonNode& attributes, std::size_t band, std::string_view member) {
  const auto list = FindMember(attributes, kBandsAttribute);
  if (!list || !list->IsArray() || band >= list->size() || !(*list)[band].IsObject()) return std::nullopt;
  return (*list)[band].Find(member);
}

JsonNode WithBandItem(const JsonNode& attributes, std::size_t band, std::size_t band_count, std::string_view member,
                      const std::optional<JsonNode>& value) {
  std::vector<JsonNode> items = SplitItems(attributes, kBandsAttribute, band_count);
  for (JsonNode& item : items) {
    if (!item.IsObject()) item = JsonNode::MakeObject({});
  }
  items[band] = value ? CopyWithMember(items[band], member, *value) : CopyWithoutMember(items[band], member);
  const bool empty = std::all_of(items.begin(), items.end(), [](const JsonNode& item) { return item.size() == 0; });
  return empty ? CopyWithoutMember(attributes, kBandsAttribute)
               : CopyWithMember(attributes, kBandsAttribute, JsonNode::MakeArray(items));
}

CPLStringList GetBandMetadata(const JsonNode& attributes, std::size_t band) {
  CPLStringList metadata;
  const auto members = FindBandItem(attributes, band, kMetadata);
  if (!members || !members->IsObject()) return metadata;
  for (const auto& [name, value] : members->GetMembers()) {
    if (value.IsString()) metadata.AddNameValue(name.c_str(), value.AsString().c_str());
  }
  return metadata;
}

JsonNode WithBandMetadata(const JsonNode& attributes, std::size_t band, std::size_t band_count, const std::string& name,
                          const char* value) {
  if (!IsStatistic(name)) return WithItem(attributes, band, band_count, name, value);
  // Text that is no number is an item like others.
  const bool is_number = value && CPLGetValueType(value) != CPL_VALUE_STRING;
  return WithItem(WithStatistic(attributes, band, band_count, name, is_number ? value : nullptr), band, band_count,
                  name, is_number ? nullptr : value);
}

CPLStringList ReadCategories(const JsonNode& attributes, std::size_t band, bool is_integer) {
  const auto own = FindBandItem(attributes, band, "category_names");
  if (!own) return is_integer ? ReadCategoryNames(attributes) : CPLStringList();
  CPLStringList names;
  for (std::size_t i = 0; own->IsArray() && i < own->size(); ++i) {
    names.AddString((*own)[i].IsString() ? (*own)[i].AsString().c_str() : "");
  }
  return names;
}

std::string GetColorInterpretationName(const JsonNode& attributes, std::size_t band) {
  const auto names = FindMember(attributes, kColorInterpretationAttribute);
  if (!names) return "";
  if (names->IsString()) return names->AsString();
  if (!names->IsArray() || band >= names->size() || !(*names)[band].IsString()) return "";
  return (*names)[band].AsString();
}

JsonNode WithColorInterpretations(const JsonNode& attributes, const std::vector<std::string>& names) {
  bool any = false;
  std::vector<JsonNode> nodes;
  for (const std::string& name : names) {
    const GDALColorInterp of_band = GDALGetColorInterpretationByName(name.c_str());
    any = any || of_band != GCI_Undefined;
    nodes.push_back(JsonNode::MakeString(GDALGetColorInterpretationName(of_band)));
  }
  if (!any) return CopyWithoutMember(attributes, kColorInterpretationAttribute);
  return CopyWithMember(attributes, kColorInterpretationAttribute,
                        nodes.size() == 1 ? nodes[0] : JsonNode::MakeArray(nodes));
}

bool IsReservedAttribute(std::string_view name) {
  constexpr std::array kNames = {kCrsAttribute,         kGeoTransformAttribute, kBandsAttribute,
                                 kConventionsAttribute, kGridMappingAttribute,  kCoordinatesAttribute,
                                 kFillValueAttribute,   kMissingValueAttribute, kScaleAttribute,
                                 kOffsetAttribute,      kMultiscalesAttribute,  kColorInterpretationAttribute,
                                 kColorTableAttribute};
  return name.starts_with("proj:") || name.starts_with("spatial:") || IsStatistic(name) ||
         std::find(kNames.begin(), kNames.end(), name) != kNames.end();
}

}  // namespace gdal_zarr
