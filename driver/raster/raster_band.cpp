// SPDX-License-Identifier: MIT
#include "driver/raster/raster_band.h"

#include <algorithm>
#include <cstring>

#include "driver/cf/color_table.h"
#include "driver/cf/value_attributes.h"
#include "driver/dataset/attribute_names.h"
#include "driver/gdal/gdal_error.h"
#include "driver/io/block_size.h"
#include "driver/multidim/md_array.h"
#include "driver/raster/band_attributes.h"
#include "driver/raster/band_coordinates.h"
#include "driver/raster/raster_dataset.h"
#include "zarrlib/json/json_edit.h"

namespace gdal_zarr {
RasterBand::RasterBand(RasterDataset* dataset, int band) : dataset_(*dataset), unit_(dataset->md_array().GetUnit()) {
  poDS = dataset;
  nBand = band;
  eDataType = dataset->md_array().GetDataType().GetNumericDataType();
  nRasterXSize = dataset->view().width();
  nRasterYSize = dataset->view().height();
  const RasterView& view = dataset->view();
  const BlockSize block = ChooseBlockSize(view.array(), view.x_dimension(), view.y_dimension(),
                                          static_cast<std::size_t>(GDALGetDataTypeSizeBytes(eDataType)));
  nBlockXSize = block.x;
  nBlockYSize = block.y;
  TakeStatistics();
  const auto description = FindBandItem(GetAttributes(), GetBandIndex(), "description");
  // Skips GDAL's PAM class, which would save it in a side file as well.
  if (description && description->IsString()) {
    GDALMajorObject::SetDescription(description->AsString().c_str());  // NOLINT(bugprone-parent-virtual-call)
  }
}

std::size_t RasterBand::GetBandIndex() const {
  return static_cast<std::size_t>(dataset_.view().GetPlaceInArray(nBand - 1));
}

std::size_t RasterBand::CountBands() const {
  return static_cast<std::size_t>(dataset_.view().CountAllBands());
}

std::size_t RasterBand::CountBandsToChange() const {
  const std::size_t count = CountBands();
  if (count <= kMostBands) return count;
  throw zarr::Error(zarr::ErrorKind::kUnsupported,
                    "an array of more than 65536 slices has no metadata of single ones; those of the dataset are "
                    "attributes of the array")
      .At(dataset_.view().array().store().name(), dataset_.view().array().path());
}

void RasterBand::TakeStatistics() {
  // A list has those of each band; a single value is that of an array of one band.
  const CPLStringList statistics = ReadStatistics(GetAttributes(), GetBandIndex(), CountBands());
  for (int i = 0; i < statistics.size(); ++i) {
    char* name = nullptr;
    const char* value = CPLParseNameValue(statistics[i], &name);
    if (name && value) native_metadata_.Set(name, value);
    CPLFree(name);
  }
}

const zarr::JsonNode& RasterBand::GetAttributes() const {
  return dataset_.view().array().metadata().attributes;
}

Window RasterBand::GetBlockWindow(int block_x, int block_y) const {
  return {block_x * nBlockXSize, block_y * nBlockYSize, std::min(nBlockXSize, nRasterXSize - block_x * nBlockXSize),
          std::min(nBlockYSize, nRasterYSize - block_y * nBlockYSize)};
}

CPLErr RasterBand::IReadBlock(int block_x, int block_y, void* data) {
  const Window window = GetBlockWindow(block_x, block_y);
  const GSpacing item = GDALGetDataTypeSizeBytes(eDataType);
  const PixelBuffer buffer{data, eDataType, item, item * nBlockXSize, 0};
  // GDAL keeps the block, so an inner chunk that is a whole block need not be cached as well.
  const zarr::Array& array = dataset_.view().array();
  const zarr::Shape inner_chunk = array.smallest_chunk_shape();
  const bool is_inner_chunk =
      zarr::ComputeProduct(inner_chunk) == static_cast<std::uint64_t>(nBlockXSize) * nBlockYSize;
  const int band = nBand - 1;
  return dataset_.ReadWindow(window, {&band, 1}, buffer, !is_inner_chunk, nullptr);
}

CPLErr RasterBand::IRasterIO(GDALRWFlag direction, int x, int y, int width, int height, void* data, int buffer_width,
                             int buffer_height, GDALDataType type, GSpacing pixel_stride, GSpacing line_stride,
                             GDALRasterIOExtraArg* extra) {
  if (buffer_width != width || buffer_height != height) {
    if (direction == GF_Write) {
      return WriteResampled({x, y, width, height}, {data, type, pixel_stride, line_stride, 0},
                            {0, 0, buffer_width, buffer_height}, extra);
    }
    return GDALRasterBand::IRasterIO(direction, x, y, width, height, data, buffer_width, buffer_height, type,
                                     pixel_stride, line_stride, extra);
  }
  const int band = nBand - 1;
  const PixelBuffer buffer{data, type, pixel_stride, line_stride, 0};
  if (direction == GF_Write) return dataset_.WriteWindow({x, y, width, height}, {&band, 1}, buffer, extra);
  if (eAccess == GA_Update && FlushBandBlocks(this) != CE_None) return CE_Failure;
  return dataset_.ReadWindow({x, y, width, height}, {&band, 1}, buffer, true, extra);
}

double RasterBand::GetNoDataValue(int* has) {
  bool defined = false;
  const double value = dataset_.md_array().GetNoDataValueAsDouble(&defined);
  if (!defined) return GDALPamRasterBand::GetNoDataValue(has);
  if (has) *has = defined;
  return value;
}

int64_t RasterBand::GetNoDataValueAsInt64(int* has) {
  bool defined = false;
  const int64_t value = dataset_.md_array().GetNoDataValueAsInt64(&defined);
  if (!defined) return GDALPamRasterBand::GetNoDataValueAsInt64(has);
  if (has) *has = defined;
  return value;
}

uint64_t RasterBand::GetNoDataValueAsUInt64(int* has) {
  bool defined = false;
  const uint64_t value = dataset_.md_array().GetNoDataValueAsUInt64(&defined);
  if (!defined) return GDALPamRasterBand::GetNoDataValueAsUInt64(has);
  if (has) *has = defined;
  return value;
}

double RasterBand::GetOffset(int* has) {
  bool defined = false;
  const double value = dataset_.md_array().GetOffset(&defined, nullptr);
  if (!defined) return GDALPamRasterBand::GetOffset(has);
  if (has) *has = defined;
  return value;
}

double RasterBand::GetScale(int* has) {
  bool defined = false;
  const double value = dataset_.md_array().GetScale(&defined, nullptr);
  if (!defined) return GDALPamRasterBand::GetScale(has);
  if (has) *has = defined;
  return value;
}

const char* RasterBand::GetUnitType() {
  return unit_.empty() ? GDALPamRasterBand::GetUnitType() : unit_.c_str();
}

double RasterBand::GetMinimum(int* has) {
  const ValueRange range = ReadValueRange(dataset_.view().array(), GetScale(nullptr), GetOffset(nullptr));
  if (!range.minimum || RasterBand::GetMetadataItem("STATISTICS_MINIMUM", ""))
    return GDALPamRasterBand::GetMinimum(has);
  if (has) *has = TRUE;
  return *range.minimum;
}

double RasterBand::GetMaximum(int* has) {
  const ValueRange range = ReadValueRange(dataset_.view().array(), GetScale(nullptr), GetOffset(nullptr));
  if (!range.maximum || RasterBand::GetMetadataItem("STATISTICS_MAXIMUM", ""))
    return GDALPamRasterBand::GetMaximum(has);
  if (has) *has = TRUE;
  return *range.maximum;
}

char** RasterBand::GetCategoryNames() {
  if (!categories_) {
    categories_.emplace();
    const auto names = FindBandItem(GetAttributes(), GetBandIndex(), "category_names");
    for (std::size_t i = 0; names && names->IsArray() && i < names->size(); ++i) {
      categories_->AddString((*names)[i].IsString() ? (*names)[i].AsString().c_str() : "");
    }
    if (names) return categories_->List();
    if (GDALDataTypeIsInteger(eDataType)) *categories_ = ReadCategoryNames(GetAttributes());
  }
  return categories_->empty() ? GDALPamRasterBand::GetCategoryNames() : categories_->List();
}

GDALColorTable* RasterBand::GetColorTable() {
  if (!colors_) colors_ = GDALDataTypeIsInteger(eDataType) ? ReadColorTable(GetAttributes()) : GDALColorTable();
  return colors_->GetColorEntryCount() > 0 ? &*colors_ : GDALPamRasterBand::GetColorTable();
}

GDALColorInterp RasterBand::GetColorInterpretation() {
  const std::string name = GetColorInterpretationName(GetAttributes(), GetBandIndex());
  if (!name.empty()) return GDALGetColorInterpretationByName(name.c_str());
  const GDALColorInterp told = GDALPamRasterBand::GetColorInterpretation();
  return told == GCI_Undefined && GetColorTable() ? GCI_PaletteIndex : told;
}

GDALRasterBand* RasterBand::GetMaskBand() {
  dataset_.IgnoreMaskFile();
  return GDALPamRasterBand::GetMaskBand();
}

int RasterBand::GetMaskFlags() {
  dataset_.IgnoreMaskFile();
  return GDALPamRasterBand::GetMaskFlags();
}

int RasterBand::GetOverviewCount() {
  const int count = dataset_.CountOverviews();
  return count > 0 ? count : GDALRasterBand::GetOverviewCount();
}

GDALRasterBand* RasterBand::GetOverview(int level) {
  return dataset_.CountOverviews() > 0 ? dataset_.GetOverviewBand(level, nBand) : GDALRasterBand::GetOverview(level);
}

void RasterBand::LoadMetadata(const char* domain) {
  if (metadata_loaded_ || (domain && domain[0] != '\0')) return;
  metadata_loaded_ = true;
  if (const CPLStringList items = GetBandMetadata(GetAttributes(), GetBandIndex()); !items.empty()) {
    for (int i = 0; i < items.size(); ++i) {
      char* name = nullptr;
      const char* value = CPLParseNameValue(items[i], &name);
      if (name && value) native_metadata_.Set(name, value);
      CPLFree(name);
    }
  }
  for (const BandCoordinate& coordinate : ListBandCoordinates(dataset_, nBand - 1)) {
    const auto set = [&](const char* item, const std::string& value) {
      const std::string name = "DIM_" + coordinate.dimension + "_" + item;
      native_metadata_.Set(name.c_str(), value.c_str());
      told_by_coordinates_.SetNameValue(name.c_str(), value.c_str());
    };
    if (coordinate.dimension != "Band") set("INDEX", std::to_string(coordinate.index));
    if (!coordinate.value) continue;
    set("VALUE", *coordinate.value);
    if (!coordinate.unit.empty()) set("UNIT", coordinate.unit);
    if (coordinate.time) set("ISO8601", *coordinate.time);
  }
}

const char* RasterBand::GetDescription() const {
  const char* own = GDALPamRasterBand::GetDescription();
  if (own[0] != '\0' || is_saving_side_file_) return own;
  if (!place_) place_ = DescribeBandCoordinates(ListBandCoordinates(dataset_, nBand - 1));
  return place_->c_str();
}

CPLXMLNode* RasterBand::SerializeToXML(const char* path) {
  is_saving_side_file_ = true;
  CPLXMLNode* const node = GDALPamRasterBand::SerializeToXML(path);
  is_saving_side_file_ = false;
  return node;
}

char** RasterBand::GetMetadataDomainList() {
  LoadMetadata("");
  return native_metadata_.AddDomains(GDALPamRasterBand::GetMetadataDomainList());
}

MetadataList RasterBand::GetMetadata(const char* domain) {
  LoadMetadata(domain);
  return native_metadata_.Merge(GDALPamRasterBand::GetMetadata(domain), domain);
}

const char* RasterBand::GetMetadataItem(const char* name, const char* domain) {
  LoadMetadata(domain);
  if (const char* value = GDALPamRasterBand::GetMetadataItem(name, domain)) return value;
  return name ? native_metadata_.FindItem(name, domain) : nullptr;
}

bool RasterBand::IsFillEmpty() const {
  const zarr::Bytes& fill = dataset_.view().array().metadata().fill_value.bytes;
  const void* nodata = dataset_.md_array().GetRawNoDataValue();
  if (nodata) {
    return dataset_.md_array().GetDataType().GetSize() == fill.size() &&
           std::memcmp(nodata, fill.data(), fill.size()) == 0;
  }
  return std::ranges::all_of(fill, [](std::byte byte) { return byte == std::byte{0}; });
}

int RasterBand::IGetDataCoverageStatus(int x, int y, int width, int height, int, double* percentage) {
  constexpr int kUnknown = GDAL_DATA_COVERAGE_STATUS_UNIMPLEMENTED | GDAL_DATA_COVERAGE_STATUS_DATA;
  if (percentage) *percentage = 100.0;
  if (!IsFillEmpty()) return kUnknown;
  return Guard(kUnknown, [&] {
    if (eAccess == GA_Update) FlushCache(false);
    const std::uint64_t stored = dataset_.CountStored({x, y, width, height}, nBand - 1);
    const double all = static_cast<double>(width) * height;
    if (percentage) *percentage = 100.0 * static_cast<double>(stored) / all;
    const bool is_whole = static_cast<double>(stored) >= all;
    return (stored > 0 ? GDAL_DATA_COVERAGE_STATUS_DATA : 0) | (is_whole ? 0 : GDAL_DATA_COVERAGE_STATUS_EMPTY);
  });
}

CPLErr RasterBand::AdviseRead(int x, int y, int width, int height, int buffer_width, int buffer_height,
                              GDALDataType type, AdviseOptions options) {
  Window window{x, y, width, height};
  if (buffer_width < width || buffer_height < height) {
    GDALRasterIOExtraArg extra;
    INIT_RASTERIO_EXTRA_ARG(extra);
    const int level = GDALBandGetBestOverviewLevel2(this, window.x, window.y, window.width, window.height, buffer_width,
                                                    buffer_height, &extra);
    GDALRasterBand* overview = level < 0 ? nullptr : GetOverview(level);
    if (!overview) return CE_None;  // GDAL would read all pixels to use few of them, so nothing is read ahead
    return overview->AdviseRead(window.x, window.y, window.width, window.height, window.width, window.height, type,
                                options);
  }
  dataset_.ReadWindowAhead(window, nBand - 1, options);
  return CE_None;
}

}  // namespace gdal_zarr
