// SPDX-License-Identifier: MIT
#pragma once

#include "driver/gdal/gdal_compat.h"

#include <gdal_proxy.h>

#include <cstdint>

/// Base classes for views of other GDAL objects. A view forwards each call, except those that a derived class
/// overrides.
namespace gdal_zarr {

/// A view of a band, as a band of another dataset of the same size.
class BandView : public GDALProxyRasterBand {
 public:
  /// Both must outlive the view, which does not have a description yet.
  BandView(GDALDataset* dataset, int number, GDALRasterBand& band) : band_(band) {
    poDS = dataset;
    nBand = number;
    eDataType = band.GetRasterDataType();
    nRasterXSize = band.GetXSize();
    nRasterYSize = band.GetYSize();
    band.GetBlockSize(&nBlockXSize, &nBlockYSize);
  }

  // GDAL 3.6 does not forward these.
  int64_t GetNoDataValueAsInt64(int* has) override { return band_.GetNoDataValueAsInt64(has); }
  uint64_t GetNoDataValueAsUInt64(int* has) override { return band_.GetNoDataValueAsUInt64(has); }

 protected:
  GDALRasterBand& band() const { return band_; }
  GDALRasterBand* RefUnderlyingRasterBand(ZARR_BOOL_SINCE_GDAL_3_7) const override { return &band_; }

 private:
  GDALRasterBand& band_;
};

/// A view of a raster. The derived class sets its bands.
class DatasetView : public GDALProxyDataset {
 public:
  /// `source` must outlive the view.
  explicit DatasetView(GDALDataset& source) : source_(source) {
    nRasterXSize = source.GetRasterXSize();
    nRasterYSize = source.GetRasterYSize();
    SetDescription(source.GetDescription());
  }

 protected:
  GDALDataset& source() const { return source_; }
  GDALDataset* RefUnderlyingDataset() const override { return &source_; }

 private:
  GDALDataset& source_;
};

}  // namespace gdal_zarr
