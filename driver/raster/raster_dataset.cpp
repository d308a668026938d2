// SPDX-License-Identifier: MIT
#include "driver/raster/raster_dataset.h"

#include <algorithm>
#include <utility>

#include "driver/cf/coordinate_time.h"
#include "driver/cf/value_attributes.h"
#include "driver/dataset/attribute_names.h"
#include "driver/dataset/pam_files.h"
#include "driver/dataset/request_items.h"
#include "driver/gdal/gdal_error.h"
#include "driver/gdal/text.h"
#include "driver/io/block_size.h"
#include "driver/multidim/attribute.h"
#include "driver/multidim/md_array.h"
#include "driver/multidim/stale_overviews.h"
#include "driver/raster/raster_band.h"
#include "zarrlib/json/json_edit.h"

namespace gdal_zarr {
namespace {

constexpr const char* kStructureDomain = "IMAGE_STRUCTURE";

/// Returns true if `coordinates` names only the grid mapping variable, as written by this driver and rioxarray.
bool IsGridMappingAlone(const std::shared_ptr<GDALAttribute>& coordinates) {
  const char* text = coordinates ? coordinates->ReadAsString() : nullptr;
  return text && STARTS_WITH(text, "spatial_ref") && !strchr(text, ' ');
}

}  // namespace

RasterDataset::RasterDataset(std::shared_ptr<SharedResource> resource, std::shared_ptr<GDALMDArray> md_array,
                             std::shared_ptr<const zarr::Array> array, const OpenOptions& options,
                             const SliceRequest& slice)
    : resource_(std::move(resource)),
      md_array_(std::move(md_array)),
      view_(*md_array_, *resource_, std::move(array), options, slice),
      georeferencing_(parts_, native_metadata_, MakeGeoreferencingHooks()),
      pixels_(parts_, MakePixelHooks()),
      band_values_(parts_),
      overview_file_(parts_, oOvManager),
      levels_(parts_, overview_file_, false, MakeLevelHooks()),
      band_coordinates_(parts_, unanswered_, options.load_extra_dim_metadata_delay) {
  AddBands();
  // In a remote store, coordinates are read when the georeferencing is requested: programs that only read values do not
  // need them.
  if (resource_->writable() || !view_.array().store().info().is_on_network()) georeferencing_.Load();
  SetStructure();
  LoadSideFiles();
  TakeDescriptions();
}

RasterDataset::RasterDataset(const RasterDataset& base, std::shared_ptr<const zarr::Array> array)
    : resource_(base.resource_),
      md_array_(MDArray::Make(resource_, array->path())),
      view_(base.view_, std::move(array)),
      georeferencing_(parts_, native_metadata_, MakeGeoreferencingHooks()),
      pixels_(parts_, MakePixelHooks()),
      band_values_(parts_),
      overview_file_(parts_, oOvManager),
      levels_(parts_, overview_file_, true, MakeLevelHooks()),
      band_coordinates_(parts_, unanswered_, base.band_coordinates_) {
  AddBands();
  SetStructure();
  SetPamFlags(GetPamFlags() | GPF_NOSAVE);  // statistics that GDAL computes for a level are not saved
  georeferencing_.TakeExtent(base.georeferencing_);
  TakeDescriptions();
}

RasterGeoreferencing::Hooks RasterDataset::MakeGeoreferencingHooks() {
  const auto remove_from_side_file = [this](RasterGeoreferencing::Part part) {
    if (part == RasterGeoreferencing::Part::kTransform) RemoveSideTransform();
    if (part == RasterGeoreferencing::Part::kSpatialRef) RemoveSideSpatialRef();
  };
  return {[this] { SetAttributes(); }, [this] { return FindSideTransform(); }, remove_from_side_file};
}

RasterPixels::Hooks RasterDataset::MakePixelHooks() {
  const auto ask_again = [this] { return Guard(false, [this] { return AskAgain(), true; }); };
  return {[this, ask_again] { return unanswered_.CheckBeforeReading(ask_again); },
          [this] { return overview_file_.NoteWrite(), georeferencing_.SaveBeforeWriting(); }};
}

// Flushes here, because saving needs the bands, and the bands need this object.
RasterDataset::~RasterDataset() {
  RasterDataset::FlushCache(true);
}

void RasterDataset::AddBands() {
  nRasterXSize = view_.width();
  nRasterYSize = view_.height();
  const GDALDataType type = md_array_->GetDataType().GetNumericDataType();
  const auto item_size = static_cast<std::size_t>(GDALGetDataTypeSizeBytes(type));
  const SharedBandValues shared{type,
                                ChooseBlockSize(view_.array(), view_.x_dimension(), view_.y_dimension(), item_size),
                                std::make_shared<const std::string>(md_array_->GetUnit())};
  for (int band = 1; band <= view_.band_count(); ++band) SetBand(band, new RasterBand(this, band, shared));
}

void RasterDataset::TakeDescriptions() {
  for (int band = 1; band <= nBands; ++band) static_cast<RasterBand*>(GetRasterBand(band))->TakeDescription();
}

void RasterDataset::LoadSideFiles() {
  if (!LoadSideFile(md_array_->GetFilename(), MakeViewName())) return;
  georeferencing_.CompareWithSideFile();
  const auto& pam = resource_->pam();
  const bool is_whole = view_.MakeFileSuffix().empty();
  const std::string overviews = pam && is_whole ? GetRegisteredOverviewFile(*pam, md_array_->GetFullName()) : "";
  if (!overviews.empty()) native_metadata_.Set("OVERVIEW_FILE", overviews.c_str(), "OVERVIEWS");
  overview_file_.Find();
}

std::string RasterDataset::MakeViewName() const {
  std::size_t x = view_.x_dimension();
  std::size_t y = view_.y_dimension() < view_.array().rank() ? view_.y_dimension() : 0;
  std::string of = md_array_->GetFullName();
  std::string slice;       // up to the last fixed index
  std::string all_before;  // the dimensions since the preceding fixed index
  for (std::size_t i = 0; i < view_.array().rank(); ++i) {
    const std::string comma = i > 0 ? "," : "";
    const auto index = view_.FindFixedIndex(i);
    if (!index) {
      all_before += comma + ":";
      continue;
    }
    slice += std::exchange(all_before, "") + comma + std::to_string(*index);
    if (i < view_.x_dimension()) --x;
    if (y > 0 && i < view_.y_dimension()) --y;
  }
  if (!slice.empty()) of = "Sliced view of " + of + " ([" + slice + "])";
  return "AsClassicDataset(" + std::to_string(x) + "," + std::to_string(y) + ") view of " + of;
}

char** RasterDataset::GetFileList() {
  return Guard<char**>(nullptr, [&] {
    overview_file_.IgnoreMaskFile();
    CPLStringList files(GDALPamDataset::GetFileList());
    const std::string name = GetDescription();
    if (files.FindString(name.c_str()) < 0) return files.StealList();
    // A listed folder stands for what is in it. GDAL removes other files of a copy's target if one of them is also the
    // source's, before the driver is asked.
    const std::string folder = name.ends_with('/') ? name : name + "/";
    CPLStringList kept;
    for (int i = 0; i < files.size(); ++i) {
      if (files[i] == name || !std::string_view(files[i]).starts_with(folder)) kept.AddString(files[i]);
    }
    return kept.StealList();
  });
}

char** RasterDataset::GetMetadataDomainList() {
  return Guard<char**>(nullptr, [&] {
    HasPlace(kAsksMetadata);
    UpdateRequestItems(*resource_->hierarchy().store(), &native_metadata_);
    return native_metadata_.AddDomains(GDALPamDataset::GetMetadataDomainList());
  });
}

MetadataList RasterDataset::GetMetadata(const char* domain) {
  if (NeedsPlace(domain) && !HasPlace(kAsksMetadata)) return nullptr;
  return Guard<MetadataList>(nullptr, [&] {
    if (IsRequestsDomain(domain)) UpdateRequestItems(*resource_->hierarchy().store(), &native_metadata_);
    if (domain && EQUAL(domain, kStructureDomain)) UpdateStaleItem();
    return native_metadata_.Merge(GDALPamDataset::GetMetadata(domain), domain);
  });
}

const char* RasterDataset::GetMetadataItem(const char* name, const char* domain) {
  if (NeedsPlace(domain) && !HasPlace(kAsksMetadata)) return nullptr;
  return Guard<const char*>(nullptr, [&] {
    if (IsRequestsDomain(domain)) UpdateRequestItems(*resource_->hierarchy().store(), &native_metadata_);
    if (name && EQUAL(name, kOverviewsStaleItem)) {
      UpdateStaleItem();
      // Listed in the default domain, the item would be copied to datasets whose overviews are not stale.
      if (IsDefaultDomain(domain)) domain = kStructureDomain;
    }
    const char* value = GDALPamDataset::GetMetadataItem(name, domain);
    return value || !name ? value : native_metadata_.FindItem(name, domain);
  });
}

bool RasterDataset::IsSaidElsewhere(const std::string& attribute) const {
  if (attribute == kColorInterpretationAttribute) return true;
  if (attribute == kGridMappingAttribute) return georeferencing_.srs() || HasGridMapping({*resource_, view_.array()});
  if (attribute == kCoordinatesAttribute) return IsGridMappingAlone(FindAttribute(*md_array_, kCoordinatesAttribute));
  if (attribute == kFillValueAttribute || attribute == kMissingValueAttribute)
    return TellsNodata(view_.array(), attribute.c_str());
  // If sources contradict each other, all remain visible.
  if (attribute.starts_with("proj:")) return georeferencing_.has_clear_srs();
  if (attribute.starts_with("spatial:") || attribute == kGeoTransformAttribute)
    return georeferencing_.has_clear_transform();
  if (attribute == kConventionsAttribute) return georeferencing_.srs() || georeferencing_.transform();
  if (IsStatistic(attribute) || attribute == kColorTableAttribute || attribute == kBandsAttribute) return true;
  return false;
}

void RasterDataset::SetAttributes() {
  // Only attributes in the metadata: formatted times, which GDAL's API for arrays adds, would be a string per pixel
  // here.
  const bool has_times = FindMember(view_.array().metadata().attributes, kTimeAttribute).has_value();
  for (const auto& attribute : CallThrough([this] { return md_array_->GetAttributes(); })) {
    if (!has_times && attribute->GetName() == kTimeAttribute) continue;
    if (IsSaidElsewhere(attribute->GetName())) continue;
    native_metadata_.Set(attribute->GetName().c_str(), GetAttributeText(*attribute).c_str());
  }
}

void RasterDataset::UpdateStaleItem() {
  if (eAccess != GA_Update) return;
  const std::string stale = DescribeStale(*resource_->hierarchy().OpenArray(view_.array().path()));
  native_metadata_.Set(kOverviewsStaleItem, stale.empty() ? nullptr : stale.c_str(), kStructureDomain);
}

void RasterDataset::SetStructure() {
  const CPLStringList structure(CSLDuplicate(md_array_->GetStructuralInfo()));
  for (int i = 0; i < structure.size(); ++i) {
    if (const auto item = ParseNameValue(structure[i])) {
      native_metadata_.Set(item->first.c_str(), item->second.c_str(), kStructureDomain);
    }
  }
  const bool pixel = view_.band_dimensions().size() == 1 && view_.band_dimensions()[0] == 2 && view_.band_count() > 1;
  native_metadata_.Set("INTERLEAVE", pixel ? "PIXEL" : "BAND", kStructureDomain);
}

CPLErr RasterDataset::IRasterIO(GDALRWFlag direction, int x, int y, int width, int height, void* data, int buffer_width,
                                int buffer_height, GDALDataType type, int band_count, BandMap bands,
                                GSpacing pixel_stride, GSpacing line_stride, GSpacing band_stride,
                                GDALRasterIOExtraArg* extra) {
  const bool reads_fractions = direction == GF_Read && HasFractions({x, y, width, height}, extra);
  if (buffer_width != width || buffer_height != height || reads_fractions) {
    return GDALDataset::IRasterIO(direction, x, y, width, height, data, buffer_width, buffer_height, type, band_count,
                                  bands, pixel_stride, line_stride, band_stride, extra);
  }
  return Guard(CE_Failure, [&] {
    std::vector<int> from_zero(bands, bands + band_count);
    for (int& band : from_zero) --band;
    const Window window{x, y, width, height};
    const PixelBuffer buffer{data, type, pixel_stride, line_stride, band_stride};
    if (direction == GF_Write) return pixels_.Write(window, from_zero, buffer, extra);
    return pixels_.FlushBlocks(from_zero) == CE_None ? pixels_.Read(window, from_zero, buffer, true, extra)
                                                     : CE_Failure;
  });
}

}  // namespace gdal_zarr
