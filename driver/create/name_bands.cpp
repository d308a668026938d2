// SPDX-License-Identifier: MIT
#include "driver/create/name_bands.h"

#include <algorithm>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "driver/create/band_dimensions.h"
#include "driver/dataset/attribute_names.h"
#include "driver/multidim/md_array.h"
#include "driver/multidim/shared_dimensions.h"
#include "driver/raster/band_coordinates.h"
#include "driver/raster/raster_dataset.h"
#include "zarrlib/json/json_edit.h"

namespace gdal_zarr {
namespace {

using zarr::JsonNode;

constexpr const char* kBand = "Band";

/// Whether an array has the dimension that new arrays of several bands get.
bool HasBandDimension(const zarr::Array& array) {
  const zarr::ArrayMetadata& metadata = array.metadata();
  const std::optional<std::string> name = kBand;
  return metadata.zarr_format >= zarr::ZarrFormat::kV2 && array.rank() == 3 &&
         std::ranges::find(metadata.dimension_names, name) != metadata.dimension_names.end();
}

std::optional<BandDimension> FindOnlyDimension(GDALDataset& dataset) {
  std::vector<BandDimension> found = FindBandDimensions(dataset);
  const bool is_only = found.size() == 1 && found[0].size == static_cast<std::uint64_t>(dataset.GetRasterCount());
  return is_only && found[0].name != kBand ? std::optional(std::move(found[0])) : std::nullopt;
}

/// Whether nothing else in a store has or may have the dimension, or its new name.
bool IsFree(const zarr::Hierarchy& hierarchy, const std::string& name) {
  const auto is_group = [](const zarr::Hierarchy::Child& child) { return child.kind == zarr::NodeKind::kGroup; };
  return !hierarchy.Probe(name) && std::ranges::none_of(hierarchy.List(""), is_group);
}

/// The object of a band in the attribute gdal:bands, without the place along a dimension, and without a description
/// that tells only the place.
JsonNode WithoutPlace(const JsonNode& band, const std::string& dimension, const std::string& place) {
  JsonNode rest = band;
  if (const auto metadata = FindMember(band, "metadata")) {
    JsonNode items = *metadata;
    for (const char* item : {"_INDEX", "_VALUE", "_UNIT", "_ISO8601"}) {
      items = CopyWithoutMember(items, "DIM_" + dimension + item);
    }
    rest = items.size() > 0 ? CopyWithMember(rest, "metadata", items) : CopyWithoutMember(rest, "metadata");
  }
  const auto description = FindMember(band, "description");
  const bool tells_place = description && description->IsString() && description->AsString() == place;
  return tells_place ? CopyWithoutMember(rest, "description") : rest;
}

/// Removes from an array's attributes what the coordinates along a dimension tell of its bands.
void RemovePlaces(const std::shared_ptr<SharedResource>& resource, const std::string& path,
                  const std::string& dimension) {
  const auto array = MDArray::Make(resource, path);
  const auto bands = FindMember(array->attributes(), kBandsAttribute);
  if (!bands || !bands->IsArray()) return;
  RasterDataset fresh(resource, array, array->shared_array(), OpenOptions(), SliceRequest());
  std::vector<JsonNode> rest;
  for (std::size_t i = 0; i < bands->size(); ++i) {
    const std::string place = DescribeBandCoordinates(ListBandCoordinates(fresh, static_cast<int>(i)));
    rest.push_back((*bands)[i].IsObject() ? WithoutPlace((*bands)[i], dimension, place) : (*bands)[i]);
  }
  const bool any = std::ranges::any_of(rest, [](const JsonNode& band) { return band.IsObject() && band.size() > 0; });
  array->SaveAttribute(kBandsAttribute, any ? std::optional(JsonNode::MakeArray(rest)) : std::nullopt);
}

}  // namespace

void NameDimensionOfBands(const std::shared_ptr<SharedResource>& resource, const std::string& path,
                          GDALDataset& dataset) {
  if (!HasBandDimension(*resource->OpenArray(path))) return;
  const auto dimension = FindOnlyDimension(dataset);
  if (!dimension || !IsFree(resource->hierarchy(), dimension->name)) return;
  RenameSharedDimension(resource, {std::string("/") + kBand, dimension->size}, dimension->name);
  CreateBandCoordinates(*resource, {*dimension});
  RemovePlaces(resource, path, dimension->name);
}

}  // namespace gdal_zarr
