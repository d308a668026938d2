// SPDX-License-Identifier: MIT
#include "driver/create/references/values_hidden.h"

#include "driver/gdal/views.h"

namespace gdal_zarr {
namespace {

class HiddenBand final : public BandView {
 public:
  HiddenBand(GDALDataset* dataset, int number, GDALRasterBand& band) : BandView(dataset, number, band) {
    GDALMajorObject::SetDescription(band.GetDescription());
  }

 protected:
  CPLErr IReadBlock(int, int, void*) override { return CE_None; }
  CPLErr IRasterIO(GDALRWFlag, int, int, int, int, void*, int, int, GDALDataType, GSpacing, GSpacing,
                   GDALRasterIOExtraArg*) override {
    return CE_None;
  }
};

class HiddenDataset final : public DatasetView {
 public:
  explicit HiddenDataset(GDALDataset& source) : DatasetView(source) {
    for (int band = 1; band <= source.GetRasterCount(); ++band) {
      SetBand(band, new HiddenBand(this, band, *source.GetRasterBand(band)));
    }
  }

 protected:
  CPLErr IRasterIO(GDALRWFlag, int, int, int, int, void*, int, int, GDALDataType, int, BandMap, GSpacing, GSpacing,
                   GSpacing, GDALRasterIOExtraArg*) override {
    return CE_None;
  }
};

}  // namespace

ValuesHidden::ValuesHidden(GDALDataset& source)
    : source_(source), view_(source.GetRootGroup() ? nullptr : std::make_unique<HiddenDataset>(source)) {}

ValuesHidden::~ValuesHidden() = default;

}  // namespace gdal_zarr
