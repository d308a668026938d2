// SPDX-License-Identifier: MIT
#include "driver/raster/band_attributes.h"

#include <algorithm>
#include <array>
#include <span>
#include <vector>

#include "driver/cf/value_attributes.h"
#include "driver/dataset/attribute_names.h"
#include "driver/gdal/text.h"
#include "zarrlib/hierarchy/stale_regions.h"
#include "zarrlib/json/json_edit.h"

namespace gdal_zarr {
namespace {

using zarr::JsonNode;

/// Normalizes a name to GDAL's spelling; unknown names become "Undefined".
JsonNode MakeColorName(const std::string& name) {
  return JsonNode::MakeString(GDALGetColorInterpretationName(GDALGetColorInterpretationByName(name.c_str())));
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

void SetBandItem(zarr::JsonChanges* changes, const BandPlace& place, const std::string& member,
                 const std::optional<JsonNode>& value) {
  const zarr::JsonListForm form{.size = place.count, .blank = JsonNode::MakeObject({})};
  changes->SetItem(kBandsAttribute, form, place.band, std::span(&member, 1), value);
}

CPLStringList GetBandMetadata(const std::optional<JsonNode>& item) {
  CPLStringList metadata;
  const auto members = item ? FindMember(*item, kBandMetadata) : std::nullopt;
  if (!members || !members->IsObject()) return metadata;
  for (const auto& [name, value] : members->GetMembers()) {
    if (value.IsString()) metadata.AddNameValue(name.c_str(), value.AsString().c_str());
  }
  return metadata;
}

CPLStringList ReadCategories(const std::optional<JsonNode>& own) {
  CPLStringList names;
  for (std::size_t i = 0; own && own->IsArray() && i < own->size(); ++i) {
    names.AddString((*own)[i].IsString() ? (*own)[i].AsString().c_str() : "");
  }
  return names;
}

bool IsKeptAsStatistic(const std::string& name, const std::string& value) {
  return IsStatistic(name) && CPLGetValueType(value.c_str()) != CPL_VALUE_STRING;
}

void SetBandMetadata(zarr::JsonChanges* changes, const BandPlace& place, const std::string& name,
                     const std::optional<std::string>& value, const std::optional<JsonNode>& statistic) {
  const bool is_statistic = value && IsKeptAsStatistic(name, *value);
  if (IsStatistic(name)) {
    const bool is_same = is_statistic && statistic && FormatStatistic(*statistic) == *value;
    const auto wanted =
        is_statistic && !is_same ? std::optional(MakeStatistic(value->c_str())) : (is_same ? statistic : std::nullopt);
    const zarr::JsonListForm form{.size = place.count, .single_is_bare = true, .is_read_whole = true};
    changes->SetItem(name, form, place.band, {}, wanted);
  }
  const zarr::JsonListForm form{.size = place.count, .blank = JsonNode::MakeObject({})};
  const auto text = value && !is_statistic ? std::optional(JsonNode::MakeString(ToUtf8(*value, name))) : std::nullopt;
  const std::array<std::string, 2> steps = {kBandMetadata, name};
  changes->SetItem(kBandsAttribute, form, place.band, steps, text);
}

void SetColorInterpretationName(zarr::JsonChanges* changes, const BandPlace& place, const std::string& name,
                                const std::vector<std::string>& shown) {
  zarr::JsonListForm form{.size = place.count, .blank = MakeColorName(""), .single_is_bare = true};
  for (const std::string& other : shown) form.fill.push_back(MakeColorName(other));
  changes->SetItem(kColorInterpretationAttribute, form, place.band, {}, JsonNode::MakeString(name));
}

bool IsReservedAttribute(std::string_view name) {
  constexpr std::array kNames = {kCrsAttribute,         kGeoTransformAttribute, kBandsAttribute,
                                 kConventionsAttribute, kGridMappingAttribute,  kCoordinatesAttribute,
                                 kFillValueAttribute,   kMissingValueAttribute, kScaleAttribute,
                                 kOffsetAttribute,      kMultiscalesAttribute,  kColorInterpretationAttribute,
                                 kColorTableAttribute,  kUnsignedAttribute,     zarr::kStaleOverviewsAttribute};
  return name.starts_with("proj:") || name.starts_with("spatial:") || IsStatistic(name) ||
         std::find(kNames.begin(), kNames.end(), name) != kNames.end();
}

}  // namespace gdal_zarr
