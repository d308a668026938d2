// SPDX-License-Identifier: MIT
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "driver/cf/value_attributes.h"
#include "driver/dataset/native_metadata.h"
#include "driver/gdal/gdal_compat.h"
#include "driver/io/block_size.h"
#include "driver/raster/band_attributes.h"
#include "driver/raster/raster_view.h"

namespace gdal_zarr {

class RasterDataset;

/// What the bands of a dataset have in common when they are made.
struct SharedBandValues {
  GDALDataType type = GDT_Unknown;
  BlockSize block;
  std::shared_ptr<const std::string> unit;
};

/// A band of a RasterDataset: it has one index along each dimension other than X and Y.
class RasterBand final : public GDALPamRasterBand {
 public:
  RasterBand(RasterDataset* dataset, int band, const SharedBandValues& shared);

  double GetNoDataValue(int* has) override;
  int64_t GetNoDataValueAsInt64(int* has) override;
  uint64_t GetNoDataValueAsUInt64(int* has) override;
  double GetOffset(int* has) override;
  double GetScale(int* has) override;
  const char* GetUnitType() override;
  /// From attributes; never computed here.
  double GetMinimum(int* has) override;
  double GetMaximum(int* has) override;
  char** GetCategoryNames() override;
  /// From attributes, else from a side file.
  GDALColorTable* GetColorTable() override;
  GDALColorInterp GetColorInterpretation() override;
  /// Never the mask of a file `.msk`, see RasterDataset::IgnoreMaskFile.
  GDALRasterBand* GetMaskBand() override;
  int GetMaskFlags() override;
  int GetOverviewCount() override;
  GDALRasterBand* GetOverview(int level) override;
  /// The description that was given, else the band's place along the other dimensions: "2024-07-01T00:00:00Z, level=850
  /// hPa". Coordinates are read in the first call; after a failure, which leaves it empty, the next call tries again.
  const char* GetDescription() const override;
  char** GetMetadataDomainList() override;
  MetadataList GetMetadata(const char* domain) override;
  const char* GetMetadataItem(const char* name, const char* domain) override;
  /// Reads the window into the cache, from the array or from the overview that fits the scale. Never fails.
  CPLErr AdviseRead(int x, int y, int width, int height, int buffer_width, int buffer_height, GDALDataType type,
                    AdviseOptions options) override;
  /// Tells which part of a window is stored. Pixels that are not stored are empty only if they read as the nodata value
  /// or, without one, as zero; else all counts as data.
  int IGetDataCoverageStatus(int x, int y, int width, int height, int stop_mask, double* percentage) override;

  // These change the array, and thus all bands. A value that differs from one set through another band is refused.
  void EnableUpdate() { eAccess = GA_Update; }
  CPLErr SetNoDataValue(double value) override;
  CPLErr SetNoDataValueAsInt64(int64_t value) override;
  CPLErr SetNoDataValueAsUInt64(uint64_t value) override;
  CPLErr DeleteNoDataValue() override;
  CPLErr SetOffset(double offset) override;
  CPLErr SetScale(double scale) override;
  CPLErr SetUnitType(const char* unit) override;
  CPLErr SetColorInterpretation(GDALColorInterp interpretation) override;
  // These belong to each band alone.
  CPLErr SetMetadata(MetadataList metadata, const char* domain) override;
  CPLErr SetMetadataItem(const char* name, const char* value, const char* domain) override;
  void SetDescription(const char* description) override;
  /// Fails: Zarr has no masks.
  CPLErr CreateMaskBand(int flags) override;
  /// If the dataset has one band and no name has blanks, the names are saved as CF attributes.
  CPLErr SetCategoryNames(char** names) override;
  CPLErr SetColorTable(GDALColorTable* colors) override;

 protected:
  /// Leaves out a description that coordinates tell: they may change.
  CPLXMLNode* SerializeToXML(const char* path) override;
  CPLErr IWriteBlock(int block_x, int block_y, void* data) override;
  CPLErr IReadBlock(int block_x, int block_y, void* data) override;
  CPLErr IRasterIO(GDALRWFlag direction, int x, int y, int width, int height, void* data, int buffer_width,
                   int buffer_height, GDALDataType type, GSpacing pixel_stride, GSpacing line_stride,
                   GDALRasterIOExtraArg* extra) override;

 private:
  const zarr::JsonNode& GetAttributes() const;
  /// This band's item of an attribute that is a list, or a single value of an array of one band.
  std::optional<zarr::JsonNode> FindItem(const char* list) const;
  /// A member of its object in the attribute of bands.
  std::optional<zarr::JsonNode> FindOwn(const char* member) const;
  /// Whether a metadata item is what a list of changes wants it to be.
  bool HasItem(const std::string& name, const std::string& value) const;
  /// Runs a change of what this band has for itself. Reports errors to GDAL.
  CPLErr ChangeOwn(const std::function<void(zarr::JsonChanges& changes, const BandPlace& place)>& change);
  /// Whether pixels that are not stored are empty, as GDAL means it.
  bool IsFillEmpty() const;
  Window GetBlockWindow(int block_x, int block_y) const;
  /// Writes a buffer of another size to a window, without resampling other than to repeat or leave out pixels.
  CPLErr WriteResampled(const Window& window, const PixelBuffer& buffer, const Window& buffer_window,
                        const GDALRasterIOExtraArg* extra);
  /// The place of this band among all bands of the array, whose attributes have a list of them, and their number. In a
  /// dataset with a selection these are more than the dataset's.
  std::size_t GetBandIndex() const;
  std::size_t CountBands() const;
  /// Does the same for a change. Throws zarr::Error(unsupported) if there are so many bands that attributes cannot list
  /// them.
  std::size_t CountBandsToChange() const;
  /// `value` points to an element of `type`.
  CPLErr SaveNodata(const void* value, GDALDataType type);
  struct MetadataChange {
    std::string name;
    std::optional<std::string> value;  ///< Nothing if the item is removed.
  };
  /// Lists what differs between the items `before` and those that are wanted, and is not in the store yet.
  std::vector<MetadataChange> ListChanges(const CPLStringList& before, const CPLStringList& wanted) const;
  /// Adds the band's own metadata and the coordinates of the other dimensions, in the first call. Reports errors to
  /// GDAL, and returns false then; what could be read is added, and a later call tries again.
  bool LoadMetadata(const char* domain);
  /// Throws what reading the coordinates throws, after those are added that could be read.
  void LoadCoordinates();
  void ReadOwnCategories();
  /// Reports errors to GDAL, and finds none then.
  ValueRange FindValueRange();
  /// Adds the statistics that attributes give; this takes no time, so it is done at once.
  void TakeStatistics();

  RasterDataset& dataset_;
  std::shared_ptr<const std::string> unit_;  // one text for all bands, until a band sets its own
  NativeMetadata native_metadata_;
  CPLStringList told_by_coordinates_;        // the items among these that tell the band's place
  std::optional<CPLStringList> categories_;  // of this band alone; nothing until they are asked for
  bool has_own_categories_ = false;
  mutable std::optional<std::string> place_;  // in words; nothing until coordinates are read
  bool metadata_loaded_ = false;
  bool is_saving_side_file_ = false;
};

}  // namespace gdal_zarr
