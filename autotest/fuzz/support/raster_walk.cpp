// SPDX-License-Identifier: MIT
#include "autotest/fuzz/support/raster_walk.h"

#include <algorithm>
#include <vector>

#include "autotest/fuzz/support/checks.h"
#include "autotest/fuzz/support/small_arrays.h"

namespace zarr::fuzz {
namespace {

constexpr int kMaxBands = 3;
constexpr int kMaxEdge = 16;

void AskForMetadata(GDALMajorObject& object) {
  char** const domains = object.GetMetadataDomainList();
  for (int i = 0; i < CSLCount(domains); ++i) object.GetMetadata(domains[i]);
  CSLDestroy(domains);
  object.GetMetadata();
  object.GetMetadata("IMAGE_STRUCTURE");
  object.GetDescription();
}

void AskForPlace(GDALDataset& dataset) {
  double transform[6];
  dataset.GetGeoTransform(transform);
  dataset.GetGCPCount();
  dataset.GetGCPs();
  dataset.GetGCPSpatialRef();
  if (const OGRSpatialReference* const reference = dataset.GetSpatialRef()) {
    char* wkt = nullptr;
    reference->exportToWkt(&wkt);
    CPLFree(wkt);
  }
}

bool HasSmallBlocks(GDALRasterBand& band) {
  int width = 0;
  int height = 0;
  band.GetBlockSize(&width, &height);
  Require(width > 0 && height > 0, "a block has elements");
  return std::int64_t{width} * height <= kMaxBlockElements;
}

void Read(GDALRasterBand& band) {
  const int width = std::min(band.GetXSize(), kMaxEdge);
  const int height = std::min(band.GetYSize(), kMaxEdge);
  std::vector<double> values(static_cast<std::size_t>(kMaxEdge) * kMaxEdge * 2);
  // A window that cannot be read is no finding.
  const CPLErr first =
      band.RasterIO(GF_Read, 0, 0, width, height, values.data(), width, height, GDT_CFloat64, 0, 0, nullptr);
  if (first != CE_None || !HasSmallBlocks(band)) return;
  const CPLErr last = band.RasterIO(GF_Read, band.GetXSize() - width, band.GetYSize() - height, width, height,
                                    values.data(), 3, 2, GDT_Float64, 0, 0, nullptr);
  static_cast<void>(last);
}

void WalkBand(GDALRasterBand& band) {
  AskForMetadata(band);
  band.GetNoDataValue();
  band.GetOffset();
  band.GetScale();
  band.GetUnitType();
  band.GetColorTable();
  band.GetColorInterpretation();
  band.GetCategoryNames();
  band.GetMaskFlags();
  for (int i = 0; i < std::min(band.GetOverviewCount(), 3); ++i) {
    GDALRasterBand* const overview = band.GetOverview(i);
    if (overview != nullptr) Read(*overview);
  }
  Read(band);
}

}  // namespace

void WalkRaster(GDALDataset& dataset) {
  AskForMetadata(dataset);
  AskForPlace(dataset);
  Require(dataset.GetRasterXSize() > 0 || dataset.GetRasterCount() == 0, "a raster with bands has columns");
  for (int i = 1; i <= std::min(dataset.GetRasterCount(), kMaxBands); ++i) WalkBand(*dataset.GetRasterBand(i));
}

}  // namespace zarr::fuzz
