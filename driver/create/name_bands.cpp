// SPDX-License-Identifier: MIT
#include "driver/create/name_bands.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <optional>
#include <utility>
#include <vector>

#include "driver/create/band_dimensions.h"
#include "driver/create/bands/new_coordinates.h"
#include "driver/dataset/attribute_names.h"
#include "driver/multidim/md_array.h"
#include "driver/new_array/array_metadata_builder.h"
#include "driver/raster/coordinates/band_coordinates.h"
#include "driver/raster/raster_dataset.h"
#include "zarrlib/json/json_edit.h"
#include "zarrlib/metadata/node_path.h"
#include "zarrlib/store/memory_store.h"

namespace gdal_zarr {
namespace {

using zarr::JsonNode;

constexpr const char* kBand = "Band";

bool HasDimension(const zarr::Array& array, const std::optional<std::string>& name) {
  return std::ranges::find(array.metadata().dimension_names, name) != array.metadata().dimension_names.end();
}

/// Returns true if an array has the dimension that new arrays of several bands get.
bool HasBandDimension(const zarr::Array& array) {
  return array.metadata().zarr_format >= zarr::ZarrFormat::kV2 && array.rank() == 3 && HasDimension(array, kBand) &&
         !HasDimension(array, std::nullopt);
}

// --- metadata derived from coordinates ----------------------------------------------------------------------------

/// The metadata of a band that is derived from coordinates.
struct Told {
  BandCoordinate coordinate;
  std::string description;
};

struct Item {
  std::string name;
  std::optional<std::string> value;  // nullopt if the coordinates do not define it
};

/// Returns the band's metadata items that are, or would be, derived from coordinates.
std::array<Item, 5> ListItems(const BandCoordinate& coordinate) {
  const std::string start = "DIM_" + coordinate.dimension;
  const auto unit = coordinate.unit.empty() ? std::nullopt : std::optional(coordinate.unit);
  const auto calendar = coordinate.calendar.empty() ? std::nullopt : std::optional(coordinate.calendar);
  return {{{start + "_INDEX", std::to_string(coordinate.index)},
           {start + "_VALUE", coordinate.value},
           {start + "_UNIT", unit},
           {start + "_ISO8601", coordinate.time},
           {start + "_CALENDAR", calendar}}};
}

/// Creates the coordinates in memory, with an array that has them, and reads them like its raster does. This detects
/// rounding, truncation and other changes of form before the store is changed.
std::vector<Told> Rehearse(zarr::ZarrFormat format, const BandDimension& dimension) {
  const auto hierarchy = zarr::EditableHierarchy::Create(std::make_shared<zarr::MemoryStore>(), format);
  const auto resource = std::make_shared<SharedResource>(hierarchy, OpenOptions(), true);
  CreateBandCoordinates(*resource, {dimension});
  const std::vector<NewDimension> dimensions{{dimension.name, dimension.size}, {"Y", 1}, {"X", 1}};
  resource->Change().CreateArray(kBand, MakeArrayMetadata(format, dimensions, GDALExtendedDataType::Create(GDT_Byte),
                                                          CreationOptions(), ChooseDefaultChunk(dimensions)));
  const auto array = MDArray::Make(resource, kBand);
  RasterDataset raster(resource, array, array->shared_array(), OpenOptions(), SliceRequest());
  std::vector<Told> bands;
  for (std::uint64_t band = 0; band < dimension.size; ++band) {
    const std::vector<BandCoordinate> coordinates = raster.band_coordinates().List(static_cast<int>(band));
    CheckAllWereRead(coordinates);
    bands.push_back({coordinates.at(0), DescribeBandCoordinates(coordinates)});
  }
  resource->edits().saving.Abandon();
  return bands;
}

const char* FindTime(GDALRasterBand& band, const std::string& dimension) {
  return band.GetMetadataItem(("DIM_" + dimension + "_ISO8601").c_str());
}

/// Returns true if a band has exactly the items that are derived from the coordinates, with the same text, and no
/// others of this kind. `has_time`: the time in ISO 8601, which the value and the unit also define, is required.
bool HasWhatIsTold(GDALRasterBand& band, BandCoordinate coordinate, bool has_time) {
  if (!has_time) coordinate.time.reset();
  return std::ranges::all_of(ListItems(coordinate), [&](const Item& item) {
    const char* value = band.GetMetadataItem(item.name.c_str());
    return value ? item.value == value : !item.value;
  });
}

bool HaveWhatIsTold(GDALDataset& dataset, const std::vector<Told>& told) {
  const bool have_times = FindTime(*dataset.GetRasterBand(1), told.at(0).coordinate.dimension) != nullptr;
  int number = 0;
  return std::ranges::all_of(told, [&](const Told& band) {
    return HasWhatIsTold(*dataset.GetRasterBand(++number), band.coordinate, have_times);
  });
}

/// The dimension spread over the bands, and the metadata that its coordinates define for each band.
struct NamedBands {
  BandDimension dimension;
  std::vector<Told> bands;
};

/// Returns nullopt if coordinates cannot represent the items of all bands exactly.
std::optional<NamedBands> FindNamedBands(GDALDataset& dataset, zarr::ZarrFormat format) {
  std::vector<BandDimension> found = FindBandDimensions(dataset, TimeForm::kAsTold);
  const auto count = static_cast<std::uint64_t>(dataset.GetRasterCount());
  if (found.size() != 1 || found[0].size != count || found[0].name == kBand) return std::nullopt;
  BandDimension dimension = std::move(found[0]);
  if (!zarr::IsNewNodeName(dimension.name)) return std::nullopt;
  for (const GDALDataType type : {GDT_Float64, GDT_Float32}) {
    dimension.type = type;
    std::vector<Told> bands = Rehearse(format, dimension);
    if (HaveWhatIsTold(dataset, bands)) return NamedBands{std::move(dimension), std::move(bands)};
    if (dimension.values.empty() || !dimension.integers.empty()) break;  // the type does not matter
  }
  return std::nullopt;
}

// --- the change of the store --------------------------------------------------------------------------------------

/// Returns true if no node has the new name, and no other array has, or may have, a dimension of the old or the new
/// name.
bool IsFreeOrThrow(SharedResource& resource, const std::string& path, const std::string& name) {
  if (resource.hierarchy().Probe(name)) return false;
  return std::ranges::none_of(resource.hierarchy().List(""), [&](const zarr::Hierarchy::Child& child) {
    if (child.kind == zarr::NodeKind::kGroup) return true;
    if (child.name == path) return false;
    const auto array = resource.finder().FindArray(child.name);
    return !array || HasDimension(*array, kBand) || HasDimension(*array, name);
  });
}

/// Like IsFreeOrThrow. If a document cannot be parsed, its name is not free.
bool IsFree(SharedResource& resource, const std::string& path, const std::string& name) {
  try {
    return IsFreeOrThrow(resource, path, name);
  } catch (const zarr::Error& error) {
    if (error.kind() == zarr::ErrorKind::kIo) throw;
    return false;
  }
}

/// Removes the coordinates, if they were created. Ignores errors, because the original error is reported.
void TakeBackCoordinates(SharedResource& resource, const std::string& name) {
  try {
    const std::vector<std::string> created = resource.Change().CreatedNodes();
    if (std::ranges::find(created, name) != created.end()) resource.DeleteNode(name);
  } catch (const zarr::Error&) {
    // The coordinates remain, and no array has their dimension.
  }
}

void RenameBandDimension(const std::shared_ptr<SharedResource>& resource, const std::string& path,
                         const std::string& name) {
  const auto array = MDArray::Make(resource, path);
  std::vector<std::string> names;
  for (const auto& known : array->shared_array()->metadata().dimension_names) {
    names.push_back(known == kBand ? name : *known);
  }
  resource->edits().writers.Flush(path);
  array->RenameDimensions(names);
}

/// Creates the coordinates, then sets the array's dimension, so that no reader sees it without coordinates. Returns
/// false, and changes nothing, if the coordinates cannot have this name.
bool GiveDimension(const std::shared_ptr<SharedResource>& resource, const std::string& path,
                   const BandDimension& dimension) {
  try {
    CreateBandCoordinates(*resource, {dimension});
    RenameBandDimension(resource, path, dimension.name);
    return true;
  } catch (const zarr::Error& error) {
    TakeBackCoordinates(*resource, dimension.name);
    if (error.kind() != zarr::ErrorKind::kInvalidArgument && error.kind() != zarr::ErrorKind::kUnsupported) throw;
    return false;
  }
}

/// Returns a band's object in the attribute gdal:bands without the text that is derived from the coordinates.
JsonNode WithoutPlace(const JsonNode& band, const Told& told) {
  const auto is = [](const std::optional<JsonNode>& text, const std::optional<std::string>& value) {
    return text && text->IsString() && text->AsString() == value;
  };
  JsonNode rest = band;
  if (const auto metadata = FindMember(band, "metadata")) {
    JsonNode items = *metadata;
    for (const Item& item : ListItems(told.coordinate)) {
      if (is(FindMember(items, item.name), item.value)) items = CopyWithoutMember(items, item.name);
    }
    rest = items.size() > 0 ? CopyWithMember(rest, "metadata", items) : CopyWithoutMember(rest, "metadata");
  }
  return is(FindMember(band, "description"), told.description) ? CopyWithoutMember(rest, "description") : rest;
}

/// Removes the band attributes that the coordinate variable now carries.
void RemovePlaces(const std::shared_ptr<SharedResource>& resource, const std::string& path,
                  const std::vector<Told>& told) {
  const auto array = MDArray::Make(resource, path);
  const auto bands = FindMember(array->attributes(), kBandsAttribute);
  if (!bands || !bands->IsArray() || bands->size() > told.size()) return;
  std::vector<JsonNode> rest;
  for (std::size_t i = 0; i < bands->size(); ++i) {
    rest.push_back((*bands)[i].IsObject() ? WithoutPlace((*bands)[i], told[i]) : (*bands)[i]);
  }
  const bool any = std::ranges::any_of(rest, [](const JsonNode& band) { return band.IsObject() && band.size() > 0; });
  array->SaveAttribute(kBandsAttribute, any ? std::optional(JsonNode::MakeArray(rest)) : std::nullopt);
}

}  // namespace

void NameDimensionOfBands(const std::shared_ptr<SharedResource>& resource, const std::string& path,
                          GDALDataset& dataset) {
  const auto array = resource->hierarchy().OpenArray(path);
  if (!HasBandDimension(*array)) return;
  const auto named = FindNamedBands(dataset, array->metadata().zarr_format);
  if (!named || !IsFree(*resource, path, named->dimension.name)) return;
  if (GiveDimension(resource, path, named->dimension)) RemovePlaces(resource, path, named->bands);
}

}  // namespace gdal_zarr
