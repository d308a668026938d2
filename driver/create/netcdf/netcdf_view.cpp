// SPDX-License-Identifier: MIT
#include "driver/create/netcdf/netcdf_view.h"

#include <utility>

#include "driver/dataset/native_metadata.h"
#include "driver/gdal/views.h"

namespace gdal_zarr {
namespace {

/// Has the given items and unit.
class NetcdfBand final : public BandView {
 public:
  NetcdfBand(GDALDataset* dataset, int number, GDALRasterBand& band, CPLStringList items, std::string unit)
      : BandView(dataset, number, band), items_(std::move(items)), unit_(std::move(unit)) {
    GDALMajorObject::SetDescription(band.GetDescription());
  }

  const char* GetUnitType() override { return unit_.c_str(); }
  MetadataList GetMetadata(const char* domain) override {
    return IsDefaultDomain(domain) ? items_.List() : band().GetMetadata(domain);
  }
  const char* GetMetadataItem(const char* name, const char* domain) override {
    return IsDefaultDomain(domain) ? items_.FetchNameValue(name) : band().GetMetadataItem(name, domain);
  }

 private:
  CPLStringList items_;
  std::string unit_;
};

class NetcdfDataset final : public DatasetView {
 public:
  NetcdfDataset(GDALDataset& source, const NetcdfItems& items) : DatasetView(source), items_(items.ListDatasetItems()) {
    for (int band = 1; band <= source.GetRasterCount(); ++band) {
      const std::size_t index = static_cast<std::size_t>(band) - 1;
      SetBand(band, new NetcdfBand(this, band, *source.GetRasterBand(band), items.ListBandItems(index),
                                   items.GetUnit(index)));
    }
  }

  MetadataList GetMetadata(const char* domain) override {
    return IsDefaultDomain(domain) ? items_.List() : source().GetMetadata(domain);
  }
  const char* GetMetadataItem(const char* name, const char* domain) override {
    return IsDefaultDomain(domain) ? items_.FetchNameValue(name) : source().GetMetadataItem(name, domain);
  }

 private:
  CPLStringList items_;
};

}  // namespace

std::unique_ptr<GDALDataset> MakeNetcdfView(GDALDataset& source, const NetcdfItems& items) {
  return std::make_unique<NetcdfDataset>(source, items);
}

}  // namespace gdal_zarr
