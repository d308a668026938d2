// SPDX-License-Identifier: MIT
#include "driver/raster/band_stack.h"

#include <algorithm>
#include <string_view>
#include <unordered_set>
#include <utility>

#include "driver/dataset/native_metadata.h"
#include "driver/dataset/request_items.h"
#include "driver/gdal/text.h"
#include "driver/gdal/views.h"

namespace gdal_zarr {
namespace {

/// GDAL allocates a separate list for each band whose metadata is requested. This limits the size of all lists of a
/// stack.
constexpr std::size_t kMostBytes = std::size_t{64} << 20;

/// The metadata of an array, shared by its bands; null if so many bands would take too much memory.
using ArrayItems = std::shared_ptr<const CPLStringList>;

/// Subtracts the size of the lists of all bands from `bytes_left`.
ArrayItems ShareMetadata(RasterDataset& dataset, std::size_t* bytes_left) {
  auto items = std::make_shared<CPLStringList>(CSLDuplicate(const_cast<char**>(dataset.GetMetadata(""))));
  std::size_t bytes = 0;
  for (int i = 0; i < items->size(); ++i) bytes += std::string_view((*items)[i]).size() + sizeof(char*);
  const auto bands = static_cast<std::size_t>(std::max(1, dataset.GetRasterCount()));
  if (bytes > *bytes_left / bands) return nullptr;
  *bytes_left -= bytes * bands;
  return items;
}

/// A band of another dataset, with the metadata of that dataset (the band's array) added.
class StackedBand final : public BandView {
 public:
  StackedBand(GDALDataset* stack, int number, GDALRasterBand& band, const std::string& name, ArrayItems items)
      : BandView(stack, number, band), array_items_(std::move(items)) {
    // A band keeps a description that the user gave it; otherwise it gets the name of its array.
    const std::string own = band.GDALMajorObject::GetDescription();
    GDALMajorObject::SetDescription(own.empty() ? name.c_str() : own.c_str());
  }

  MetadataList GetMetadata(const char* domain) override {
    return Guard<MetadataList>(nullptr, [&] {
      MetadataList own = band().GetMetadata(domain);
      if (!array_items_ || !IsDefaultDomain(domain)) return own;
      NativeMetadata metadata;
      metadata.SetAll(*array_items_, "");
      CPLStringList all(CSLDuplicate(const_cast<char**>(metadata.Merge(own, ""))));
      // An unchanged list stays valid for earlier callers.
      if (!AreEqual(merged_, all)) merged_ = std::move(all);
      return static_cast<MetadataList>(merged_.List());
    });
  }
  const char* GetMetadataItem(const char* name, const char* domain) override {
    const char* value = band().GetMetadataItem(name, domain);
    const bool has_more = !value && name && array_items_ && IsDefaultDomain(domain);
    return has_more ? array_items_->FetchNameValue(name) : value;
  }
  // In some versions of GDAL, the base class does not forward these.
  int64_t GetNoDataValueAsInt64(int* has) override { return band().GetNoDataValueAsInt64(has); }
  uint64_t GetNoDataValueAsUInt64(int* has) override { return band().GetNoDataValueAsUInt64(has); }

  CPLErr SetNoDataValueAsInt64(int64_t value) override { return band().SetNoDataValueAsInt64(value); }
  CPLErr SetNoDataValueAsUInt64(uint64_t value) override { return band().SetNoDataValueAsUInt64(value); }
  CPLErr SetMetadata(MetadataList metadata, const char* domain) override {
    return band().SetMetadata(metadata, domain);
  }
  CPLErr SetMetadataItem(const char* name, const char* value, const char* domain) override {
    return band().SetMetadataItem(name, value, domain);
  }
  // An alpha band may be another array. A band that has no mask of its own gets that of a band of this stack.
  GDALRasterBand* GetMaskBand() override {
    const bool is_alone = band().GetMaskFlags() != GMF_ALL_VALID || GetColorInterpretation() == GCI_AlphaBand;
    return is_alone ? band().GetMaskBand() : GDALRasterBand::GetMaskBand();  // NOLINT(bugprone-parent-virtual-call)
  }
  int GetMaskFlags() override {
    const int flags = band().GetMaskFlags();
    const bool is_alone = flags != GMF_ALL_VALID || GetColorInterpretation() == GCI_AlphaBand;
    return is_alone ? flags : GDALRasterBand::GetMaskFlags();  // NOLINT(bugprone-parent-virtual-call)
  }
  int IGetDataCoverageStatus(int x, int y, int width, int height, int stop_mask, double* percentage) override {
    return band().GetDataCoverageStatus(x, y, width, height, stop_mask, percentage);
  }
  void EnableUpdate() { eAccess = GA_Update; }
  void ShowAs(GDALDataType type) { eDataType = type; }
  void ShowOwnType() { eDataType = band().GetRasterDataType(); }
  void SetDescription(const char* description) override {
    band().SetDescription(description);
    GDALMajorObject::SetDescription(description);  // NOLINT(bugprone-parent-virtual-call): the array keeps it
  }

 private:
  ArrayItems array_items_;
  CPLStringList merged_;  // including the band's own metadata, for GetMetadata
};

/// Returns the metadata items that all datasets have with the same values.
CPLStringList FindCommonMetadata(const std::vector<BandStack::Member>& members) {
  CPLStringList common(CSLDuplicate(const_cast<char**>(members[0].dataset->GetMetadata(""))));
  for (const BandStack::Member& member : members) {
    std::unordered_set<std::string_view> items;
    for (CSLConstList item = member.dataset->GetMetadata(""); item && *item; ++item) items.insert(*item);
    CPLStringList kept;
    for (int i = 0; i < common.size(); ++i) {
      if (items.contains(common[i])) kept.AddString(common[i]);
    }
    common = std::move(kept);
  }
  return common;
}

/// Returns true for the domains that GDAL or each array makes, rather than a user.
bool IsOfArray(const char* domain) {
  return IsDefaultDomain(domain) || IsRequestsDomain(domain) ||
         IsOneOfIgnoringCase(domain, {"IMAGE_STRUCTURE", "SUBDATASETS", "DERIVED_SUBDATASETS", "OVERVIEWS"});
}

/// Sets the domains that all members have with the same items.
void SetCommonDomains(const std::vector<BandStack::Member>& members, GDALDataset* stack) {
  const CPLStringList domains(members[0].dataset->GetMetadataDomainList());
  for (int i = 0; i < domains.size(); ++i) {
    if (IsOfArray(domains[i])) continue;
    CPLStringList items(CSLDuplicate(const_cast<char**>(members[0].dataset->GetMetadata(domains[i]))));
    const bool is_common = std::ranges::all_of(members, [&](const BandStack::Member& member) {
      return AreEqual(items, CPLStringList(CSLDuplicate(const_cast<char**>(member.dataset->GetMetadata(domains[i])))));
    });
    if (is_common) stack->GDALDataset::SetMetadata(items.List(), domains[i]);
  }
}

}  // namespace

void BandStack::CheckBandCount(const std::vector<Member>& members) {
  std::uint64_t count = 0;
  for (const Member& member : members) count += static_cast<std::uint64_t>(member.dataset->GetRasterCount());
  const std::uint64_t most = GetMaxBands();
  if (count <= most) return;
  throw zarr::Error(
      zarr::ErrorKind::kInvalidArgument,
      zarr::FormatExpectedGot("arrays of at most " + std::to_string(most) + " bands together", std::to_string(count)) +
          "; open one of them, or without ALIKE_ARRAYS_AS_BANDS");
}

BandStack::BandStack(std::vector<Member> members) : members_(std::move(members)) {
  nRasterXSize = members_[0].dataset->GetRasterXSize();
  nRasterYSize = members_[0].dataset->GetRasterYSize();
  int number = 0;
  std::size_t bytes_left = kMostBytes;
  for (const Member& member : members_) {
    member.dataset->georeferencing().Load();  // the metadata depends on it
    const int count = member.dataset->GetRasterCount();
    const ArrayItems items = ShareMetadata(*member.dataset, &bytes_left);
    for (int band = 1; band <= count; ++band) {
      const std::string name = count == 1 ? member.name : member.name + " " + std::to_string(band);
      ++number;
      SetBand(number, new StackedBand(this, number, *member.dataset->GetRasterBand(band), name, items));
    }
  }
  GDALDataset::SetMetadata(FindCommonMetadata(members_).List(), "");
  SetCommonDomains(members_, this);
  GDALDataset::SetMetadataItem("INTERLEAVE", "BAND", "IMAGE_STRUCTURE");
  if (const char* registration = members_[0].dataset->GetMetadataItem(GDALMD_AREA_OR_POINT, "")) {
    GDALDataset::SetMetadataItem(GDALMD_AREA_OR_POINT, registration);
  }
}

BandStack::~BandStack() {
  BandStack::FlushCache(true);
}

CPLErr BandStack::GetGeoTransform(GeoTransformOut transform) ZARR_CONST_SINCE_GDAL_3_12 {
  return members_[0].dataset->GetGeoTransform(transform);
}

const OGRSpatialReference* BandStack::GetSpatialRef() const {
  return members_[0].dataset->GetSpatialRef();
}

bool BandStack::SharesPoints() const {
  RasterDataset& first = *members_[0].dataset;
  const int count = first.GetGCPCount();
  return count == 0 || std::ranges::all_of(members_, [&](const Member& member) {
           return member.dataset->HasPoints({first.GetGCPs(), static_cast<std::size_t>(count)},
                                            first.GetGCPSpatialRef());
         });
}

int BandStack::GetGCPCount() {
  return Guard(0, [&] { return SharesPoints() ? members_[0].dataset->GetGCPCount() : 0; });
}

const OGRSpatialReference* BandStack::GetGCPSpatialRef() const {
  return Guard<const OGRSpatialReference*>(
      nullptr, [&] { return SharesPoints() ? members_[0].dataset->GetGCPSpatialRef() : nullptr; });
}

const GDAL_GCP* BandStack::GetGCPs() {
  return Guard<const GDAL_GCP*>(nullptr, [&] { return SharesPoints() ? members_[0].dataset->GetGCPs() : nullptr; });
}

FlushResult BandStack::FlushCache(bool at_closing) {
  return ToFlushResult(SaveAll(at_closing));
}

CPLErr BandStack::SaveAll(bool at_closing) {
  CPLErr result = FlushBase<GDALDataset>(this, at_closing);
  for (const Member& member : members_) {
    if (member.dataset->SaveAll(at_closing) != CE_None) result = CE_Failure;
  }
  return result;
}

CPLErr BandStack::Close(ZARR_CLOSE_ARGUMENTS) {
  return CloseDataset(this);
}

// --- changes of the arrays ----------------------------------------------------------------------------------------

template <typename Function>
CPLErr BandStack::ForEach(Function&& function) {
  for (const Member& member : members_) {
    if (function(*member.dataset) != CE_None) return CE_Failure;
  }
  return CE_None;
}

void BandStack::EnableUpdate() {
  eAccess = GA_Update;
  for (int band = 0; band < nBands; ++band) static_cast<StackedBand*>(papoBands[band])->EnableUpdate();
}

void BandStack::ShowAs(GDALDataType type) {
  for (int band = 0; band < nBands; ++band) static_cast<StackedBand*>(papoBands[band])->ShowAs(type);
}

CPLErr BandStack::Complete() {
  for (int band = 0; band < nBands; ++band) static_cast<StackedBand*>(papoBands[band])->ShowOwnType();
  return SaveAll(false) == CE_None ? FinishStore() : CE_Failure;
}

// Sets it twice: arrays can share coordinate arrays only when all have the same geotransform.
CPLErr BandStack::SetGeoTransform(GeoTransformIn transform) {
  return GuardChange([&] {
    const auto set = [&](RasterDataset& dataset) { return dataset.SetGeoTransform(transform); };
    return ForEach(set) == CE_None ? ForEach(set) : CE_Failure;
  });
}

CPLErr BandStack::SetSpatialRef(const OGRSpatialReference* srs) {
  return GuardChange([&] {
    const auto set = [&](RasterDataset& dataset) { return dataset.SetSpatialRef(srs); };
    return ForEach(set) == CE_None ? ForEach(set) : CE_Failure;
  });
}

CPLErr BandStack::SetGCPs(int count, const GDAL_GCP* points, const OGRSpatialReference* srs) {
  return GuardChange(
      [&] { return ForEach([&](RasterDataset& dataset) { return dataset.SetGCPs(count, points, srs); }); });
}

CPLErr BandStack::SetMetadata(MetadataList metadata, const char* domain) {
  return GuardChange([&] {
    const CPLErr result = ForEach([&](RasterDataset& dataset) { return dataset.SetMetadata(metadata, domain); });
    return result == CE_None ? GDALDataset::SetMetadata(metadata, domain) : result;
  });
}

CPLErr BandStack::SetMetadataItem(const char* name, const char* value, const char* domain) {
  return GuardChange([&] {
    const CPLErr result = ForEach([&](RasterDataset& dataset) { return dataset.SetMetadataItem(name, value, domain); });
    return result == CE_None ? GDALDataset::SetMetadataItem(name, value, domain) : result;
  });
}

}  // namespace gdal_zarr
