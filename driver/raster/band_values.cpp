// SPDX-License-Identifier: MIT
#include "driver/raster/band_values.h"

#include <algorithm>
#include <memory>
#include <set>
#include <string>
#include <utility>

#include "driver/cf/color_table.h"
#include "driver/cf/set_attribute.h"
#include "driver/cf/value_attributes.h"
#include "driver/dataset/attribute_names.h"
#include "driver/dataset/native_metadata.h"
#include "driver/gdal/gdal_error.h"
#include "driver/multidim/md_array.h"
#include "driver/raster/band_attributes.h"
#include "zarrlib/hierarchy/editing/waiting_attributes.h"
#include "zarrlib/json/json_edit.h"

namespace gdal_zarr {
namespace {

using zarr::JsonNode;

constexpr const char* kNodata = "nodata";

/// Formats an element as text, for comparisons.
JsonNode FormatHex(std::span<const std::byte> bytes) {
  char* hex = CPLBinaryToHex(static_cast<int>(bytes.size()), reinterpret_cast<const GByte*>(bytes.data()));
  const std::unique_ptr<char, decltype(&VSIFree)> owned(hex, VSIFree);
  return JsonNode::MakeString(hex);
}

}  // namespace

const MDArray* BandValues::FindChangeable() const {
  return raster_.dataset.GetAccess() == GA_Update ? AsOwnMDArray(raster_.array.get()) : nullptr;
}

bool BandValues::IsInteger() const {
  return GDALDataTypeIsInteger(raster_.array->GetDataType().GetNumericDataType());
}

const JsonNode& BandValues::GetAttributes() {
  if (const MDArray* array = FindChangeable()) raster_.view.Replace(array->shared_array());
  if (picked_from_ != raster_.view.shared_array()) {
    attributes_ = PickBandAttributes(raster_.view.array().metadata().attributes);
    picked_from_ = raster_.view.shared_array();
  }
  return attributes_;
}

std::optional<JsonNode> BandValues::FindItem(const char* list, std::size_t band) {
  if (const MDArray* array = FindChangeable()) return array->FindItem(list, band);
  return zarr::FindItem(FindMember(GetAttributes(), list), band);
}

bool BandValues::IsListChanged(const char* list) const {
  return raster_.resource->hierarchy().waiting_attributes().Changes(raster_.view.array().path(), list);
}

CPLStringList BandValues::ReadCategories() {
  return IsInteger() ? ReadCategoryNames(GetAttributes()) : CPLStringList();
}

GDALColorTable BandValues::ReadColors() {
  return ReadColorTable(GetAttributes(), IsInteger());
}

CPLStringList& BandValues::GetCategories() {
  if (!categories_) categories_ = ReadCategories();
  return *categories_;
}

GDALColorTable& BandValues::GetColors() {
  if (!colors_) colors_ = ReadColors();
  return *colors_;
}

void BandValues::ReadFlagsAgain() {
  if (categories_) {
    CPLStringList categories = ReadCategories();
    if (!AreEqual(categories, *categories_)) categories_ = std::move(categories);
  }
  if (colors_) {
    GDALColorTable colors = ReadColors();
    if (!colors.IsSame(&*colors_)) colors_ = std::move(colors);
  }
}

bool BandValues::IsOfFlags(std::string_view attribute) {
  const bool is_colors = attribute == "flag_colors";
  const bool is_flag = std::find(kFlagAttributes.begin(), kFlagAttributes.end(), attribute) != kFlagAttributes.end();
  if (is_flag && !is_colors && !GetCategories().empty()) return true;
  return IsInteger() && (attribute == "flag_values" || is_colors) && GetColors().GetColorEntryCount() > 0;
}

// --- values that are set through one band and belong to all ----------------------------------------------------

CPLErr BandValues::ChangeAttribute(int band, const std::string& name, const std::optional<JsonNode>& value) {
  return ChangeArray(raster_, [&](MDArray& array) {
    Check(band, name, value);
    const auto before = array.FindAttribute(name);
    // Another process may have set it since; in a remote store, that is not worth a request.
    if (!SaysAlready(before, value) || !raster_.resource->is_on_network()) array.SaveAttribute(name, value);
    Note(band, name, value, before);
  });
}

CPLErr BandValues::ChangeNodata(int band, std::span<const std::byte> value,
                                const std::function<void(MDArray&)>& change) {
  return ChangeArray(raster_, [&](MDArray& array) {
    const std::size_t size = array.GetDataType().GetSize();
    const auto* known = static_cast<const std::byte*>(array.GetRawNoDataValue());
    const JsonNode before = FormatHex(known ? std::span(known, size) : std::span<const std::byte>());
    Check(band, kNodata, FormatHex(value));
    // Setting it through one band after another is a single change of the array.
    const auto noted = values_.find(kNodata);
    const bool is_set = noted != values_.end() && noted->second.is_new && noted->second.value == FormatHex(value) &&
                        !noted->second.bands.contains(band);
    if (!is_set || before != FormatHex(value)) {
      change(array);
      raster_.view.Replace(array.shared_array());
    }
    Note(band, kNodata, FormatHex(value), before);
  });
}

bool BandValues::IsEven(const Value& value) const {
  return value.bands.size() == static_cast<std::size_t>(raster_.dataset.GetRasterCount());
}

bool BandValues::AreRestAlpha(const Value& value) const {
  for (int band = 1; band <= raster_.dataset.GetRasterCount(); ++band) {
    const bool is_alpha = raster_.dataset.GetRasterBand(band)->GetColorInterpretation() == GCI_AlphaBand;
    if (!is_alpha && !value.bands.contains(band)) return false;
  }
  return true;
}

void BandValues::Check(int band, const std::string& name, const std::optional<JsonNode>& value) const {
  const auto known = values_.find(name);
  if (known == values_.end() || known->second.value == value) return;
  const std::set<int>& bands = known->second.bands;
  if (IsEven(known->second)) return;  // all bands have one value, so a different one may follow
  const auto other = std::find_if(bands.begin(), bands.end(), [band](int b) { return b != band; });
  if (other == bands.end()) return;
  throw zarr::Error(zarr::ErrorKind::kUnsupported,
                    name + " of band " + std::to_string(band) +
                        ": the array has one for all bands, and it was set to another value through band " +
                        std::to_string(*other) + "; with SINGLE_ARRAY=NO each band is an array");
}

void BandValues::Note(int band, const std::string& name, const std::optional<JsonNode>& value,
                      const std::optional<JsonNode>& before) {
  Value& noted = values_.try_emplace(name, Value{{}, value, before, false}).first->second;
  if (noted.value != value && IsEven(noted)) noted.bands.clear();
  noted.bands.insert(band);
  noted.value = value;
  noted.is_new = true;
}

void BandValues::NoteFlush() {
  for (auto& [name, noted] : values_) noted.is_new = false;
}

void BandValues::WarnOfUneven() {
  for (const auto& [name, noted] : std::exchange(values_, {})) {
    if (noted.value == noted.before || IsEven(noted)) continue;
    if (name == kColorTableAttribute && AreRestAlpha(noted)) continue;
    CPLError(
        CE_Warning, CPLE_AppDefined,
        "%s: %s was set through %d of %d bands (the first is band %d), and is that of all: an array has one for all "
        "its bands; with SINGLE_ARRAY=NO each band is an array",
        raster_.dataset.GetDescription(), name.c_str(), static_cast<int>(noted.bands.size()),
        raster_.dataset.GetRasterCount(), *noted.bands.begin());
  }
}

}  // namespace gdal_zarr
