// SPDX-License-Identifier: MIT
#include "driver/raster/raster_band.h"

#include <algorithm>
#include <cstring>

#include "driver/cf/value_attributes.h"
#include "driver/dataset/attribute_names.h"
#include "driver/gdal/gdal_error.h"
#include "driver/gdal/text.h"
#include "driver/multidim/md_array.h"
#include "driver/raster/band_attributes.h"
#include "driver/raster/coordinates/band_coordinates.h"
#include "driver/raster/raster_dataset.h"
#include "zarrlib/json/json_edit.h"

namespace gdal_zarr {
RasterBand::RasterBand(RasterDataset* dataset, int band, const SharedBandValues& shared)
    : dataset_(*dataset), unit_(shared.unit) {
  poDS = dataset;
  nBand = band;
  eDataType = shared.type;
  nRasterXSize = dataset->parts().view.width();
  nRasterYSize = dataset->parts().view.height();
  nBlockXSize = shared.block.x;
  nBlockYSize = shared.block.y;
  TakeStatistics();
}

void RasterBand::TakeDescription() {
  is_description_stored_ = GDALPamRasterBand::GetDescription()[0] == '\0';
  const auto description = is_description_stored_ ? FindOwn(kBandDescription) : std::nullopt;
  // Skips GDAL's PAM class, which would save it in a PAM file as well.
  if (description && description->IsString()) {
    GDALMajorObject::SetDescription(description->AsString().c_str());  // NOLINT(bugprone-parent-virtual-call)
  }
}

std::size_t RasterBand::GetBandIndex() const {
  return static_cast<std::size_t>(dataset_.parts().view.GetPlaceInArray(nBand - 1));
}

std::size_t RasterBand::CountBands() const {
  return static_cast<std::size_t>(dataset_.parts().view.CountAllBands());
}

std::size_t RasterBand::CountBandsToChange() const {
  const std::size_t count = CountBands();
  const std::uint64_t most = GetMaxBands();
  if (count <= most) return count;
  throw zarr::Error(zarr::ErrorKind::kUnsupported,
                    "an array of more than " + std::to_string(most) +
                        " slices has no metadata of single ones; those of the dataset are attributes of the array")
      .At(dataset_.parts().view.array().store().name(), dataset_.parts().view.array().path());
}

void RasterBand::TakeStatistics() {
  // A list contains the statistics of each band; a single value belongs to an array of one band.
  const CPLStringList statistics = ReadStatistics(GetAttributes(), GetBandIndex(), CountBands());
  for (int i = 0; i < statistics.size(); ++i) {
    if (const auto item = ParseNameValue(statistics[i])) {
      native_metadata_.Set(item->first.c_str(), item->second.c_str());
    }
  }
}

const zarr::JsonNode& RasterBand::GetAttributes() const {
  return dataset_.band_values().GetAttributes();
}

std::optional<zarr::JsonNode> RasterBand::FindItem(const char* list) const {
  return dataset_.band_values().FindItem(list, GetBandIndex());
}

std::optional<zarr::JsonNode> RasterBand::FindOwn(const char* member) const {
  const auto item = FindItem(kBandsAttribute);
  return item ? FindMember(*item, member) : std::nullopt;
}

Window RasterBand::GetBlockWindow(int block_x, int block_y) const {
  return {block_x * nBlockXSize, block_y * nBlockYSize, std::min(nBlockXSize, nRasterXSize - block_x * nBlockXSize),
          std::min(nBlockYSize, nRasterYSize - block_y * nBlockYSize)};
}

CPLErr RasterBand::IReadBlock(int block_x, int block_y, void* data) {
  return Guard(CE_Failure, [&] {
    const Window window = GetBlockWindow(block_x, block_y);
    const GSpacing item = GDALGetDataTypeSizeBytes(eDataType);
    const PixelBuffer buffer{data, eDataType, item, item * nBlockXSize, 0};
    // GDAL caches the block, so an inner chunk that is a whole block need not be cached as well.
    const zarr::Array& array = dataset_.parts().view.array();
    const zarr::Shape inner_chunk = zarr::GetSmallestChunkShape(array);
    const bool is_inner_chunk =
        zarr::ComputeProduct(inner_chunk) == static_cast<std::uint64_t>(nBlockXSize) * nBlockYSize;
    const int band = nBand - 1;
    return dataset_.pixels().Read(window, {&band, 1}, buffer, !is_inner_chunk, nullptr);
  });
}

CPLErr RasterBand::IRasterIO(GDALRWFlag direction, int x, int y, int width, int height, void* data, int buffer_width,
                             int buffer_height, GDALDataType type, GSpacing pixel_stride, GSpacing line_stride,
                             GDALRasterIOExtraArg* extra) {
  const bool reads_fractions = direction == GF_Read && HasFractions({x, y, width, height}, extra);
  if (buffer_width != width || buffer_height != height || reads_fractions) {
    if (direction == GF_Write) {
      return WriteResampled({x, y, width, height}, {data, type, pixel_stride, line_stride, 0},
                            {0, 0, buffer_width, buffer_height}, extra);
    }
    return GDALRasterBand::IRasterIO(direction, x, y, width, height, data, buffer_width, buffer_height, type,
                                     pixel_stride, line_stride, extra);
  }
  const int band = nBand - 1;
  const PixelBuffer buffer{data, type, pixel_stride, line_stride, 0};
  if (direction == GF_Write) return dataset_.pixels().Write({x, y, width, height}, {&band, 1}, buffer, extra);
  if (eAccess == GA_Update && FlushBandBlocks(this) != CE_None) return CE_Failure;
  return dataset_.pixels().Read({x, y, width, height}, {&band, 1}, buffer, true, extra);
}

double RasterBand::GetNoDataValue(int* has) {
  bool defined = false;
  const double value = dataset_.parts().array->GetNoDataValueAsDouble(&defined);
  if (!defined) return GDALPamRasterBand::GetNoDataValue(has);
  if (has) *has = defined;
  return value;
}

int64_t RasterBand::GetNoDataValueAsInt64(int* has) {
  bool defined = false;
  const int64_t value = dataset_.parts().array->GetNoDataValueAsInt64(&defined);
  if (!defined) return GDALPamRasterBand::GetNoDataValueAsInt64(has);
  if (has) *has = defined;
  return value;
}

uint64_t RasterBand::GetNoDataValueAsUInt64(int* has) {
  bool defined = false;
  const uint64_t value = dataset_.parts().array->GetNoDataValueAsUInt64(&defined);
  if (!defined) return GDALPamRasterBand::GetNoDataValueAsUInt64(has);
  if (has) *has = defined;
  return value;
}

double RasterBand::GetOffset(int* has) {
  bool defined = false;
  const double value = dataset_.parts().array->GetOffset(&defined, nullptr);
  if (!defined) return GDALPamRasterBand::GetOffset(has);
  if (has) *has = defined;
  return value;
}

double RasterBand::GetScale(int* has) {
  bool defined = false;
  const double value = dataset_.parts().array->GetScale(&defined, nullptr);
  if (!defined) return GDALPamRasterBand::GetScale(has);
  if (has) *has = defined;
  return value;
}

const char* RasterBand::GetUnitType() {
  return unit_->empty() ? GDALPamRasterBand::GetUnitType() : unit_->c_str();
}

ValueRange RasterBand::FindValueRange() {
  return Guard(ValueRange(), [&] {
    return ReadValueRange(dataset_.parts().view.array(), GetAttributes(), GetScale(nullptr), GetOffset(nullptr));
  });
}

double RasterBand::GetMinimum(int* has) {
  const ValueRange range = FindValueRange();
  if (!range.minimum || RasterBand::GetMetadataItem("STATISTICS_MINIMUM", ""))
    return GDALPamRasterBand::GetMinimum(has);
  if (has) *has = TRUE;
  return *range.minimum;
}

double RasterBand::GetMaximum(int* has) {
  const ValueRange range = FindValueRange();
  if (!range.maximum || RasterBand::GetMetadataItem("STATISTICS_MAXIMUM", ""))
    return GDALPamRasterBand::GetMaximum(has);
  if (has) *has = TRUE;
  return *range.maximum;
}

void RasterBand::ReadOwnCategories() {
  const auto names = FindOwn(kBandCategories);
  categories_ = ReadCategories(names);
  has_own_categories_ = names.has_value();
}

char** RasterBand::GetCategoryNames() {
  return Guard<char**>(nullptr, [&] {
    if (!categories_) ReadOwnCategories();
    CPLStringList& names = has_own_categories_ ? *categories_ : dataset_.band_values().GetCategories();
    return names.empty() ? GDALPamRasterBand::GetCategoryNames() : names.List();
  });
}

GDALColorTable* RasterBand::GetColorTable() {
  return Guard<GDALColorTable*>(nullptr, [&] {
    GDALColorTable& colors = dataset_.band_values().GetColors();
    return colors.GetColorEntryCount() > 0 ? &colors : GDALPamRasterBand::GetColorTable();
  });
}

GDALColorInterp RasterBand::GetColorInterpretation() {
  return Guard(GCI_Undefined, [&] {
    // In a list for all bands, "Undefined" may mean that this one was not set.
    const auto name = FindItem(kColorInterpretationAttribute);
    const auto stored = GDALGetColorInterpretationByName(name && name->IsString() ? name->AsString().c_str() : "");
    const GDALColorInterp told = stored == GCI_Undefined ? GDALPamRasterBand::GetColorInterpretation() : stored;
    return told == GCI_Undefined && GetColorTable() ? GCI_PaletteIndex : told;
  });
}

GDALRasterBand* RasterBand::GetMaskBand() {
  return Guard<GDALRasterBand*>(nullptr, [&] {
    dataset_.overview_file().IgnoreMaskFile();
    return GDALPamRasterBand::GetMaskBand();
  });
}

int RasterBand::GetMaskFlags() {
  return Guard(GMF_ALL_VALID, [&] {
    dataset_.overview_file().IgnoreMaskFile();
    return GDALPamRasterBand::GetMaskFlags();
  });
}

int RasterBand::CountLevels() {
  return dataset_.AreOverviewsEnabled() ? dataset_.levels().Count() : 0;
}

int RasterBand::GetOverviewCount() {
  return Guard(0, [this] {
    const int count = CountLevels();
    return count > 0 ? count : GDALRasterBand::GetOverviewCount();
  });
}

GDALRasterBand* RasterBand::GetOverview(int level) {
  return Guard<GDALRasterBand*>(nullptr, [&] {
    return CountLevels() > 0 ? dataset_.levels().GetBand(level, nBand) : GDALRasterBand::GetOverview(level);
  });
}

void RasterBand::TakeMethod() {
  constexpr const char* kItem = "RESAMPLING";  // gdaladdo uses the method again if it is not given one
  const auto& method = dataset_.band_values().method();
  if (!method) return;
  const char* shown = native_metadata_.FindItem(kItem, "");
  if (*method == (shown ? shown : "")) return;
  native_metadata_.Set(kItem, method->empty() ? nullptr : method->c_str());
  told_elsewhere_.SetNameValue(kItem, method->c_str());
}

bool RasterBand::LoadMetadata(const char* domain) {
  if (!IsDefaultDomain(domain)) return true;
  const bool loaded = metadata_loaded_ || Guard(false, [&] {
                        const CPLStringList items = GetBandMetadata(FindItem(kBandsAttribute));
                        for (int i = 0; i < items.size(); ++i) {
                          if (const auto item = ParseNameValue(items[i])) {
                            native_metadata_.Set(item->first.c_str(), item->second.c_str());
                          }
                        }
                        LoadCoordinates();
                        metadata_loaded_ = true;
                        return true;
                      });
  TakeMethod();
  if (!loaded) dataset_.band_coordinates().NoteUnanswered(nBand - 1);
  return loaded;
}

void RasterBand::LoadCoordinates() {
  const std::vector<BandCoordinate> coordinates = dataset_.band_coordinates().List(nBand - 1);
  for (const BandCoordinate& coordinate : coordinates) {
    const auto set = [&](const char* item, const std::string& value) {
      const std::string name = "DIM_" + coordinate.dimension + "_" + item;
      native_metadata_.Set(name.c_str(), value.c_str());
      told_elsewhere_.SetNameValue(name.c_str(), value.c_str());
    };
    if (coordinate.dimension != "Band") set("INDEX", std::to_string(coordinate.index));
    if (!coordinate.value) continue;
    set("VALUE", *coordinate.value);
    if (!coordinate.unit.empty()) set("UNIT", coordinate.unit);
    if (coordinate.time) set("ISO8601", *coordinate.time);
    if (!coordinate.calendar.empty()) set("CALENDAR", coordinate.calendar);
  }
  CheckAllWereRead(coordinates);
}

const char* RasterBand::GetDescription() const {
  const char* own = GDALPamRasterBand::GetDescription();
  if (is_saving_side_file_) return is_description_stored_ ? "" : own;
  if (own[0] != '\0') return own;
  if (place_) return place_->c_str();
  const char* place = Guard<const char*>(nullptr, [&] {
    const std::vector<BandCoordinate> coordinates = dataset_.band_coordinates().List(nBand - 1);
    CheckAllWereRead(coordinates);
    place_ = DescribeBandCoordinates(coordinates);
    return place_->c_str();
  });
  if (!place) dataset_.band_coordinates().NoteUnanswered(nBand - 1);
  return place ? place : "";
}

CPLXMLNode* RasterBand::SerializeToXML(const char* path) {
  is_saving_side_file_ = true;
  CPLXMLNode* const node = GDALPamRasterBand::SerializeToXML(path);
  is_saving_side_file_ = false;
  return node;
}

char** RasterBand::GetMetadataDomainList() {
  return Guard<char**>(nullptr, [&] {
    LoadMetadata("");
    return native_metadata_.AddDomains(GDALPamRasterBand::GetMetadataDomainList());
  });
}

MetadataList RasterBand::GetMetadata(const char* domain) {
  return Guard<MetadataList>(nullptr, [&] {
    LoadMetadata(domain);
    return native_metadata_.Merge(GDALPamRasterBand::GetMetadata(domain), domain);
  });
}

const char* RasterBand::GetMetadataItem(const char* name, const char* domain) {
  return Guard<const char*>(nullptr, [&] {
    LoadMetadata(domain);
    const char* value = GDALPamRasterBand::GetMetadataItem(name, domain);
    return value || !name ? value : native_metadata_.FindItem(name, domain);
  });
}

bool RasterBand::IsFillEmpty() const {
  const zarr::Bytes& fill = dataset_.parts().view.array().metadata().fill_value.bytes;
  const void* nodata = dataset_.parts().array->GetRawNoDataValue();
  if (nodata) {
    return dataset_.parts().array->GetDataType().GetSize() == fill.size() &&
           std::memcmp(nodata, fill.data(), fill.size()) == 0;
  }
  return std::ranges::all_of(fill, [](std::byte byte) { return byte == std::byte{0}; });
}

int RasterBand::IGetDataCoverageStatus(int x, int y, int width, int height, int, double* percentage) {
  constexpr int kUnknown = GDAL_DATA_COVERAGE_STATUS_UNIMPLEMENTED | GDAL_DATA_COVERAGE_STATUS_DATA;
  if (percentage) *percentage = 100.0;
  return Guard(kUnknown, [&] {
    if (!IsFillEmpty()) return kUnknown;
    if (eAccess == GA_Update && FlushBandBlocks(this) != CE_None) return kUnknown;
    const std::uint64_t stored = dataset_.pixels().CountStored({x, y, width, height}, nBand - 1);
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
    if (!overview) return CE_None;  // GDAL would read all pixels and use few of them, so nothing is read ahead
    return overview->AdviseRead(window.x, window.y, window.width, window.height, window.width, window.height, type,
                                options);
  }
  // A failure here is ignored: it recurs, with its error, when the pixels are read.
  return Guard(CE_None, [&] { return dataset_.pixels().ReadAhead(window, nBand - 1, options), CE_None; });
}

}  // namespace gdal_zarr
