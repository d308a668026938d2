// SPDX-License-Identifier: MIT
#include "driver/overviews/plain_band.h"

#include "driver/gdal/gdal_error.h"

namespace gdal_zarr {
namespace {

void TakeForm(GDALRasterBand& band, GDALDataType* type, int* width, int* height, int* block_width, int* block_height) {
  *type = band.GetRasterDataType();
  *width = band.GetXSize();
  *height = band.GetYSize();
  band.GetBlockSize(block_width, block_height);
}

bool IsAlpha(GDALRasterBand& band) {
  return band.GetColorInterpretation() == GCI_AlphaBand;
}

int GetOwnMaskFlags(GDALRasterBand& band) {
  return IsAlpha(band) ? GMF_ALPHA | GMF_PER_DATASET : band.GetMaskFlags();
}

/// A mask in whose windows not all pixels seem to be alike. GDAL only asks whether a pixel's number is 0.
class UnevenMask final : public GDALRasterBand {
 public:
  explicit UnevenMask(GDALRasterBand& mask) : mask_(mask) {
    TakeForm(mask, &eDataType, &nRasterXSize, &nRasterYSize, &nBlockXSize, &nBlockYSize);
  }

 protected:
  CPLErr IReadBlock(int x, int y, void* data) override {
    return Guard(CE_Failure, [&] { return mask_.ReadBlock(x, y, data); });
  }
  CPLErr IRasterIO(GDALRWFlag direction, int x, int y, int width, int height, void* data, int buffer_width,
                   int buffer_height, GDALDataType type, GSpacing pixel_stride, GSpacing line_stride,
                   GDALRasterIOExtraArg* extra) override {
    const CPLErr result = Guard(CE_Failure, [&] {
      return mask_.RasterIO(direction, x, y, width, height, data, buffer_width, buffer_height, type, pixel_stride,
                            line_stride, extra);
    });
    auto* const first = static_cast<GByte*>(data);
    if (result == CE_None && direction == GF_Read && type == GDT_Byte && *first != 0)
      *first = *first == 255 ? 254 : 255;
    return result;
  }

 private:
  GDALRasterBand& mask_;
};

}  // namespace

bool UsesColors(GDALRasterBand& band, const std::string& method) {
  // With other methods, GDAL takes the nearest index, or computes with the indices.
  bool averages = false;
  for (const char* name : {"AVERAGE", "RMS", "GAUSS"}) averages = averages || EQUAL(method.c_str(), name);
  return averages && band.GetColorInterpretation() == GCI_PaletteIndex && band.GetColorTable();
}

PlainBand::PlainBand(GDALRasterBand& band, const std::string& method)
    : band_(band),
      own_mask_(IsAlpha(band) ? &band : band.GetMaskBand()),
      own_mask_flags_(GetOwnMaskFlags(band)),
      color_interpretation_(IsAlpha(band) ? GCI_Undefined : band.GetColorInterpretation()) {
  TakeForm(band, &eDataType, &nRasterXSize, &nRasterYSize, &nBlockXSize, &nBlockYSize);
  poDS = band.GetDataset();
  nBand = band.GetBand();
  if (IsNeeded(band, method)) mask_ = std::make_unique<UnevenMask>(*own_mask_);
}

bool PlainBand::IsNeeded(GDALRasterBand& band, const std::string& method) {
  const bool has_sums = EQUAL(method.c_str(), "AVERAGE") || EQUAL(method.c_str(), "RMS");
  return has_sums && !GDALDataTypeIsComplex(band.GetRasterDataType()) && (GetOwnMaskFlags(band) & GMF_ALL_VALID) == 0;
}

CPLErr PlainBand::IReadBlock(int x, int y, void* data) {
  return Guard(CE_Failure, [&] { return band_.ReadBlock(x, y, data); });
}

CPLErr PlainBand::IRasterIO(GDALRWFlag direction, int x, int y, int width, int height, void* data, int buffer_width,
                            int buffer_height, GDALDataType type, GSpacing pixel_stride, GSpacing line_stride,
                            GDALRasterIOExtraArg* extra) {
  return Guard(CE_Failure, [&] {
    if (buffer_width == width && buffer_height == height) {
      return band_.RasterIO(direction, x, y, width, height, data, width, height, type, pixel_stride, line_stride,
                            extra);
    }
    return GDALRasterBand::IRasterIO(direction, x, y, width, height, data, buffer_width, buffer_height, type,
                                     pixel_stride, line_stride, extra);
  });
}

}  // namespace gdal_zarr
