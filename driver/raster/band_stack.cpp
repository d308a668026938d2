// SPDX-License-Identifier: MIT
#include "driver/raster/band_stack.h"

#include <gdal_proxy.h>

#include <algorithm>
#include <utility>

#include "driver/dataset/native_metadata.h"

namespace gdal_zarr {
namespace {

/// A band of another dataset, with the metadata of that dataset, which come from the band's array.
class StackedBand final : public GDALProxyRasterBand {
 public:
  StackedBand(GDALDataset* stack, int number, GDALRasterBand* band, const std::string& name) : band_(band) {
    poDS = stack;
    nBand = number;
    eDataType = band->GetRasterDataType();
    nRasterXSize = band->GetXSize();
    nRasterYSize = band->GetYSize();
    band->GetBlockSize(&nBlockXSize, &nBlockYSize);
    // A band that the user has described keeps that; else it has the name of its array.
    const std::string own = band->GDALMajorObject::GetDescription();
    GDALMajorObject::SetDescription(own.empty() ? name.c_str() : own.c_str());
    native_metadata_.SetAll(CPLStringList(CSLDuplicate(band->GetDataset()->GetMetadata(""))), "");
  }

  MetadataList GetMetadata(const char* domain) override {
    return native_metadata_.Merge(band_->GetMetadata(domain), domain);
  }
  const char* GetMetadataItem(const char* name, const char* domain) override {
    if (const char* value = band_->GetMetadataItem(name, domain)) return value;
    return name ? native_metadata_.FindItem(name, domain) : nullptr;
  }
  // In some versions of GDAL, the base class does not pass these on.
  int64_t GetNoDataValueAsInt64(int* has) override { return band_->GetNoDataValueAsInt64(has); }
  uint64_t GetNoDataValueAsUInt64(int* has) override { return band_->GetNoDataValueAsUInt64(has); }

  CPLErr SetNoDataValueAsInt64(int64_t value) override { return band_->SetNoDataValueAsInt64(value); }
  CPLErr SetNoDataValueAsUInt64(uint64_t value) override { return band_->SetNoDataValueAsUInt64(value); }
  CPLErr SetMetadata(MetadataList metadata, const char* domain) override {
    return band_->SetMetadata(metadata, domain);
  }
  CPLErr SetMetadataItem(const char* name, const char* value, const char* domain) override {
    return band_->SetMetadataItem(name, value, domain);
  }
  int IGetDataCoverageStatus(int x, int y, int width, int height, int stop_mask, double* percentage) override {
    return band_->GetDataCoverageStatus(x, y, width, height, stop_mask, percentage);
  }
  void EnableUpdate() { eAccess = GA_Update; }
  void SetDescription(const char* description) override {
    band_->SetDescription(description);
    GDALMajorObject::SetDescription(description);  // NOLINT(bugprone-parent-virtual-call): the array keeps it
  }

 protected:
  GDALRasterBand* RefUnderlyingRasterBand(ZARR_BOOL_SINCE_GDAL_3_7) const override { return band_; }

 private:
  GDALRasterBand* band_;
  NativeMetadata native_metadata_;
};

/// The metadata items that all datasets have, with the same values.
CPLStringList FindCommonMetadata(const std::vector<BandStack::Member>& members) {
  CPLStringList common(CSLDuplicate(members[0].dataset->GetMetadata("")));
  for (int i = common.size(); i-- > 0;) {
    const std::string item = common[i];
    const auto has = [&](const BandStack::Member& member) {
      CSLConstList items = member.dataset->GetMetadata("");
      return CSLFindStringCaseSensitive(items, item.c_str()) >= 0;
    };
    if (!std::ranges::all_of(members, has)) common.Assign(CSLRemoveStrings(common.StealList(), i, 1, nullptr), TRUE);
  }
  return common;
}

}  // namespace

BandStack::BandStack(std::vector<Member> members) : members_(std::move(members)) {
  nRasterXSize = members_[0].dataset->GetRasterXSize();
  nRasterYSize = members_[0].dataset->GetRasterYSize();
  int number = 0;
  for (const Member& member : members_) {
    const int count = member.dataset->GetRasterCount();
    for (int band = 1; band <= count; ++band) {
      const std::string name = count == 1 ? member.name : member.name + " " + std::to_string(band);
      ++number;
      SetBand(number, new StackedBand(this, number, member.dataset->GetRasterBand(band), name));
    }
  }
  GDALDataset::SetMetadata(FindCommonMetadata(members_).List(), "");
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

// Sets it twice: only when all arrays have the same geotransform can they share coordinate arrays.
CPLErr BandStack::SetGeoTransform(GeoTransformIn transform) {
  const auto set = [&](RasterDataset& dataset) { return dataset.SetGeoTransform(transform); };
  return ForEach(set) == CE_None ? ForEach(set) : CE_Failure;
}

CPLErr BandStack::SetSpatialRef(const OGRSpatialReference* srs) {
  const auto set = [&](RasterDataset& dataset) { return dataset.SetSpatialRef(srs); };
  return ForEach(set) == CE_None ? ForEach(set) : CE_Failure;
}

CPLErr BandStack::SetMetadata(MetadataList metadata, const char* domain) {
  const CPLErr result = ForEach([&](RasterDataset& dataset) { return dataset.SetMetadata(metadata, domain); });
  return result == CE_None ? GDALDataset::SetMetadata(metadata, domain) : result;
}

CPLErr BandStack::SetMetadataItem(const char* name, const char* value, const char* domain) {
  const CPLErr result = ForEach([&](RasterDataset& dataset) { return dataset.SetMetadataItem(name, value, domain); });
  return result == CE_None ? GDALDataset::SetMetadataItem(name, value, domain) : result;
}

}  // namespace gdal_zarr
