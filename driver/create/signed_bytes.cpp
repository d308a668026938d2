// SPDX-License-Identifier: MIT
#include "driver/create/signed_bytes.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "driver/gdal/gdal_error.h"
#include "driver/gdal/views.h"

namespace gdal_zarr {
namespace {

bool HasSignedBytes(GDALRasterBand& band) {
  if (kHasInt8 || band.GetRasterDataType() != GDT_Byte) return false;  // newer versions warn of the item
  const char* type = band.GetMetadataItem("PIXELTYPE", "IMAGE_STRUCTURE");
  return type && EQUAL(type, "SIGNEDBYTE");
}

class SignedBand final : public BandView {
 public:
  SignedBand(GDALDataset* dataset, int number, GDALRasterBand& band) : BandView(dataset, number, band) {
    eDataType = GDT_Int16;
    GDALMajorObject::SetDescription(band.GetDescription());
  }

 protected:
  CPLErr IReadBlock(int x, int y, void* data) override {
    return Guard(CE_Failure, [&] {
      std::vector<std::int8_t> bytes(static_cast<std::size_t>(nBlockXSize) * static_cast<std::size_t>(nBlockYSize));
      const CPLErr result = band().ReadBlock(x, y, bytes.data());
      std::ranges::copy(bytes, static_cast<std::int16_t*>(data));
      return result;
    });
  }
  CPLErr IRasterIO(GDALRWFlag mode, int x, int y, int width, int height, void* data, int buffer_width,
                   int buffer_height, GDALDataType type, GSpacing pixel, GSpacing line,
                   GDALRasterIOExtraArg* extra) override {
    // NOLINTNEXTLINE(bugprone-parent-virtual-call): the proxy would ask the band of bytes
    return GDALRasterBand::IRasterIO(mode, x, y, width, height, data, buffer_width, buffer_height, type, pixel, line,
                                     extra);
  }
};

class SignedDataset final : public DatasetView {
 public:
  explicit SignedDataset(GDALDataset& source) : DatasetView(source) {
    for (int band = 1; band <= source.GetRasterCount(); ++band) {
      GDALRasterBand& raster = *source.GetRasterBand(band);
      SetBand(band, HasSignedBytes(raster) ? static_cast<GDALRasterBand*>(new SignedBand(this, band, raster))
                                           : new PlainBand(this, band, raster));
    }
  }

 protected:
  CPLErr IRasterIO(GDALRWFlag mode, int x, int y, int width, int height, void* data, int buffer_width,
                   int buffer_height, GDALDataType type, int band_count, BandMap bands, GSpacing pixel, GSpacing line,
                   GSpacing band, GDALRasterIOExtraArg* extra) override {
    // NOLINTNEXTLINE(bugprone-parent-virtual-call): as above
    return GDALDataset::IRasterIO(mode, x, y, width, height, data, buffer_width, buffer_height, type, band_count, bands,
                                  pixel, line, band, extra);
  }

 private:
  class PlainBand final : public BandView {
   public:
    PlainBand(GDALDataset* dataset, int number, GDALRasterBand& band) : BandView(dataset, number, band) {
      GDALMajorObject::SetDescription(band.GetDescription());
    }
  };
};

}  // namespace

std::unique_ptr<GDALDataset> MakeViewOfSignedBytes(GDALDataset& source) {
  for (int band = 1; band <= source.GetRasterCount(); ++band) {
    if (HasSignedBytes(*source.GetRasterBand(band))) return std::make_unique<SignedDataset>(source);
  }
  return nullptr;
}

}  // namespace gdal_zarr
