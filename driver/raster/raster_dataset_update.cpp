// SPDX-License-Identifier: MIT
#include <algorithm>
#include <set>
#include <utility>

#include "driver/cf/unsigned_attribute.h"
#include "driver/cf/value_attributes.h"
#include "driver/dataset/request_items.h"
#include "driver/georeferencing/georeferencing_writer.h"
#include "driver/io/progress.h"
#include "driver/multidim/md_array.h"
#include "driver/overviews/move_levels.h"
#include "driver/raster/band_attributes.h"
#include "driver/raster/raster_band.h"
#include "driver/raster/raster_dataset.h"
#include "driver/types/type_map.h"
#include "zarrlib/json/json_edit.h"

namespace gdal_zarr {
namespace {

using zarr::JsonNode;

/// Calls `visit` with the column and row of each block of a band that overlaps a window.
template <typename Visit>
void ForEachBlock(GDALRasterBand& band, const Window& window, Visit&& visit) {
  int width = 0;
  int height = 0;
  band.GetBlockSize(&width, &height);
  for (int y = window.y / height; y <= (window.y + window.height - 1) / height; ++y) {
    for (int x = window.x / width; x <= (window.x + window.width - 1) / width; ++x) visit(x, y);
  }
}

/// Parses a metadata item to an attribute. GDAL formats lists of numbers as {1,2}.
JsonNode ParseAttribute(const std::string& text) {
  JsonNode string = JsonNode::MakeString(text);
  if (!text.starts_with('{') || !text.ends_with('}')) return string;
  const CPLStringList items(CSLTokenizeString2(text.substr(1, text.size() - 2).c_str(), ",", CSLT_ALLOWEMPTYTOKENS));
  std::vector<JsonNode> numbers;
  for (int i = 0; i < items.size(); ++i) {
    const CPLValueType type = CPLGetValueType(items[i]);
    if (type == CPL_VALUE_STRING) return string;
    numbers.push_back(type == CPL_VALUE_INTEGER ? JsonNode::MakeInteger(CPLAtoGIntBig(items[i]))
                                                : JsonNode::MakeFloat(CPLAtof(items[i])));
  }
  return numbers.empty() ? string : JsonNode::MakeArray(numbers);
}

constexpr const char* kNodata = "nodata";

/// Formats an element as text, for comparisons.
JsonNode FormatHex(std::span<const std::byte> bytes) {
  char* hex = CPLBinaryToHex(static_cast<int>(bytes.size()), reinterpret_cast<const GByte*>(bytes.data()));
  const std::unique_ptr<char, decltype(&VSIFree)> owned(hex, VSIFree);
  return JsonNode::MakeString(hex);
}

bool IsDefault(const char* domain) {
  return !domain || *domain == '\0';
}

}  // namespace

void RasterDataset::EnableUpdate() {
  eAccess = GA_Update;
  for (int band = 1; band <= nBands; ++band) static_cast<RasterBand*>(GetRasterBand(band))->EnableUpdate();
}

MDArray& RasterDataset::array_object() const {
  auto* array = dynamic_cast<MDArray*>(md_array_.get());
  if (!array) throw zarr::Error(zarr::ErrorKind::kReadOnly, "this dataset is a view that cannot be changed");
  return *array;
}

// --- georeferencing ---------------------------------------------------------------------------------------------

CPLErr RasterDataset::SaveGeoreferencing() {
  // On a network the parts of a new array's place, which GDAL sets one after the other, are saved together.
  const auto* array = dynamic_cast<const MDArray*>(md_array_.get());
  if (!array || !array->is_new() || !resource_->is_on_network()) return SavePlace();
  const CPLErr result = Change([this](MDArray& changed) {
    CheckGeoreferencing(changed, {view_.x_dimension(), view_.y_dimension()}, {srs_.get(), transform_, is_point_});
  });
  if (result == CE_None) place_setter_ = std::this_thread::get_id();
  return result;
}

CPLErr RasterDataset::SaveWaitingPlace() {
  if (place_setter_.load() == std::thread::id()) return CE_None;
  const CPLErr result = SavePlace();
  if (result == CE_None) place_setter_ = std::thread::id();
  return result;
}

CPLErr RasterDataset::SavePlace() {
  return Change([this](MDArray& array) {
    const OverviewBase base{array, {view_.x_dimension(), view_.y_dimension()}, {srs_.get(), transform_, is_point_}};
    WriteGeoreferencing(array, base.axes, base.place);
    MoveLevels(base);
    array.SaveEpoch(srs_.get());
  });
}

CPLErr RasterDataset::SetGeoTransform(GeoTransformIn transform) {
  return GuardChange([&] {
    GeoTransform numbers;
    for (std::size_t i = 0; i < numbers.size(); ++i) numbers[i] = transform[i];
    // GDAL's programs set the transform of a raster without a place to take one away.
    constexpr GeoTransform kNone = {0, 1, 0, 0, 0, 1};
    const auto wanted = numbers == kNone ? std::nullopt : std::optional(numbers);
    const std::optional<GeoTransform> before = std::exchange(transform_, wanted);
    if (SaveGeoreferencing() == CE_None) return CE_None;
    transform_ = before;
    return CE_Failure;
  });
}

CPLErr RasterDataset::SetSpatialRef(const OGRSpatialReference* srs) {
  return GuardChange([&] {
    SpatialRef fresh(srs && !srs->IsEmpty() ? srs->Clone() : nullptr);
    std::swap(srs_, fresh);
    if (SaveGeoreferencing() == CE_None) return CE_None;
    std::swap(srs_, fresh);
    return CE_Failure;
  });
}

CPLErr RasterDataset::AddConventions(const WriteConventions& added) {
  return Change([&](MDArray& array) {
    const RasterAxes axes{view_.x_dimension(), view_.y_dimension()};
    gdal_zarr::AddConventions(array, axes, {srs_.get(), transform_, is_point_}, added);
  });
}

// --- metadata ---------------------------------------------------------------------------------------------------

CPLErr RasterDataset::SetMetadata(MetadataList metadata, const char* domain) {
  return GuardChange([&] {
    if (IsRequestsDomain(domain)) return CE_None;
    if (eAccess != GA_Update) return GDALPamDataset::SetMetadata(metadata, domain);
    if (!IsDefault(domain)) {
      return CheckSideFile(domain) == CE_None ? GDALPamDataset::SetMetadata(metadata, domain) : CE_Failure;
    }
    const CPLStringList items(WithoutReserved(metadata));
    const CPLErr result = Change([&](MDArray& array) {
      JsonNode attributes = array.attributes();
      std::set<std::string> kept;
      for (int i = 0; i < items.size(); ++i) {
        char* name = nullptr;
        const char* value = CPLParseNameValue(items[i], &name);
        const std::unique_ptr<char, decltype(&VSIFree)> owned(name, VSIFree);
        if (!name || !value || IsReservedAttribute(name)) continue;
        kept.insert(name);
        // An attribute that is not a string keeps its type if its text is unchanged.
        const char* known = RasterDataset::GetMetadataItem(name, "");
        if (known && EQUAL(known, value)) continue;
        attributes = CopyWithMember(attributes, name, ParseAttribute(value));
      }
      const CPLStringList before(CSLDuplicate(const_cast<char**>(RasterDataset::GetMetadata(""))));
      for (int i = 0; i < before.size(); ++i) {
        const std::string name = std::string(before[i]).substr(0, std::string(before[i]).find('='));
        if (!kept.contains(name) && !IsReservedAttribute(name)) attributes = CopyWithoutMember(attributes, name);
      }
      array.SaveAttributes(attributes);
    });
    if (result != CE_None) return result;
    native_metadata_.SetAll(items, "");
    // An old value in a side file would take precedence.
    return GDALPamDataset::GetMetadata("") ? GDALPamDataset::SetMetadata(nullptr, "") : CE_None;
  });
}

/// Returns the items of a list that can be kept, and warns of the others, as far as they are new: attributes that
/// describe another dataset's place or bands do not hold for this one.
CPLStringList RasterDataset::WithoutReserved(CSLConstList metadata) {
  CPLStringList items;
  std::string left_out;
  for (; metadata && *metadata; ++metadata) {
    const std::string item = *metadata;
    const std::string name = item.substr(0, item.find_first_of("=:"));
    const char* known = IsReservedAttribute(name) ? RasterDataset::GetMetadataItem(name.c_str(), "") : nullptr;
    if (!IsReservedAttribute(name) || IsStatistic(name) || (known && item.substr(name.size() + 1) == known)) {
      items.AddString(item.c_str());
    } else {
      left_out += (left_out.empty() ? "" : ", ") + name;
    }
  }
  if (!left_out.empty()) {
    CPLError(CE_Warning, CPLE_NotSupported,
             "%s: these are no metadata items, and are left out: %s; GDAL has functions for what they say",
             GetDescription(), left_out.c_str());
  }
  return items;
}

CPLErr RasterDataset::SetMetadataItem(const char* name, const char* value, const char* domain) {
  return GuardChange([&] {
    if (IsRequestsDomain(domain)) return CE_None;
    if (eAccess != GA_Update) return GDALPamDataset::SetMetadataItem(name, value, domain);
    if (!IsDefault(domain)) {
      return CheckSideFile(domain) == CE_None ? GDALPamDataset::SetMetadataItem(name, value, domain) : CE_Failure;
    }
    const CPLErr result = Change([&](MDArray& array) {
      if (IsReservedAttribute(name) && !IsStatistic(name)) {
        throw zarr::Error(zarr::ErrorKind::kInvalidArgument,
                          std::string(name) + " is no metadata item: GDAL has a function for what it says");
      }
      array.SaveAttribute(name, value ? std::optional(ParseAttribute(value)) : std::nullopt);
    });
    if (result != CE_None) return result;
    if (EQUAL(name, GDALMD_AREA_OR_POINT)) {
      is_point_ = value && EQUAL(value, GDALMD_AOP_POINT);
      if (SaveGeoreferencing() != CE_None) return CE_Failure;
    }
    native_metadata_.Set(name, value);
    return GDALPamDataset::GetMetadataItem(name, "") ? GDALPamDataset::SetMetadataItem(name, nullptr, "") : CE_None;
  });
}

CPLErr RasterDataset::SetGCPs(int count, const GDAL_GCP* points, const OGRSpatialReference* srs) {
  return GuardChange([&] {
    if (eAccess == GA_Update && CheckSideFile("GCPs") != CE_None) return CE_Failure;
    return GDALPamDataset::SetGCPs(count, points, srs);
  });
}

CPLErr RasterDataset::CreateMaskBand(int) {
  CPLError(CE_Failure, CPLE_NotSupported,
           "%s: CreateMaskBand() is not supported: a mask cannot be stored; a nodata value or an alpha band can",
           GetDescription());
  return CE_Failure;
}

CPLErr RasterDataset::CheckSideFile(const char* domain) {
  // GDAL makes these domains itself; they are not saved.
  for (const char* own : {"IMAGE_STRUCTURE", "SUBDATASETS", "DERIVED_SUBDATASETS", "OVERVIEWS"}) {
    if (EQUAL(domain, own)) return CE_None;
  }
  if ((GetPamFlags() & (GPF_DISABLED | GPF_NOSAVE)) == 0) return CE_None;
  CPLError(CE_Failure, CPLE_NotSupported, "%s: metadata of domain %s need side files, which cannot be written here",
           GetDescription(), domain);
  return CE_Failure;
}

CPLErr RasterDataset::ChangeBandAttribute(int band, const std::string& name, const std::optional<JsonNode>& value) {
  return Change([&](MDArray& array) {
    CheckBandValue(band, name, value);
    const auto before = FindMember(array.attributes(), name);
    if (before != value) array.SaveAttribute(name, value);
    NoteBandValue(band, name, value, before);
  });
}

CPLErr RasterDataset::ChangeNodata(int band, std::span<const std::byte> value,
                                   const std::function<void(MDArray&)>& change) {
  return Change([&](MDArray& array) {
    const std::size_t size = array.GetDataType().GetSize();
    const auto* known = static_cast<const std::byte*>(array.GetRawNoDataValue());
    const JsonNode before = FormatHex(known ? std::span(known, size) : std::span<const std::byte>());
    CheckBandValue(band, kNodata, FormatHex(value));
    change(array);
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
  BandValue& noted = band_values_.try_emplace(name, BandValue{{}, value, before}).first->second;
  if (noted.value != value && noted.bands.size() == static_cast<std::size_t>(nBands)) noted.bands.clear();
  noted.bands.insert(band);
  noted.value = value;
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

// --- data -------------------------------------------------------------------------------------------------------

CPLErr RasterDataset::WriteWindow(const Window& window, std::span<const int> bands, const PixelBuffer& buffer,
                                  const GDALRasterIOExtraArg* extra) {
  return GuardChange([&] {
    if (FlushBlocks() != CE_None) return CE_Failure;
    const CPLErr result = WritePixels(window, bands, buffer, extra, false);
    DropBlocks(window, bands);
    return result;
  });
}

CPLErr RasterDataset::WritePixels(const Window& window, std::span<const int> bands, const PixelBuffer& buffer,
                                  const GDALRasterIOExtraArg* extra, bool defer) {
  if (place_setter_.load() == std::this_thread::get_id() && SaveWaitingPlace() != CE_None) return CE_Failure;
  const auto write_all = [&] {
    resource_->CheckWritable();
    const std::function<bool(double)> progress = MakeProgress(extra);
    const zarr::DataType type = GetShownType(view_.array());
    const auto converter = MakeWriteConverter(GDALExtendedDataType::Create(buffer.type), type);
    std::size_t done = 0;
    while (done < bands.size()) {
      const RasterView::BandRun run = view_.RunAt(bands.subspan(done));
      const RasterView::Part part = view_.GetRegion(window, run, buffer);
      const auto* data = static_cast<const std::byte*>(buffer.data) + static_cast<GSpacing>(done) * buffer.band_stride;
      const double total = static_cast<double>(bands.size());
      const double before = static_cast<double>(done) / total;
      const double share = run.count / total;
      const auto shifted = [&](double s) { return progress(before + share * s); };
      if (!array_object().WriteSelection(part.selection, {data, part.strides, converter.get()},
                                         progress ? shifted : std::function<bool(double)>(), defer)) {
        CPLError(CE_Failure, CPLE_UserInterrupt, "Writing was cancelled");
        return CE_Failure;
      }
      done += static_cast<std::size_t>(run.count);
    }
    return CE_None;
  };
  return Guard(CE_Failure, write_all, Activity::kWriting);
}

CPLErr RasterDataset::FlushBlocks() const {
  if (eAccess != GA_Update) return CE_None;
  CPLErr result = CE_None;
  for (int band = 0; band < nBands; ++band) {
    if (FlushBandBlocks(papoBands[band]) != CE_None) result = CE_Failure;
  }
  return result;
}

void RasterDataset::DropBlocks(const Window& window, std::span<const int> bands) {
  for (const int band : bands) {
    GDALRasterBand& target = *papoBands[band];
    ForEachBlock(target, window, [&](int x, int y) { target.FlushBlock(x, y, FALSE); });
  }
}

FlushResult RasterDataset::FlushCache(bool at_closing) {
  return ToFlushResult(SaveAll(at_closing));
}

CPLErr RasterDataset::SaveAll(bool at_closing) {
  CPLErr result = GuardChange([this] { return SaveSideFile(); });
  if (FlushBase<GDALPamDataset>(this, at_closing) != CE_None) result = CE_Failure;
  if (at_closing && !TryChange([this] { WarnOfBandValues(); })) result = CE_Failure;
  for (const auto& level : level_datasets_) {
    if (level->FlushBlocks() != CE_None) result = CE_Failure;
  }
  if (SaveWaitingPlace() != CE_None) result = CE_Failure;
  if (at_closing && last_change_ && result == CE_None) result = MakeLastChange();
  if (eAccess == GA_Update) {
    const CPLErr stored = GuardChange([this] { return resource_->Flush(), resource_->CheckComplete(), CE_None; });
    if (stored != CE_None) result = stored;
  }
  return result;
}

CPLErr RasterDataset::MakeLastChange() {
  return GuardChange([this] {
    resource_->Attempt(std::exchange(last_change_, nullptr));
    view_.Replace(array_object().shared_array());
    return CE_None;
  });
}

CPLErr RasterDataset::FinishStore() {
  if (eAccess != GA_Update) return CE_None;
  return GuardChange([this] { return resource_->Finish(), CE_None; });
}

CPLErr RasterDataset::Close(ZARR_CLOSE_ARGUMENTS) {
  return CloseDataset(this);
}

}  // namespace gdal_zarr
