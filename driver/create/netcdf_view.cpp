// SPDX-License-Identifier: MIT
#include "driver/create/netcdf_view.h"

#include <gdal_proxy.h>

namespace gdal_zarr {
namespace {

bool IsDefault(const char* domain) {
  return !domain || *domain == '\0';
}

class NetcdfBand final : public GDALProxyRasterBand {
 public:
  NetcdfBand(GDALDataset* dataset, int number, GDALRasterBand* band, CPLStringList items)
      : band_(band), items_(std::move(items)) {
    poDS = dataset;
    nBand = number;
    eDataType = band->GetRasterDataType();
    nRasterXSize = band->GetXSize();
    nRasterYSize = band->GetYSize();
    band->GetBlockSize(&nBlockXSize, &nBlockYSize);
    GDALMajorObject::SetDescription(band->GetDescription());
  }

  MetadataList GetMetadata(const char* domain) override {
    return IsDefault(domain) ? items_.List() : band_->GetMetadata(domain);
  }
  const char* GetMetadataItem(const char* name, const char* domain) override {
    return IsDefault(domain) ? items_.FetchNameValue(name) : band_->GetMetadataItem(name, domain);
  }

 protected:
  GDALRasterBand* RefUnderlyingRasterBand(ZARR_BOOL_SINCE_GDAL_3_7) const override { return band_; }

 private:
  GDALRasterBand* band_;
  CPLStringList items_;
};

class NetcdfDataset final : public GDALProxyDataset {
 public:
  NetcdfDataset(GDALDataset& source, const NetcdfItems& items) : source_(source), items_(items.ListDatasetItems()) {
    nRasterXSize = source.GetRasterXSize();
    nRasterYSize = source.GetRasterYSize();
    SetDescription(source.GetDescription());
    for (int band = 1; band <= source.GetRasterCount(); ++band) {
      CPLStringList band_items = items.ListBandItems(static_cast<std::size_t>(band) - 1);
      SetBand(band, new NetcdfBand(this, band, source.GetRasterBand(band), std::move(band_items)));
    }
  }

  MetadataList GetMetadata(const char* domain) override {
    return IsDefault(domain) ? items_.List() : source_.GetMetadata(domain);
  }
  const char* GetMetadataItem(const char* name, const char* domain) override {
    return IsDefault(domain) ? items_.FetchNameValue(name) : source_.GetMetadataItem(name, domain);
  }

 protected:
  GDALDataset* RefUnderlyingDataset() const override { return &source_; }

 private:
  GDALDataset& source_;
  CPLStringList items_;
};

}  // namespace

std::unique_ptr<GDALDataset> MakeNetcdfView(GDALDataset& source, const NetcdfItems& items) {
  return std::make_unique<NetcdfDataset>(source, items);
}

}  // namespace gdal_zarr
