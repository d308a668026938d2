// SPDX-License-Identifier: MIT
#include <algorithm>
#include <memory>
#include <set>
#include <string>
#include <utility>

#include "driver/cf/color_table.h"
#include "driver/cf/set_attribute.h"
#include "driver/cf/value_attributes.h"
#include "driver/multidim/md_array.h"
#include "driver/raster/band_attributes.h"
#include "driver/raster/raster_dataset.h"
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

const JsonNode& RasterDataset::GetBandAttributes() {
  const auto* array = eAccess == GA_Update ? AsOwnMDArray(md_array_.get()) : nullptr;
  if (array) view_.Replace(array->shared_array());
  if (picked_from_ != view_.shared_array()) {
    band_attributes_ = PickBandAttributes(view_.array().metadata().attributes);
    picked_from_ = view_.shared_array();
  }
  return band_attributes_;
}

std::optional<JsonNode> RasterDataset::FindBandItem(const char* list, std::size_t band) {
  const auto* array = eAccess == GA_Update ? AsOwnMDArray(md_array_.get()) : nullptr;
  return array ? array->FindItem(list, band) : zarr::FindItem(FindMember(GetBandAttributes(), list), band);
}

bool RasterDataset::IsListChanged(const char* list) const {
  return resource_->hierarchy().waiting_attributes().Changes(view_.array().path(), list);
}

CPLStringList& RasterDataset::GetCategories() {
  if (!categories_) {
    const bool is_integer = GDALDataTypeIsInteger(md_array_->GetDataType().GetNumericDataType());
    categories_ = is_integer ? ReadCategoryNames(GetBandAttributes()) : CPLStringList();
  }
  return *categories_;
}

GDALColorTable& RasterDataset::GetColors() {
  if (!colors_) {
    const bool is_integer = GDALDataTypeIsInteger(md_array_->GetDataType().GetNumericDataType());
    colors_ = is_integer ? ReadColorTable(GetBandAttributes()) : GDALColorTable();
  }
  return *colors_;
}

// --- values that are set through one band, and are those of all ----------------------------------------------------

CPLErr RasterDataset::ChangeBandAttribute(int band, const std::string& name, const std::optional<JsonNode>& value) {
  return ChangeLater([&](MDArray& array) {
    CheckBandValue(band, name, value);
    const auto before = array.FindAttribute(name);
    // Another process may have set it since; on a network, that is not worth a request.
    if (!SaysAlready(before, value) || !resource_->is_on_network()) array.SaveAttribute(name, value);
    NoteBandValue(band, name, value, before);
  });
}

CPLErr RasterDataset::ChangeNodata(int band, std::span<const std::byte> value,
                                   const std::function<void(MDArray&)>& change) {
  return ChangeLater([&](MDArray& array) {
    const std::size_t size = array.GetDataType().GetSize();
    const auto* known = static_cast<const std::byte*>(array.GetRawNoDataValue());
    const JsonNode before = FormatHex(known ? std::span(known, size) : std::span<const std::byte>());
    CheckBandValue(band, kNodata, FormatHex(value));
    // Setting it through one band after the other is one change of the array.
    const auto noted = band_values_.find(kNodata);
    const bool is_set = noted != band_values_.end() && noted->second.is_new && noted->second.value == FormatHex(value);
    if (!is_set || before != FormatHex(value)) {
      change(array);
      view_.Replace(array.shared_array());
    }
    NoteBandValue(band, kNodata, FormatHex(value), before);
  });
}

void RasterDataset::CheckBandValue(int band, const std::string& name, const std::optional<JsonNode>& value) const {
  const auto known = band_values_.find(name);
  if (known == band_values_.end() || known->second.value == value) return;
  const std::set<int>& bands = known->second.bands;
  if (bands.size() == static_cast<std::size_t>(nBands)) return;  // all have one value, and may get another one
  const auto other = std::find_if(bands.begin(), bands.end(), [band](int b) { return b != band; });
  if (other == bands.end()) return;
  throw zarr::Error(zarr::ErrorKind::kUnsupported,
                    name + " of band " + std::to_string(band) +
                        ": the array has one for all bands, and it was set to another value through band " +
                        std::to_string(*other) + "; with SINGLE_ARRAY=NO each band is an array");
}

void RasterDataset::NoteBandValue(int band, const std::string& name, const std::optional<JsonNode>& value,
                                  const std::optional<JsonNode>& before) {
  BandValue& noted = band_values_.try_emplace(name, BandValue{{}, value, before, false}).first->second;
  if (noted.value != value && noted.bands.size() == static_cast<std::size_t>(nBands)) noted.bands.clear();
  noted.bands.insert(band);
  noted.value = value;
  noted.is_new = true;
}

void RasterDataset::NoteFlush() {
  for (auto& [name, noted] : band_values_) noted.is_new = false;
}

void RasterDataset::WarnOfBandValues() {
  for (const auto& [name, noted] : std::exchange(band_values_, {})) {
    if (noted.value == noted.before || noted.bands.size() == static_cast<std::size_t>(nBands)) continue;
    CPLError(
        CE_Warning, CPLE_AppDefined,
        "%s: %s was set through %d of %d bands (the first is band %d), and is that of all: an array has one for all "
        "its bands; with SINGLE_ARRAY=NO each band is an array",
        GetDescription(), name.c_str(), static_cast<int>(noted.bands.size()), nBands, *noted.bands.begin());
  }
}

}  // namespace gdal_zarr
