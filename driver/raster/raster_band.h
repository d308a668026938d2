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

/// Values that the bands of a dataset share when they are created.
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
  /// Read from attributes; never computed here.
  double GetMinimum(int* has) override;
  double GetMaximum(int* has) override;
  char** GetCategoryNames() override;
  /// Read from attributes, otherwise from a PAM file.
  GDALColorTable* GetColorTable() override;
  GDALColorInterp GetColorInterpretation() override;
  /// Never the mask of a `.msk` file, see OverviewFile::IgnoreMaskFile.
  GDALRasterBand* GetMaskBand() override;
  int GetMaskFlags() override;
  int GetOverviewCount() override;
  GDALRasterBand* GetOverview(int level) override;
  /// Returns the description that was set, otherwise the band's position along the other dimensions:
  /// "2024-07-01T00:00:00Z, level=850 hPa". The first call reads the coordinates. After a failure, which leaves the
  /// description empty, the next call tries again.
  const char* GetDescription() const override;
  /// Takes the description from the store unless a PAM file, which is loaded before, has one.
  void TakeDescription();
  char** GetMetadataDomainList() override;
  MetadataList GetMetadata(const char* domain) override;
  const char* GetMetadataItem(const char* name, const char* domain) override;
  /// Reads the window into the cache, from the array or from the overview that matches the scale. Never fails.
  CPLErr AdviseRead(int x, int y, int width, int height, int buffer_width, int buffer_height, GDALDataType type,
                    AdviseOptions options) override;
  /// Returns which part of a window is stored. Pixels that are not stored count as empty only if they read as the
  /// nodata value or, without a nodata value, as zero. Otherwise everything counts as data.
  int IGetDataCoverageStatus(int x, int y, int width, int height, int stop_mask, double* percentage) override;

  // These change the array, and thus all bands. A value that differs from one set through another band is rejected.
  void EnableUpdate() { eAccess = GA_Update; }
  CPLErr SetNoDataValue(double value) override;
  CPLErr SetNoDataValueAsInt64(int64_t value) override;
  CPLErr SetNoDataValueAsUInt64(uint64_t value) override;
  CPLErr DeleteNoDataValue() override;
  CPLErr SetOffset(double offset) override;
  CPLErr SetScale(double scale) override;
  CPLErr SetUnitType(const char* unit) override;
  CPLErr SetColorInterpretation(GDALColorInterp interpretation) override;
  // These apply to one band only.
  CPLErr SetMetadata(MetadataList metadata, const char* domain) override;
  CPLErr SetMetadataItem(const char* name, const char* value, const char* domain) override;
  void SetDescription(const char* description) override;
  /// Fails: Zarr has no masks.
  CPLErr CreateMaskBand(int flags) override;
  /// If the dataset has one band and no name contains blanks, saves the names as CF attributes.
  CPLErr SetCategoryNames(char** names) override;
  CPLErr SetColorTable(GDALColorTable* colors) override;

 protected:
  /// Leaves out a description that the store has or that is derived from coordinates, because both may change.
  CPLXMLNode* SerializeToXML(const char* path) override;
  CPLErr IWriteBlock(int block_x, int block_y, void* data) override;
  CPLErr IReadBlock(int block_x, int block_y, void* data) override;
  CPLErr IRasterIO(GDALRWFlag direction, int x, int y, int width, int height, void* data, int buffer_width,
                   int buffer_height, GDALDataType type, GSpacing pixel_stride, GSpacing line_stride,
                   GDALRasterIOExtraArg* extra) override;

 private:
  /// Returns the number of overviews in the store.
  int CountLevels();
  const zarr::JsonNode& GetAttributes() const;
  /// Returns this band's item of a list attribute, or the single value if the array has one band.
  std::optional<zarr::JsonNode> FindItem(const char* list) const;
  /// Returns a member of this band's object in the attribute `gdal:bands`.
  std::optional<zarr::JsonNode> FindOwn(const char* member) const;
  /// Returns true if a metadata item already has the wanted value in the store.
  bool HasItem(const std::string& name, const std::string& value) const;
  /// Notes that all levels of the array's overviews are stale. Reports errors to GDAL.
  CPLErr NoteOtherLevels();
  /// Runs a change of values that belong to this band only. Reports errors to GDAL.
  CPLErr ChangeOwn(const std::function<void(zarr::JsonChanges& changes, const BandPlace& place)>& change);
  /// Returns true if pixels that are not stored are empty in GDAL's sense.
  bool IsFillEmpty() const;
  Window GetBlockWindow(int block_x, int block_y) const;
  /// Writes a buffer of another size to a window. Repeats or leaves out pixels; does no other resampling.
  CPLErr WriteResampled(const Window& window, const PixelBuffer& buffer, const Window& buffer_window,
                        const GDALRasterIOExtraArg* extra);
  /// The index of this band among all bands of the array, and their number. List attributes have an item for each of
  /// them. In a dataset with a selection, the array has more bands than the dataset.
  std::size_t GetBandIndex() const;
  std::size_t CountBands() const;
  /// Like CountBands, for a change. Throws zarr::Error(unsupported) if there are too many bands to list in attributes.
  std::size_t CountBandsToChange() const;
  /// `value` points to an element of `type`.
  CPLErr SaveNodata(const void* value, GDALDataType type);
  /// Saves a scale or an offset. One that changes no value is not stored where there is none.
  CPLErr SaveConversion(const char* name, double number, double neutral);
  /// Returns true if removing a value that this process does not know is worth a lookup of the stored one.
  bool MayHaveChanged() const;
  struct MetadataChange {
    std::string name;
    std::optional<std::string> value;  ///< Nullopt if the item is removed.
  };
  /// Lists the differences between the items `before` and the wanted items, without those that are already stored.
  std::vector<MetadataChange> ListChanges(const CPLStringList& before, const CPLStringList& wanted) const;
  /// Adds the band's own metadata and the coordinates of the other dimensions, in the first call. On failure, reports
  /// errors to GDAL, adds the items that could be read, and returns false; a later call tries again.
  bool LoadMetadata(const char* domain);
  /// Adds the resampling method of an overview. The layout may tell another one when levels were made again.
  void TakeMethod();
  /// Adds the coordinates that could be read, then throws the first error from reading, if any.
  void LoadCoordinates();
  void ReadOwnCategories();
  /// Returns an empty range on failure, and reports the error to GDAL.
  ValueRange FindValueRange();
  /// Adds the statistics from attributes. This is cheap, so it is done immediately.
  void TakeStatistics();

  RasterDataset& dataset_;
  std::shared_ptr<const std::string> unit_;  // one string for all bands, until a band sets its own
  NativeMetadata native_metadata_;
  CPLStringList told_elsewhere_;             // the items among these that coordinates or a layout tell
  std::optional<CPLStringList> categories_;  // of this band only; nullopt until they are requested
  bool has_own_categories_ = false;
  mutable std::optional<std::string> place_;  // in words; nullopt until the coordinates are read
  bool metadata_loaded_ = false;
  bool is_saving_side_file_ = false;
  bool is_description_stored_ = true;  // false if it was set in a read-only dataset or is in a PAM file
};

}  // namespace gdal_zarr
