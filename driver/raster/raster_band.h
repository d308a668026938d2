#pragma once

#include <memory>
#include <optional>
#include <string>

#include "driver/dataset/native_metadata.h"
#include "driver/gdal/gdal_compat.h"
#include "driver/raster/raster_view.h"

namespace gdal_zarr {

class RasterDataset;

/// A band of a RasterDataset: one index along each of the dimensions that are not X and Y.
class RasterBand final : public GDALPamRasterBand {
 public:
  RasterBand(RasterDataset* dataset, int band);

  double GetNoDataValue(int* has) override;
  int64_t GetNoDataValueAsInt64(int* has) override;
  uint64_t GetNoDataValueAsUInt64(int* has) override;
  double GetOffset(int* has) override;
  double GetScale(int* has) override;
  const char* GetUnitType() override;
  /// Told by attributes; never computed here.
  double GetMinimum(int* has) override;
  double GetMaximum(int* has) override;
  char** GetCategoryNames() override;
  /// Told by attributes, else by a side file.
  GDALColorTable* GetColorTable() override;
  GDALColorInterp GetColorInterpretation() override;
  /// Never that of a file `.msk`, see RasterDataset::IgnoreMaskFile.
  GDALRasterBand* GetMaskBand() override;
  int GetMaskFlags() override;
  int GetOverviewCount() override;
  GDALRasterBand* GetOverview(int level) override;
  char** GetMetadataDomainList() override;
  MetadataList GetMetadata(const char* domain) override;
  const char* GetMetadataItem(const char* name, const char* domain) override;
  /// Reads the window into the cache, if it is wanted at this scale, or that of an overview. Never fails.
  CPLErr AdviseRead(int x, int y, int width, int height, int buffer_width, int buffer_height, GDALDataType type,
                    AdviseOptions options) override;

  // Changes are those of the array, and thus of all bands. A value other than one that was set through another band is
  // refused.
  void EnableUpdate() { eAccess = GA_Update; }
  CPLErr SetNoDataValue(double value) override;
  CPLErr SetNoDataValueAsInt64(int64_t value) override;
  CPLErr SetNoDataValueAsUInt64(uint64_t value) override;
  CPLErr DeleteNoDataValue() override;
  CPLErr SetOffset(double offset) override;
  CPLErr SetScale(double scale) override;
  CPLErr SetUnitType(const char* unit) override;
  CPLErr SetColorInterpretation(GDALColorInterp interpretation) override;
  // These each band has for itself.
  CPLErr SetMetadata(MetadataList metadata, const char* domain) override;
  CPLErr SetMetadataItem(const char* name, const char* value, const char* domain) override;
  void SetDescription(const char* description) override;
  /// An error: Zarr has no masks.
  CPLErr CreateMaskBand(int flags) override;
  /// With one band, as CF has them, if names are without blanks.
  CPLErr SetCategoryNames(char** names) override;
  CPLErr SetColorTable(GDALColorTable* colors) override;

 protected:
  CPLErr IWriteBlock(int block_x, int block_y, void* data) override;
  CPLErr IReadBlock(int block_x, int block_y, void* data) override;
  CPLErr IRasterIO(GDALRWFlag direction, int x, int y, int width, int height, void* data, int buffer_width,
                   int buffer_height, GDALDataType type, GSpacing pixel_stride, GSpacing line_stride,
                   GDALRasterIOExtraArg* extra) override;

 private:
  const zarr::JsonNode& Attributes() const;
  Window BlockWindow(int block_x, int block_y) const;
  std::size_t band_index() const { return static_cast<std::size_t>(nBand - 1); }
  std::size_t band_count() const;
  /// `value` is an element of that type.
  CPLErr SaveNodata(const void* value, GDALDataType type);
  /// Puts the coordinates of the other dimensions into the metadata, when these are first asked for.
  void LoadMetadata(const char* domain);
  /// Those that attributes tell are there from the start: they cost nothing.
  void TakeStatistics();

  RasterDataset& dataset_;
  std::string unit_;
  NativeMetadata native_metadata_;
  std::optional<CPLStringList> categories_;  // nothing until they are asked for
  std::optional<GDALColorTable> colors_;     // the same; without entries if there are none
  bool metadata_loaded_ = false;
};

}  // namespace gdal_zarr
