// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cstddef>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "driver/create/copy_domains.h"
#include "driver/dataset/attribute_names.h"
#include "driver/dataset/shared_resource.h"
#include "driver/gdal/gdal_error.h"
#include "driver/georeferencing/geolocation.h"
#include "driver/multidim/nodata_writer.h"
#include "driver/new_array/array_metadata_builder.h"
#include "driver/raster/raster_view.h"
#include "driver/types/type_map.h"
#include "zarrlib/array/array_writer.h"
#include "zarrlib/hierarchy/editing/waiting_changes.h"
#include "zarrlib/hierarchy/hierarchy.h"
#include "zarrlib/json/json_changes.h"
#include "zarrlib/json/json_edit.h"
#include "zarrlib/metadata/node_path.h"

namespace gdal_zarr {
namespace {

using zarr::JsonNode;

/// The name and the description of one kind of array.
struct Words {
  const char* name;
  const char* standard_name;
  const char* unit;
};
constexpr Words kLongitudes = {"lon", "longitude", "degrees_east"};
constexpr Words kLatitudes = {"lat", "latitude", "degrees_north"};

/// Opens a dataset with a position for each pixel of a raster. Returns null if it does not match.
std::unique_ptr<GDALDataset> OpenPositions(const CPLStringList& domain, const char* dataset, const char* band,
                                           GDALDataset& source) {
  const char* name = domain.FetchNameValue(dataset);
  if (!name || !EQUAL(domain.FetchNameValueDef(band, "1"), "1")) return nullptr;
  std::unique_ptr<GDALDataset> opened(GDALDataset::Open(name, GDAL_OF_RASTER));
  const bool fits = opened && opened->GetRasterXSize() == source.GetRasterXSize() &&
                    opened->GetRasterYSize() == source.GetRasterYSize() && opened->GetRasterCount() == 1;
  return fits ? std::move(opened) : nullptr;
}

/// Returns true for the datum that arrays of positions have if nothing else is said, as in CF.
bool IsUsualDatum(const char* text) {
  OGRSpatialReference usual;
  OGRSpatialReference srs;
  const char* const options[] = {"CRITERION=EQUIVALENT_EXCEPT_AXIS_ORDER_GEOGCRS",
                                 "IGNORE_DATA_AXIS_TO_SRS_AXIS_MAPPING=YES", nullptr};
  return usual.SetFromUserInput(SRS_WKT_WGS84_LAT_LONG) == OGRERR_NONE && srs.SetFromUserInput(text) == OGRERR_NONE &&
         srs.IsSame(&usual, options) != FALSE;
}

/// Returns true if there is a position for the centre of each pixel, in degrees.
bool IsOfPixels(const CPLStringList& domain) {
  // Without this item, positions are those of corners.
  if (!EQUAL(domain.FetchNameValueDef("GEOREFERENCING_CONVENTION", ""), "PIXEL_CENTER")) return false;
  for (const auto& [name, value] : {std::pair{"PIXEL_OFFSET", 0.0}, std::pair{"LINE_OFFSET", 0.0},
                                    std::pair{"PIXEL_STEP", 1.0}, std::pair{"LINE_STEP", 1.0}}) {
    if (CPLAtof(domain.FetchNameValueDef(name, "1000")) != value) return false;
  }
  const char* text = domain.FetchNameValue("SRS");
  return !text || IsUsualDatum(text);
}

/// How a band stores positions. GDAL ignores it in datasets of positions, so that copies are plain numbers.
struct Packing {
  double scale;
  double offset;
  std::optional<double> nodata;

  explicit Packing(GDALRasterBand& band) : scale(band.GetScale()), offset(band.GetOffset()) {
    int has_nodata = FALSE;
    const double value = band.GetNoDataValue(&has_nodata);
    if (has_nodata != FALSE) nodata = value;
  }
  bool is_plain() const { return scale == 1 && offset == 0; }
  /// The nodata value of unpacked positions; there must be one of packed ones.
  double GetNowhere() const { return is_plain() ? *nodata : kNowhere; }
  void Unpack(std::vector<double>* values) const {
    for (double& value : *values) {
      const bool is_missing = nodata && IsSameNodata(value, *nodata);
      value = is_missing ? GetNowhere() : value * scale + offset;
    }
  }
};

void WriteValues(const std::shared_ptr<const zarr::Array>& array, GDALRasterBand& band, const Packing& packing) {
  const auto width = static_cast<std::size_t>(band.GetXSize());
  const auto height = static_cast<std::size_t>(band.GetYSize());
  std::vector<double> row(width);
  const auto converter = MakeWriteConverter(GDALExtendedDataType::Create(GDT_Float64), array->data_type());
  const auto writer = zarr::ArrayWriter::Make(array, {.store_empty_chunks = true});
  for (std::size_t y = 0; y < height; ++y) {
    if (band.RasterIO(GF_Read, 0, static_cast<int>(y), band.GetXSize(), 1, row.data(), band.GetXSize(), 1, GDT_Float64,
                      0, 0, nullptr) != CE_None) {
      throw zarr::Error(zarr::ErrorKind::kIo, array->path(), "", "", "the positions of the source cannot be read");
    }
    packing.Unpack(&row);
    writer->Write(zarr::Selection::FromBox({zarr::Shape{y, 0}, zarr::Shape{1, width}}),
                  {reinterpret_cast<const std::byte*>(row.data()), zarr::Strides{0, sizeof(double)}, converter.get()});
  }
  writer->Flush();
}

std::shared_ptr<const zarr::Array> SaveNowhere(zarr::EditableHierarchy& hierarchy,
                                               const std::shared_ptr<const zarr::Array>& array, double nowhere) {
  const ElementForm form = MakeElementForm(array->data_type());
  GdalElement element(form.type);
  GDALCopyWords64(&nowhere, GDT_Float64, 0, element.data(), form.type.GetNumericDataType(), 0, 1);
  return SaveNodata(hierarchy, array, form, element.data(), true);
}

void Create(SharedResource& target, const Words& words, const std::vector<NewDimension>& dimensions,
            GDALRasterBand& band) {
  zarr::EditableHierarchy& hierarchy = target.Change();
  const Packing packing(band);
  const bool is_float = band.GetRasterDataType() == GDT_Float32 && packing.is_plain();
  const auto type = GDALExtendedDataType::Create(is_float ? GDT_Float32 : GDT_Float64);
  zarr::ArrayMetadata metadata =
      MakeArrayMetadata(hierarchy.format(), dimensions, type, CreationOptions(), ChooseDefaultChunk(dimensions));
  metadata.attributes = JsonNode::MakeObject({{"standard_name", JsonNode::MakeString(words.standard_name)},
                                              {kUnitsAttribute, JsonNode::MakeString(words.unit)}});
  auto array = hierarchy.CreateArray(words.name, metadata);
  if (packing.nodata) array = SaveNowhere(hierarchy, array, packing.GetNowhere());
  WriteValues(array, band, packing);
}

}  // namespace

GeolocationArrays::GeolocationArrays(GDALDataset& source) {
  const CPLStringList domain(CSLDuplicate(const_cast<char**>(source.GetMetadata("GEOLOCATION"))));
  if (domain.empty() || !IsOfPixels(domain)) return;
  const ErrorCollector unheard;  // on failure, the domain is copied unchanged
  x_ = OpenPositions(domain, "X_DATASET", "X_BAND", source);
  y_ = OpenPositions(domain, "Y_DATASET", "Y_BAND", source);
}

bool GeolocationArrays::WriteTo(SharedResource& target, const RasterView& copy) const {
  const std::string& path = copy.array().path();
  const auto array = target.finder().FindArray(path);
  const bool has_place = array && !path.empty() && copy.y_dimension() < array->rank();
  if (!found() || !has_place || target.hierarchy().Probe(kLongitudes.name) ||
      target.hierarchy().Probe(kLatitudes.name)) {
    return false;
  }
  std::vector<NewDimension> dimensions;
  for (const std::size_t i : {copy.y_dimension(), copy.x_dimension()}) {
    const auto& names = array->metadata().dimension_names;
    dimensions.push_back({i < names.size() ? names[i].value_or("") : "", array->shape()[i]});
  }
  Create(target, kLongitudes, dimensions, *x_->GetRasterBand(1));
  Create(target, kLatitudes, dimensions, *y_->GetRasterBand(1));
  const auto known = FindMember(array->metadata().attributes, kCoordinatesAttribute);
  const std::string before = known && known->IsString() ? known->AsString() + " " : "";
  target.ChangeAttributesLater(path, [&](zarr::JsonChanges& changes) {
    changes.SetMember(kCoordinatesAttribute, JsonNode::MakeString(before + kLatitudes.name + " " + kLongitudes.name));
  });
  return true;
}

}  // namespace gdal_zarr
