// SPDX-License-Identifier: MIT
#include "driver/create/netcdf/netcdf_dimensions.h"

#include <algorithm>
#include <utility>

#include "driver/create/netcdf/netcdf_text.h"
#include "driver/dataset/attribute_names.h"
#include "driver/gdal/text.h"
#include "zarrlib/base/text.h"

namespace gdal_zarr {
namespace {

constexpr std::size_t kMostIndices = 1U << 16;  // of a dimension without coordinates
// Types of the C library.
constexpr const char* kTypeChar = "2";
constexpr const char* kTypeString = "12";

/// Returns the numbers from 1, as GDAL counts indices.
std::vector<std::string> CountTo(std::size_t size) {
  std::vector<std::string> numbers;
  for (std::size_t i = 1; i <= size; ++i) numbers.push_back(std::to_string(i));
  return numbers;
}

}  // namespace

NetcdfDimensions::NetcdfDimensions(const CPLStringList& items, const std::vector<CPLStringList>& band_items)
    : dimensions_(ReadDimensions(items, band_items)) {
  are_understood_ = !dimensions_.empty() || !items.FetchNameValue(kExtraDimensions);
  for (std::size_t band = 0; are_understood_ && band < band_items.size(); ++band) {
    indices_.push_back(FindIndices(band_items, band));
    if (!dimensions_.empty() && indices_.back().empty()) are_understood_ = false;
  }
}

std::optional<NetcdfDimensions::Dimension> NetcdfDimensions::CountDimension(
    const std::vector<CPLStringList>& band_items, const std::string& name) {
  std::size_t size = 0;
  for (const CPLStringList& band : band_items) {
    const auto number = zarr::ParseNumber<std::size_t>(band.FetchNameValueDef((kNetcdfPrefix + name).c_str(), ""));
    if (!number || *number == 0 || *number > kMostIndices) return std::nullopt;
    size = std::max(size, *number);
  }
  return Dimension{name, CountTo(size), "", std::nullopt, Values::kCounted};
}

std::optional<NetcdfDimensions::Dimension> NetcdfDimensions::ReadDimension(const CPLStringList& items,
                                                                           const std::string& name) {
  const std::string item = kNetcdfPrefix + name;
  const char* values = items.FetchNameValue((item + "_VALUES").c_str());
  const std::vector<std::string> definition = SplitList(items.FetchNameValueDef((item + "_DEF").c_str(), ""));
  if (!values || definition.empty()) return std::nullopt;
  Dimension dimension{name, SplitList(values), GetAttributeItem(items, name, kUnitsAttribute), std::nullopt};
  const auto size = zarr::ParseNumber<std::size_t>(definition[0]);
  if (!size || *size == 0) return std::nullopt;
  if (*size != dimension.values.size()) {
    // Strings may contain commas, and characters are not separated.
    const bool is_text = definition.size() > 1 && (definition[1] == kTypeChar || definition[1] == kTypeString);
    if (!is_text || *size > kMostIndices) return std::nullopt;
    return Dimension{name, CountTo(*size), "", std::nullopt, Values::kLost};
  }
  const std::string scale = GetAttributeItem(items, name, kScaleAttribute);
  const std::string offset = GetAttributeItem(items, name, kOffsetAttribute);
  if (!scale.empty() || !offset.empty()) dimension.scale = zarr::ParseNumber<double>(scale).value_or(1);
  dimension.offset = zarr::ParseNumber<double>(offset).value_or(0);
  for (const char* attribute : {kFillValueAttribute, kMissingValueAttribute}) {
    for (std::string& value : SplitList(GetAttributeItem(items, name, attribute))) {
      dimension.missing.push_back(std::move(value));
    }
  }
  if (const auto calendar = ParseCalendar(GetAttributeItem(items, name, "calendar"))) {
    dimension.time_unit = ParseTimeUnit(dimension.unit, *calendar);
  }
  return dimension;
}

std::vector<NetcdfDimensions::Dimension> NetcdfDimensions::ReadDimensions(
    const CPLStringList& items, const std::vector<CPLStringList>& band_items) {
  std::vector<Dimension> dimensions;
  for (const std::string& name : SplitList(items.FetchNameValueDef(kExtraDimensions, ""))) {
    const std::string item = kNetcdfPrefix + name;
    const bool is_described =
        items.FetchNameValue((item + "_VALUES").c_str()) || items.FetchNameValue((item + "_DEF").c_str());
    auto dimension = is_described ? ReadDimension(items, name) : CountDimension(band_items, name);
    if (!dimension) return {};
    dimensions.push_back(std::move(*dimension));
  }
  return dimensions;
}

bool NetcdfDimensions::AgreesWithBand(const std::vector<std::size_t>& indices, const CPLStringList& band) const {
  for (std::size_t i = 0; i < dimensions_.size(); ++i) {
    const char* value = band.FetchNameValue((kNetcdfPrefix + dimensions_[i].name).c_str());
    // GDAL does not give text in bands.
    if (value && *value && !IsSameValue(value, dimensions_[i].values[indices[i]])) return false;
  }
  return true;
}

std::vector<std::size_t> NetcdfDimensions::FindIndices(const std::vector<CPLStringList>& band_items,
                                                       std::size_t band) const {
  std::vector<std::size_t> indices(dimensions_.size());
  std::size_t rest = band;
  std::size_t count = 1;
  for (std::size_t i = dimensions_.size(); i-- > 0;) {
    const std::size_t size = dimensions_[i].values.size();
    indices[i] = rest % size;
    rest /= size;
    count *= size;
  }
  if (count == band_items.size() && AgreesWithBand(indices, band_items[band])) return indices;
  // The bands may be a subset of the variable's bands.
  for (std::size_t i = 0; i < dimensions_.size(); ++i) {
    const char* value = band_items[band].FetchNameValue((kNetcdfPrefix + dimensions_[i].name).c_str());
    const auto& values = dimensions_[i].values;
    const auto found = std::ranges::find_if(values, [&](const auto& v) { return value && IsSameValue(value, v); });
    if (found == values.end()) return {};
    indices[i] = static_cast<std::size_t>(found - values.begin());
  }
  return indices;
}

bool NetcdfDimensions::HasCoordinates(std::string_view name) const {
  const auto found = std::ranges::find(dimensions_, name, &Dimension::name);
  return found != dimensions_.end() && found->kind == Values::kCoordinates;
}

bool NetcdfDimensions::ArePacked(std::string_view name) const {
  const auto found = std::ranges::find(dimensions_, name, &Dimension::name);
  return found != dimensions_.end() && found->scale;
}

/// Returns a coordinate as it is meant: unpacked, and "nan" if it is missing.
std::string NetcdfDimensions::FindMeaning(const Dimension& dimension, const std::string& value) {
  const auto number = zarr::ParseNumber<double>(value);
  if (!number) return value;
  if (std::ranges::any_of(dimension.missing, [&](const auto& missing) { return IsSameValue(value, missing); })) {
    return "nan";
  }
  return dimension.scale ? FormatNumber(*number * *dimension.scale + dimension.offset) : value;
}

std::vector<std::string> NetcdfDimensions::ListLost() const {
  std::vector<std::string> names;
  for (const Dimension& dimension : dimensions_) {
    if (dimension.kind == Values::kLost) names.push_back(dimension.name);
  }
  return names;
}

void NetcdfDimensions::AddPosition(std::size_t band, CPLStringList* items) const {
  for (std::size_t i = 0; i < dimensions_.size(); ++i) {
    const Dimension& dimension = dimensions_[i];
    const std::string value = FindMeaning(dimension, dimension.values[indices_[band][i]]);
    const std::string start = "DIM_" + dimension.name;
    items->SetNameValue((start + "_INDEX").c_str(), std::to_string(indices_[band][i]).c_str());
    if (dimension.kind != Values::kCoordinates) continue;
    items->SetNameValue((start + "_VALUE").c_str(), value.c_str());
    if (!dimension.unit.empty()) items->SetNameValue((start + "_UNIT").c_str(), dimension.unit.c_str());
    const auto time = dimension.time_unit ? FormatCfTime(value, *dimension.time_unit) : std::nullopt;
    if (time) items->SetNameValue((start + "_ISO8601").c_str(), time->c_str());
  }
}

}  // namespace gdal_zarr
