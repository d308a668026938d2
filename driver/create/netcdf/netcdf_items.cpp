// SPDX-License-Identifier: MIT
#include "driver/create/netcdf/netcdf_items.h"

#include <algorithm>
#include <cmath>
#include <set>

#include "driver/cf/unsigned_attribute.h"
#include "driver/cf/value_attributes.h"
#include "driver/create/netcdf/netcdf_text.h"
#include "driver/create/netcdf/unsigned_coordinates.h"
#include "driver/dataset/attribute_names.h"
#include "driver/dataset/shared_resource.h"
#include "driver/gdal/gdal_error.h"
#include "driver/gdal/text.h"
#include "driver/georeferencing/axis_unit.h"
#include "driver/georeferencing/coordinates/axis_words.h"
#include "driver/georeferencing/raster_axes.h"
#include "driver/raster/band_attributes.h"
#include "driver/types/type_map.h"
#include "zarrlib/array/array_writer.h"
#include "zarrlib/base/text.h"
#include "zarrlib/json/json_edit.h"

namespace gdal_zarr {
namespace {

using zarr::JsonNode;

constexpr const char* kVariable = "NETCDF_VARNAME";
/// The transform of rasterio. GDAL may have turned the rows round, and the copy has its own.
constexpr const char* kTransform = "transform";

/// Attributes of coordinates that do not apply to the copy: their targets are not copied, or the copy has its own.
constexpr std::string_view kNotCopied[] = {
    "bounds", "climatology",    "_FillValue",     "missing_value", "CLASS",
    "NAME",   "REFERENCE_LIST", "DIMENSION_LIST", "_Netcdf4Dimid", "_Netcdf4Coordinates"};

/// Returns true for the rows of an affine matrix, perhaps without the last one.
bool IsMatrix(const std::string& text) {
  const std::size_t count = SplitList(text).size();
  return count == 6 || count == 9;
}

/// Reads the latitudes of a raster's rows from the domain that GDAL uses if they are unevenly spaced.
std::vector<double> ReadRowLatitudes(GDALDataset& source, const double (&transform)[6]) {
  const char* values = source.GetMetadataItem("Y_VALUES", "GEOLOCATION2");
  std::vector<double> latitudes;
  for (const std::string& text : values ? SplitList(values) : std::vector<std::string>()) {
    const auto number = zarr::ParseNumber<double>(text);
    if (!number) return {};
    latitudes.push_back(*number);
  }
  if (latitudes.empty() || latitudes.size() != static_cast<std::size_t>(source.GetRasterYSize())) return {};
  const double first = transform[3] + transform[5] / 2;
  if (std::fabs(latitudes.back() - first) < std::fabs(latitudes.front() - first)) std::ranges::reverse(latitudes);
  return latitudes;
}

/// Returns true if a property of the band expresses an attribute of a variable.
bool IsValueOfBand(std::string_view attribute) {
  if (attribute == kUnsignedAttribute) return false;  // only if it is valid, see ReadSign
  return attribute == kUnitsAttribute || (IsReservedAttribute(attribute) && !IsStatistic(attribute));
}

/// Returns true if an array was created through this dataset.
bool IsMadeHere(SharedResource& resource, const std::string& path) {
  const auto made = resource.Change().CreatedSince(0);
  return made && std::ranges::find(*made, path) != made->end();
}

/// Returns true if there are coordinates along a dimension of an array, or along one that stands for it, such as
/// "a_time".
bool HasCoordinates(SharedResource& resource, const zarr::Array& array, const std::string& name) {
  return std::ranges::any_of(array.metadata().dimension_names, [&](const auto& dimension) {
    const bool is_it = dimension == name || dimension == array.path() + "_" + name;
    return is_it && resource.finder().FindArray(*dimension);
  });
}

/// Warns if the coordinates that a copy shares with existing arrays differ from those of its source.
void CompareLatitudes(const zarr::Array& shared, const std::vector<double>& latitudes) {
  std::vector<double> stored(latitudes.size());
  const auto converter = MakeRowConverter(shared.data_type(), GDALExtendedDataType::Create(GDT_Float64));
  shared.Read(zarr::Selection::FromBox({zarr::Shape{0}, shared.shape()}),
              {reinterpret_cast<std::byte*>(stored.data()), zarr::Strides{sizeof(double)}, converter.get()});
  if (std::ranges::equal(stored, latitudes, [](double a, double b) { return std::fabs(a - b) < 1e-9; })) return;
  CPLError(CE_Warning, CPLE_AppDefined, "%s: the copy shares these latitudes, and the source has uneven ones",
           shared.path().c_str());
}

/// Returns true if the values of an attribute are in the packed form of CF 1.11, section 2.5.1.
bool IsRangeOfPacked(std::string_view attribute) {
  return attribute == "valid_range" || attribute == "valid_min" || attribute == "valid_max";
}

bool AreNumbers(const JsonNode& value) {
  return value.IsArray() ? value.size() > 0 && value[0].IsNumber() : value.IsNumber();
}

}  // namespace

NetcdfItems::NetcdfItems(GDALDataset& source, NetcdfTypes types)
    : types_(std::move(types)),
      items_(CSLDuplicate(const_cast<char**>(CallThrough([&] { return source.GetMetadata(); })))) {
  const bool has_dimensions = items_.FetchNameValue(kExtraDimensions) != nullptr;
  const bool is_plane = source.GetRasterCount() == 1 && source.GetRasterBand(1)->GetMetadataItem(kVariable);
  if (!has_dimensions && !is_plane) return;
  for (int band = 1; band <= source.GetRasterCount(); ++band) {
    GDALRasterBand& raster = *source.GetRasterBand(band);
    band_items_.emplace_back(CSLDuplicate(const_cast<char**>(CallThrough([&] { return raster.GetMetadata(); }))));
    units_.emplace_back(raster.GetUnitType());
  }
  if (band_items_.empty()) return;
  variable_ = band_items_[0].FetchNameValueDef(kVariable, "");
  if (const std::string group = variable_.empty() ? "" : FindGroup(items_, variable_); !group.empty()) {
    items_ = ShowWithin(items_, group);
    types_.SearchFrom(group);
  }
  grid_mapping_ = band_items_[0].FetchNameValueDef(kGridMappingAttribute, "");
  ReadSign(source.GetRasterBand(1)->GetRasterDataType());
  are_unpacked_ = AreUnpacked(*source.GetRasterBand(1));
  has_srs_ = source.GetSpatialRef() != nullptr;
  double transform[6];
  has_transform_ = source.GetGeoTransform(transform) == CE_None;
  if (has_transform_) {
    plane_names_ = FindNamesOfPlane(source.GetSpatialRef());
    row_latitudes_ = ReadRowLatitudes(source, transform);
  }
  if (plane_names_ && AreOfBands(*plane_names_)) plane_names_.reset();
  ShowUnsignedCoordinates(&items_, &band_items_);
  dimensions_ = NetcdfDimensions(items_, band_items_);
  are_understood_ = dimensions_.are_understood();
  FindLosses(source);
}

std::string NetcdfItems::GetAttribute(const std::string& variable, const char* name) const {
  return GetAttributeItem(items_, variable, name);
}

std::string NetcdfItems::GetOwnAttribute(const char* name) const {
  return band_items_[0].FetchNameValueDef(name, GetAttribute(variable_, name).c_str());
}

std::string NetcdfItems::GetUnit(std::size_t band) const {
  if (!units_[band].empty()) return units_[band];
  return band_items_[band].FetchNameValueDef(kUnitsAttribute, GetAttribute(variable_, kUnitsAttribute).c_str());
}

void NetcdfItems::WarnOfLosses() const {
  for (const std::string& loss : losses_) CPLError(CE_Warning, CPLE_NotSupported, "%s", loss.c_str());
}

void NetcdfItems::FindLosses(GDALDataset& source) {
  if (!are_understood_) {
    losses_.push_back(variable_ + ": the dimensions are not copied: the metadata items do not give each band a place");
  }
  std::vector<std::string> lost = dimensions_.ListLost();
  if (!has_transform_ && !source.GetMetadata("GEOLOCATION")) {
    for (std::string& name : types_.ListCoordinatesOfPlane(variable_)) lost.push_back(std::move(name));
  }
  for (const std::string& name : lost) {
    losses_.push_back(variable_ + ": the coordinates " + name + " are not copied: GDAL does not give them in rasters");
  }
}

void NetcdfItems::ReadSign(GDALDataType type) {
  const auto is_unsigned = FindUnsigned(JsonNode::MakeString(GetOwnAttribute(kUnsignedAttribute)));
  tells_sign_ = is_unsigned.has_value();
  const bool is_integer = GDALDataTypeIsInteger(type) != 0;
  if (is_integer && is_unsigned && *is_unsigned == (GDALDataTypeIsSigned(type) != 0)) {
    losses_.push_back(variable_ + ": _Unsigned is not copied: the copy has the numbers that GDAL shows");
  } else if (is_unsigned.value_or(false)) {
    ShowUnsigned(is_integer ? GDALGetDataTypeSizeBytes(type) : 0);
  }
}

void NetcdfItems::SetItem(const std::string& attribute, const std::string& text) {
  const char* const value = text.empty() ? nullptr : text.c_str();
  items_.SetNameValue((variable_ + "#" + attribute).c_str(), value);
  for (CPLStringList& items : band_items_) {
    if (items.FetchNameValue(attribute.c_str())) items.SetNameValue(attribute.c_str(), value);
  }
}

void NetcdfItems::ShowUnsigned(int size) {
  const double count = std::ldexp(1.0, 8 * size);
  const std::string start = variable_ + "#";
  const CPLStringList items(items_);
  for (int i = 0; i < items.size(); ++i) {
    const auto [name, value] = SplitItem(items[i]);
    const std::string text(value);
    if (!name.starts_with(start) || !HasNegativeNumber(text)) continue;
    const std::string attribute(name.substr(start.size()));
    const std::string shown = ChangeNumbers(text, [&](double number) { return number < 0 ? number + count : number; });
    const auto typed = types_.FindValue(variable_, attribute);
    if (!HoldsValues(attribute) && !(typed && IsTextOf(*typed, shown))) continue;
    const std::string of_band = band_items_[0].FetchNameValueDef(attribute.c_str(), text.c_str());
    const bool is_shown_by_band = !HasNegativeNumber(of_band);
    SetItem(attribute, is_shown_by_band ? of_band : size > 0 ? shown : "");
    if (is_shown_by_band || size > 0) continue;
    losses_.push_back(variable_ + ": " + attribute + " is not copied: its numbers are those of integers");
  }
}

bool NetcdfItems::AreUnpacked(GDALRasterBand& band) const {
  const bool were_packed =
      !GetAttribute(variable_, kScaleAttribute).empty() || !GetAttribute(variable_, kOffsetAttribute).empty();
  return were_packed && band.GetScale() == 1 && band.GetOffset() == 0;
}

std::pair<std::string, std::string> NetcdfItems::Unpack(const std::string& variable, const std::string& attribute,
                                                        const std::string& text) const {
  if (!IsRangeOfPacked(attribute)) return {attribute, text};
  const double scale = zarr::ParseNumber<double>(GetAttribute(variable, kScaleAttribute)).value_or(1);
  const double offset = zarr::ParseNumber<double>(GetAttribute(variable, kOffsetAttribute)).value_or(0);
  const std::string unpacked = ChangeNumbers(text, [&](double number) { return number * scale + offset; });
  if (scale >= 0) return {attribute, unpacked};
  if (attribute == "valid_range") return {attribute, ReverseList(unpacked)};
  return {attribute == "valid_min" ? "valid_max" : "valid_min", unpacked};
}

bool NetcdfItems::FitsAxis(const std::string& name, bool is_x, const OGRSpatialReference* srs) const {
  const std::string standard_name = GetAttribute(name, "standard_name");
  const std::string unit = GetAttribute(name, kUnitsAttribute);
  const bool is_described = !standard_name.empty() || !unit.empty();
  // Without a description, the name is one.
  const bool is_angle = !is_described && IsOneOfIgnoringCase(name, {"lon", "longitude", "lat", "latitude"});
  return !srs || gdal_zarr::FitsAxis(standard_name, is_angle ? "degrees" : unit, is_x, *srs);
}

std::optional<PlaneNames> NetcdfItems::FindNamesOfPlane(const OGRSpatialReference* srs) const {
  std::set<std::string> variables;
  for (int i = 0; i < items_.size(); ++i) {
    variables.emplace(GetVariable(SplitItem(items_[i]).first));
  }
  for (const std::string& x : variables) {
    for (const std::string& y : variables) {
      if (AreNamesOfAxes(x, y) && FitsAxis(x, true, srs) && FitsAxis(y, false, srs)) return PlaneNames{x, y};
    }
  }
  return std::nullopt;
}

std::optional<std::string> NetcdfItems::FindDimension(std::string_view variable, const PlaneNames& copied) const {
  if (plane_names_ && variable == plane_names_->x) return copied.x;
  if (plane_names_ && variable == plane_names_->y) return copied.y;
  return dimensions_.HasCoordinates(variable) ? std::optional(std::string(variable)) : std::nullopt;
}

bool NetcdfItems::IsSaidElsewhere(std::string_view variable) const {
  if (variable.empty()) return false;
  return (has_srs_ && variable == grid_mapping_) || FindDimension(variable, PlaneNames());
}

void NetcdfItems::WriteUnsaid(SharedResource& resource, const std::string& path, const PlaneNames& copied) const {
  const auto array = resource.finder().FindArray(path);
  zarr::JsonMembers unsaid;
  for (int i = 0; array && i < items_.size(); ++i) {
    const auto [name, value] = SplitItem(items_[i]);
    const std::string variable(GetVariable(name));
    const auto dimension = FindDimension(variable, copied);
    if (!dimension || HasCoordinates(resource, *array, *dimension)) continue;
    unsaid.emplace_back(name, MakeValue(variable, std::string(name.substr(variable.size() + 1)), std::string(value)));
  }
  if (unsaid.empty()) return;
  resource.ChangeAttributesLater(path, [&](zarr::JsonChanges& changes) {
    for (const auto& [name, value] : unsaid) changes.SetMember(name, value);
  });
}

CPLStringList NetcdfItems::ListDatasetItems() const {
  CPLStringList list;
  for (int i = 0; i < items_.size(); ++i) {
    const auto [name, value] = SplitItem(items_[i]);
    if (name.starts_with(kNetcdfPrefix)) continue;
    const std::string_view variable = GetVariable(name);
    if (IsSaidElsewhere(variable)) continue;
    const bool is_own = !variable_.empty() && variable == variable_;
    const std::string shown(is_own ? name.substr(variable.size() + 1) : name);
    if (is_own && (IsValueOfBand(shown) || items_.FetchNameValue(shown.c_str()))) continue;
    if (is_own && tells_sign_ && shown == kUnsignedAttribute) continue;
    if (is_own && has_transform_ && shown == kTransform && IsMatrix(std::string(value))) continue;
    const std::string text(value);
    const auto [as_name, unpacked] = is_own && are_unpacked_ ? Unpack(variable_, shown, text) : std::pair(shown, text);
    list.SetNameValue(as_name.c_str(), unpacked.c_str());
  }
  if (!variable_.empty()) list.SetNameValue(kVariable, variable_.c_str());
  return list;
}

CPLStringList NetcdfItems::ListBandItems(std::size_t band) const {
  CPLStringList list;
  for (int i = 0; i < band_items_[band].size(); ++i) {
    const auto [name, value] = SplitItem(band_items_[band][i]);
    const std::string text(value);
    const bool is_unit = name == kUnitsAttribute && text == units_[band];
    const bool is_sign = tells_sign_ && name == kUnsignedAttribute;
    const bool is_value = is_sign || (IsValueOfBand(name) && name != kUnitsAttribute);
    const bool is_of_variable = GetAttribute(variable_, std::string(name).c_str()) == text && !variable_.empty();
    if (is_unit || is_value || is_of_variable || name.starts_with(kNetcdfPrefix) || name == kVariable) continue;
    list.SetNameValue(std::string(name).c_str(), text.c_str());
  }
  dimensions_.AddPosition(band, &list);
  return list;
}

bool NetcdfItems::AreOfBands(const PlaneNames& names) const {
  const std::vector<std::string> counted = SplitList(items_.FetchNameValueDef(kExtraDimensions, ""));
  return std::ranges::find(counted, names.x) != counted.end() || std::ranges::find(counted, names.y) != counted.end();
}

zarr::JsonMembers NetcdfItems::ListAttributes(const std::string& variable, bool are_unpacked) const {
  zarr::JsonMembers members;
  const std::string start = variable + "#";
  for (int i = 0; i < items_.size(); ++i) {
    const auto [item, value] = SplitItem(items_[i]);
    if (!item.starts_with(start)) continue;
    const std::string name(item.substr(start.size()));
    if (std::ranges::find(kNotCopied, name) != std::end(kNotCopied)) continue;
    if (are_unpacked && (name == kScaleAttribute || name == kOffsetAttribute)) continue;
    const std::string text(value);
    const auto [as_name, shown] = are_unpacked ? Unpack(variable, name, text) : std::pair(name, text);
    members.emplace_back(as_name, MakeValue(variable, as_name, shown));
  }
  return members;
}

JsonNode NetcdfItems::MakeValue(const std::string& variable, const std::string& attribute,
                                const std::string& text) const {
  const auto value = types_.FindValue(variable, attribute);
  if (value && IsTextOf(*value, text)) return *value;
  // Numbers may have been unpacked, made unsigned or changed. An item of a PAM file is unrelated.
  const bool may_be_number = value ? AreNumbers(*value) : !types_.are_known();
  return may_be_number || HoldsValues(attribute) ? ParseValue(attribute, text) : JsonNode::MakeString(text);
}

void NetcdfItems::TypeAttributes(SharedResource& resource, const std::string& path) const {
  const auto array = variable_.empty() ? nullptr : resource.finder().FindArray(path);
  if (!array) return;
  const JsonNode& attributes = array->metadata().attributes;
  zarr::JsonMembers changed;
  for (const auto& [name, value] : attributes.IsObject() ? attributes.GetMembers() : zarr::JsonMembers()) {
    if (!value.IsString()) continue;
    const std::size_t hash = name.find('#');
    const std::string variable = hash == name.npos ? variable_ : name.substr(0, hash);
    const std::string attribute = hash == name.npos ? name : name.substr(hash + 1);
    const bool has_values = hash == name.npos && HoldsValues(name);
    if (!types_.are_known() && !has_values) continue;  // may be a string
    const JsonNode typed = MakeValue(variable, attribute, value.AsString());
    if (!typed.IsString()) changed.emplace_back(name, typed);
  }
  if (changed.empty()) return;
  resource.ChangeAttributesLater(path, [&](zarr::JsonChanges& changes) {
    for (const auto& [name, value] : changed) changes.SetMember(name, value);
  });
}

std::optional<JsonNode> NetcdfItems::FindOtherMissingValue() const {
  if (variable_.empty()) return std::nullopt;
  const std::string text = GetOwnAttribute(kMissingValueAttribute);
  const std::string fill = GetOwnAttribute(kFillValueAttribute);
  const bool is_list = text.starts_with('{');
  if (text.empty() || (!is_list && (fill.empty() || IsSameValue(fill, text)))) return std::nullopt;
  return MakeValue(variable_, kMissingValueAttribute, text);
}

void NetcdfItems::WriteMissingValue(SharedResource& resource, const std::string& path) const {
  const auto value = FindOtherMissingValue();
  if (!value) return;
  const auto array = are_unpacked_ ? nullptr : resource.finder().FindArray(path);
  // Without a `_FillValue`, a number would become the nodata value.
  if (array && (!value->IsNumber() || FindMember(array->metadata().attributes, kFillValueAttribute))) {
    resource.ChangeAttributesLater(
        path, [&](zarr::JsonChanges& changes) { changes.SetMember(kMissingValueAttribute, *value); });
    return;
  }
  CPLError(CE_Warning, CPLE_NotSupported, "%s: missing_value is not copied: it is not the nodata value",
           ("/" + path).c_str());
}

void NetcdfItems::AddAttributes(std::vector<BandDimension>* dimensions) const {
  for (BandDimension& dimension : *dimensions) {
    if (dimension.has_all_attributes) continue;
    for (const auto& [name, value] : ListAttributes(dimension.name, dimensions_.ArePacked(dimension.name))) {
      dimension.attributes = CopyWithMember(dimension.attributes, name, value);
    }
    dimension.has_all_attributes = are_understood_ && dimensions_.HasCoordinates(dimension.name);
  }
}

void NetcdfItems::WriteRowLatitudes(SharedResource& resource, const PlaneNames& copied) const {
  if (!plane_names_ || row_latitudes_.empty()) return;
  const auto array = resource.finder().FindArray(copied.y);
  if (!array || array->shape() != zarr::Shape{row_latitudes_.size()}) return;
  if (!IsMadeHere(resource, copied.y)) return CompareLatitudes(*array, row_latitudes_);
  const auto converter = MakeWriteConverter(GDALExtendedDataType::Create(GDT_Float64), array->data_type());
  const auto writer = zarr::ArrayWriter::Make(array, {.store_empty_chunks = true});
  writer->Write(
      zarr::Selection::FromBox({zarr::Shape{0}, array->shape()}),
      {reinterpret_cast<const std::byte*>(row_latitudes_.data()), zarr::Strides{sizeof(double)}, converter.get()});
  writer->Flush();
}

void NetcdfItems::DescribePlane(SharedResource& resource, const PlaneNames& copied) const {
  if (!plane_names_) return;
  for (const bool is_x : {true, false}) {
    const std::string& of_source = is_x ? plane_names_->x : plane_names_->y;
    const std::string& name = is_x ? copied.x : copied.y;
    if (!IsMadeHere(resource, name)) continue;
    const auto array = resource.finder().FindArray(name);
    if (!array || array->rank() != 1) continue;
    const auto unit = FindMember(array->metadata().attributes, kUnitsAttribute);
    const std::string written = unit && unit->IsString() ? unit->AsString() : "";
    resource.ChangeAttributesLater(name, [&](zarr::JsonChanges& changes) {
      for (const auto& [attribute, value] : ListAttributes(of_source, true)) {
        const bool is_other_unit = attribute == kUnitsAttribute && !written.empty() && value.IsString() &&
                                   !AreSameUnit(value.AsString(), written);
        if (!is_other_unit) changes.SetMember(attribute, value);
      }
    });
  }
}

}  // namespace gdal_zarr
