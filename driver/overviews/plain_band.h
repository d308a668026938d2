// SPDX-License-Identifier: MIT
#pragma once

#include <memory>
#include <string>

#include "driver/gdal/gdal_compat.h"

namespace gdal_zarr {

/// Returns true if GDAL computes levels from the colours of a palette: from means of its indices no level can be made.
bool UsesColors(GDALRasterBand& band, const std::string& method);

/// A band as the source of levels: without its overviews and its colours, of which GDAL uses neither there.
///
/// If GDAL finds no pixel without a value in the part that it works on, it may round the sums of cells in another way,
/// and need not avoid the nodata value. A band that may lack values always seems to lack some here: then it does not
/// matter in what parts a level is computed.
///
/// An alpha band is its own mask, as where GDAL computes overviews, though not where it reads with resampling.
class PlainBand final : public GDALRasterBand {
 public:
  PlainBand(GDALRasterBand& band, const std::string& method);

  /// Returns true if the values of levels could otherwise depend on the parts in which they are computed.
  static bool IsNeeded(GDALRasterBand& band, const std::string& method);

  double GetNoDataValue(int* has) override { return band_.GetNoDataValue(has); }
  int64_t GetNoDataValueAsInt64(int* has) override { return band_.GetNoDataValueAsInt64(has); }
  uint64_t GetNoDataValueAsUInt64(int* has) override { return band_.GetNoDataValueAsUInt64(has); }
  GDALRasterBand* GetMaskBand() override { return mask_ ? mask_.get() : own_mask_; }
  int GetMaskFlags() override { return own_mask_flags_; }
  int GetOverviewCount() override { return 0; }
  /// Not that of an alpha band, for which GDAL would not ask for the mask.
  GDALColorInterp GetColorInterpretation() override { return color_interpretation_; }

 protected:
  CPLErr IReadBlock(int x, int y, void* data) override;
  CPLErr IRasterIO(GDALRWFlag direction, int x, int y, int width, int height, void* data, int buffer_width,
                   int buffer_height, GDALDataType type, GSpacing pixel_stride, GSpacing line_stride,
                   GDALRasterIOExtraArg* extra) override;

 private:
  GDALRasterBand& band_;
  GDALRasterBand* const own_mask_;
  const int own_mask_flags_;
  const GDALColorInterp color_interpretation_;
  std::unique_ptr<GDALRasterBand> mask_;  // null if the band's own is used
};

}  // namespace gdal_zarr
