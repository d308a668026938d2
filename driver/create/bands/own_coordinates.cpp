// SPDX-License-Identifier: MIT
#include "driver/create/bands/own_coordinates.h"

#include <algorithm>
#include <cstring>
#include <string>
#include <utility>

#include "driver/cf/coordinate_time.h"
#include "driver/create/bands/read_texts.h"
#include "driver/create/bands/same_coordinates.h"
#include "driver/create/virtual_sources.h"
#include "driver/dataset/attribute_names.h"
#include "driver/dataset/referred_arrays.h"
#include "driver/gdal/gdal_error.h"
#include "driver/multidim/md_array.h"
#include "driver/raster/coordinates/band_coordinates.h"
#include "driver/raster/raster_dataset.h"
#include "driver/types/type_map.h"
#include "zarrlib/json/json_edit.h"

namespace gdal_zarr {
namespace {

using zarr::JsonNode;
using StoredKind = zarr::DataType::Kind;

/// Returns true if the bands tell what the coordinates do. Bands whose coordinates were not read in time do not
/// contradict them.
bool AreAsTold(const GDALDimension& source, const BandDimension& dimension) {
  return std::ranges::all_of(dimension.places, [&](const ToldPlace& place) {
    if (!place.index || *place.index >= source.GetSize()) return false;
    if (place.value.empty()) return true;
    const BandCoordinate known = ReadBandCoordinate(source, *place.index);
    return known.value == place.value && known.unit == place.unit && known.time.value_or("") == place.time &&
           known.calendar == place.calendar;
  });
}

/// Returns true for types that all formats have.
bool HasCommonType(const zarr::DataType& type) {
  constexpr StoredKind kKinds[] = {StoredKind::kBool,  StoredKind::kInt,        StoredKind::kUint,
                                   StoredKind::kFloat, StoredKind::kDatetime64, StoredKind::kTimedelta64};
  return std::ranges::find(kKinds, type.kind) != std::end(kKinds) && type.bits == 0 && type.optional_depth == 0;
}

/// Reads the elements of the bands, in their order.
zarr::Bytes ReadElements(const zarr::Array& array, const std::vector<ToldPlace>& places) {
  const auto [lowest, highest] = std::ranges::minmax_element(places, {}, &ToldPlace::index);
  const std::uint64_t first = *lowest->index;
  const std::uint64_t count = *highest->index - first + 1;
  const std::size_t size = array.data_type().size;
  zarr::Bytes all(static_cast<std::size_t>(count) * size);
  array.Read(zarr::Selection::FromBox({zarr::Shape(1, first), zarr::Shape(1, count)}),
             {all.data(), zarr::Strides(1, static_cast<std::ptrdiff_t>(size)), nullptr});
  zarr::Bytes elements(places.size() * size);
  for (std::size_t i = 0; i < places.size(); ++i) {
    std::memcpy(&elements[i * size], &all[static_cast<std::size_t>(*places[i].index - first) * size], size);
  }
  return elements;
}

/// Returns the array's nodata value in GDAL's form if coordinates that have it are missing.
std::optional<zarr::Bytes> FindMissingElement(const MDArray& array) {
  const void* nodata = array.GetRawNoDataValue();
  const bool are_times = CoordinateTime::Read(array).has_value();
  if (!nodata || !FindMissingCoordinate(array, are_times)) return std::nullopt;
  const auto* bytes = static_cast<const std::byte*>(nodata);
  return zarr::Bytes(bytes, bytes + array.GetDataType().GetSize());
}

JsonNode ListAttributesToCopy(const MDArray& array) {
  zarr::JsonMembers members;
  for (const auto& [name, value] :
       array.attributes().IsObject() ? array.attributes().GetMembers() : zarr::JsonMembers()) {
    // The nodata value is written in the way of the copy's format.
    if (name != kFillValueAttribute && !IsLeftToSource(name)) members.emplace_back(name, value);
  }
  return JsonNode::MakeObject(members);
}

void TakeElements(const MDArray& array, BandDimension* dimension) {
  auto own = std::make_shared<OwnCoordinates>();
  own->type = array.array().data_type();
  own->type.endian.reset();
  own->format = array.array().metadata().zarr_format;
  own->fill = array.array().metadata().fill_value;
  own->nodata = FindMissingElement(array);
  own->elements = ReadElements(array.array(), dimension->places);
  dimension->own = std::move(own);
}

/// datetime64 has become CF time, which all programs support, unless its values cannot.
bool IsCfTimeNow(const zarr::DataType& type, const BandDimension& dimension) {
  return type.kind == StoredKind::kDatetime64 && dimension.datetime_unit.empty() && !dimension.integers.empty() &&
         FindMember(dimension.attributes, "calendar");
}

/// Strings that the bands tell may be cut, and empty ones are not told.
void TakeTexts(const MDArray& array, BandDimension* dimension) {
  const std::vector<std::string> texts = ReadTexts(array.array());
  dimension->texts.clear();
  for (const ToldPlace& place : dimension->places) dimension->texts.push_back(texts[*place.index]);
}

void Take(const MDArray& array, BandDimension* dimension) {
  if (array.resource()->writable()) array.resource()->edits().writers.Flush(array.array().path());
  const zarr::DataType& type = array.array().data_type();
  JsonNode attributes = ListAttributesToCopy(array);
  if (HasCommonType(type) && !IsCfTimeNow(type, *dimension)) {
    TakeElements(array, dimension);
  } else {
    const bool are_texts = FindElementClass(type).type_class == GEDTC_STRING;
    if (are_texts && dimension->values.empty()) TakeTexts(array, dimension);
    for (const auto& [name, value] : dimension->attributes.GetMembers()) {
      attributes = CopyWithMember(attributes, name, value);
    }
  }
  dimension->attributes = std::move(attributes);
  dimension->has_all_attributes = true;
}

void TakeFrom(const RasterDataset& raster, std::vector<BandDimension>* dimensions) {
  const RasterParts& parts = raster.parts();
  for (const std::size_t i : parts.view.ListOtherDimensions()) {
    const GDALDimension& dimension = *parts.array->GetDimensions()[i];
    const auto found = std::ranges::find(*dimensions, dimension.GetName(), &BandDimension::name);
    const auto variable = found == dimensions->end() ? nullptr : FindIndexingVariable(dimension);
    const MDArray* const own = AsOwnMDArray(variable.get());
    if (own && own->array().rank() == 1 && AreAsTold(dimension, *found)) Take(*own, &*found);
  }
}

/// Opens the raster that a virtual dataset shows, as gdal_translate makes for some of the bands. Returns null if there
/// is none.
GDALDatasetUniquePtr OpenShown(GDALDataset& source) {
  const auto name = FindOnlySource(source);
  if (!name) return nullptr;
  const ErrorCollector quiet;  // what has been renamed or removed since has no attributes to copy
  constexpr const char* kDrivers[] = {"Zarr", nullptr};
  return GDALDatasetUniquePtr(GDALDataset::Open(name->c_str(), GDAL_OF_RASTER, kDrivers));
}

}  // namespace

void TakeOwnCoordinates(GDALDataset& source, std::vector<BandDimension>* dimensions) {
  if (dimensions->empty()) return;
  if (const RasterDataset* const raster = AsRasterDataset(&source)) return TakeFrom(*raster, dimensions);
  const GDALDatasetUniquePtr shown = OpenShown(source);
  if (const RasterDataset* const raster = AsRasterDataset(shown.get())) TakeFrom(*raster, dimensions);
}

}  // namespace gdal_zarr
