#pragma once

#include <chrono>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "driver/dataset/native_metadata.h"
#include "driver/dataset/shared_resource.h"
#include "driver/gdal/gdal_compat.h"
#include "driver/gdal/gdal_error.h"
#include "driver/georeferencing/coordinates/regular_axis.h"
#include "driver/georeferencing/georeferencing.h"
#include "driver/multidim/md_array.h"
#include "driver/raster/raster_view.h"

namespace gdal_zarr {

struct OverviewBase;
struct OverviewRequest;

/// An array as a raster.
class RasterDataset final : public GDALPamDataset {
 public:
  /// `md_array` is the same array for the multidimensional API. Throws zarr::Error for one that cannot be a raster.
  RasterDataset(std::shared_ptr<SharedResource> resource, std::shared_ptr<GDALMDArray> md_array,
                std::shared_ptr<const zarr::Array> array, const OpenOptions& options,
                const std::vector<std::uint64_t>& fixed);

  ~RasterDataset() override;

  CPLErr GetGeoTransform(GeoTransformOut transform) ZARR_CONST_SINCE_GDAL_3_12 override;
  const OGRSpatialReference* GetSpatialRef() const override;
  char** GetMetadataDomainList() override;
  MetadataList GetMetadata(const char* domain) override;
  const char* GetMetadataItem(const char* name, const char* domain) override;
  char** GetFileList() override;
  /// Keeps GDAL from looking for a mask in the file that has the dataset's name with .msk behind it: it would be found
  /// by some of the names of a store only, stay behind when the store goes, and then be that of another one.
  void IgnoreMaskFile();

  // --- changing it (raster_dataset_write.cpp) ------------------------------------------------------------------

  /// Lets the dataset be written to. To be called once, by who creates or opens it for update.
  void EnableUpdate();
  CPLErr SetGeoTransform(GeoTransformIn transform) override;
  CPLErr SetSpatialRef(const OGRSpatialReference* srs) override;
  /// Items of the default domain are attributes of the array.
  CPLErr SetMetadata(MetadataList metadata, const char* domain) override;
  CPLErr SetMetadataItem(const char* name, const char* value, const char* domain) override;
  /// They go to a side file; an error where there can be none.
  CPLErr SetGCPs(int count, const GDAL_GCP* points, const OGRSpatialReference* srs) override;
  using GDALPamDataset::SetGCPs;
  /// An error: Zarr has no masks.
  CPLErr CreateMaskBand(int flags) override;
  /// Stores what waits, and the consolidated metadata.
  FlushResult FlushCache(bool at_closing) override;
  CPLErr Close(ZARR_CLOSE_ARGUMENTS) ZARR_OVERRIDE_SINCE_GDAL_3_7;
  using GDALDataset::nOpenFlags;
  /// For what closes a dataset: finishes a store that was made. Reports errors to GDAL.
  CPLErr FinishStore();
  /// What FlushCache does, which does not tell of failure in all versions of GDAL. Reports errors to GDAL.
  CPLErr SaveAll(bool at_closing);
  /// Both: all is stored then, and of a store in an archive nothing can be changed.
  CPLErr Complete() { return SaveAll(false) == CE_None ? FinishStore() : CE_Failure; }
  /// Nothing more is to be stored: what was made is going to be removed.
  void Abandon() { resource_->Abandon(); }
  /// Writes a window whose pixels are those of the buffer. Reports errors to GDAL.
  CPLErr WriteWindow(const Window& window, std::span<const int> bands, const PixelBuffer& buffer,
                     const GDALRasterIOExtraArg* extra);
  /// Reports an error for metadata of a domain that go to a side file, where there can be none.
  CPLErr CheckSideFile(const char* domain);
  /// Stores an attribute that GDAL has for each band and the array for all: a value other than one that was set
  /// through another band is refused. If it has not been set through all bands in the end, there is a warning.
  CPLErr ChangeBandAttribute(int band, const std::string& name, const std::optional<zarr::JsonNode>& value);
  /// Runs a change of the nodata value, which all bands have in common, too, to an element of the array's type, or to
  /// none if `value` is empty.
  CPLErr ChangeNodata(int band, std::span<const std::byte> value, const std::function<void(MDArray&)>& change);
  /// The same for a block that GDAL hands over: what else it keeps does not matter, and since it comes alone, it waits
  /// for others to be encoded with.
  CPLErr WriteBlockWindow(const Window& window, int band, const PixelBuffer& buffer) {
    return WritePixels(window, {&band, 1}, buffer, nullptr, true);
  }
  /// Runs a change of the array that bands have in common; then takes over its new metadata. Reports errors to GDAL.
  template <typename Function>
  CPLErr Change(Function&& function) {
    return Guard(
        CE_Failure,
        [&] {
          resource_->CheckWritable();
          resource_->Attempt([&] { function(array_object()); });
          view_.Replace(array_object().shared_array());
          return CE_None;
        },
        Activity::kWriting);
  }

  const RasterView& view() const { return view_; }
  GDALMDArray& md_array() const { return *md_array_; }
  /// The element of a dimension's coordinate array, as text; nothing if there is none, or if reading coordinates has
  /// taken longer than the open option LOAD_EXTRA_DIM_METADATA_DELAY allows.
  std::optional<std::string> Coordinate(std::size_t dimension, std::uint64_t index);

  /// The smaller versions of the raster, the largest first; found when first asked for.
  int OverviewCount();
  /// A band of one of them, which belongs to this dataset; null, with an error, where it cannot be opened.
  GDALRasterBand* OverviewBand(int level, int band);

  /// Reads a window whose pixels are those of the buffer. Reports errors to GDAL.
  CPLErr ReadWindow(const Window& window, std::span<const int> bands, const PixelBuffer& buffer, bool use_cache,
                    const GDALRasterIOExtraArg* extra) const;
  /// Reads a window of a band (from 0) into the cache. Never fails.
  void ReadWindowAhead(const Window& window, int band, CSLConstList options) const;

 protected:
  CPLErr IRasterIO(GDALRWFlag direction, int x, int y, int width, int height, void* data, int buffer_width,
                   int buffer_height, GDALDataType type, int band_count, BandMap bands, GSpacing pixel_stride,
                   GSpacing line_stride, GSpacing band_stride, GDALRasterIOExtraArg* extra) override;
  /// Makes, refreshes or, without factors, removes the array's pyramid in the store (raster_dataset_overviews.cpp);
  /// one in a file of GDAL's for v1, which has no groups, and where the dataset is open for reading only.
  CPLErr IBuildOverviews(const char* resampling, int factor_count, const int* factors, int band_count, const int* bands,
                         GDALProgressFunc progress, void* progress_data, CSLConstList options) override;

 private:
  /// A level of a pyramid, opened when it is first asked for.
  struct Level {
    std::shared_ptr<const zarr::Array> array;
    RasterDataset* dataset = nullptr;
  };

  /// The raster of one of `base`'s smaller versions. It has bands, the same extent, and no overviews of its
  /// own.
  RasterDataset(const RasterDataset& base, std::shared_ptr<const zarr::Array> array);

  /// The array as an object of this driver, which it is wherever it can be changed.
  MDArray& array_object() const;
  /// Takes note of a value that bands have in common, set through one of them, in the place of another one.
  void NoteBandValue(int band, const std::string& name, const std::optional<zarr::JsonNode>& value,
                     const std::optional<zarr::JsonNode>& before);
  void CheckBandValue(int band, const std::string& name, const std::optional<zarr::JsonNode>& value) const;
  /// Of values that others bands have got, too, though they were not set through these.
  void WarnOfBandValues();
  CPLErr SaveGeoreferencing();
  /// Saves what goes to a side file (PAM), in which other views of the store keep theirs. Reports errors to GDAL; where
  /// the store is open for reading only, they are warnings.
  CPLErr SaveSideFile();
  /// Reports that what should be saved cannot be, for the file is another's: a failure in update mode only.
  CPLErr LeaveForeignSideFile(const std::string& file);
  CPLErr WritePixels(const Window& window, std::span<const int> bands, const PixelBuffer& buffer,
                     const GDALRasterIOExtraArg* extra, bool defer);
  /// Writes the dirty blocks that GDAL keeps of the bands, before the array is read past them.
  CPLErr FlushBlocks() const;
  /// Drops what GDAL keeps of a window that was written past it.
  void DropBlocks(const Window& window, std::span<const int> bands);

  void AddBands();
  void FindLevels();
  /// Without its ending ".ovr", the file for the overviews of an array that is a store.
  std::string PlainOverviewFileStem() const;
  /// Reports an error where `UseOverviewFile` cannot work, or would write over another's file.
  CPLErr CheckOverviewFile();
  /// Lets GDAL keep overviews in a file beside the array's metadata.
  void UseOverviewFile();
  CPLErr RemoveOverviews(const OverviewBase& base);
  CPLErr MakeOverviews(const OverviewBase& base, const OverviewRequest& request);
  /// The dataset of a level, which may be one that is open already.
  RasterDataset* OpenLevel(const std::shared_ptr<const zarr::Array>& array);
  /// Looks for the levels again.
  void ReloadLevels();
  void SetGeoreferencing();
  void SetAttributes();
  /// Whether GDAL has a place of its own for what an attribute says, and it was found there.
  bool IsSaidElsewhere(const std::string& attribute) const;
  void SetStructure();
  /// Statistics, overviews and whatever else a user has added. They do not go before what the store tells.
  void LoadSideFiles(const std::vector<std::uint64_t>& fixed);
  /// The edges of pixels along a dimension, by its coordinates and their CF `bounds`, in units of the SRS.
  std::optional<RegularAxis> EdgesAlong(std::size_t dimension) const;
  std::optional<GeoTransform> FromCoordinates() const;

  std::shared_ptr<SharedResource> resource_;
  std::shared_ptr<GDALMDArray> md_array_;
  RasterView view_;
  NativeMetadata native_metadata_;
  SpatialRef srs_;
  std::optional<GeoTransform> transform_;
  bool is_point_ = false;
  struct BandValue {
    std::set<int> bands;  // through which it was set
    std::optional<zarr::JsonNode> value;
    std::optional<zarr::JsonNode> before;
  };
  std::map<std::string, BandValue> band_values_;  // what ChangeBandAttribute and ChangeNodata stored
  std::optional<std::vector<Level>> levels_;      // nothing until they are looked for
  // All that have been opened, of levels that are gone as well: their bands belong to whoever has asked for them.
  std::vector<std::unique_ptr<RasterDataset>> level_datasets_;
  double coordinate_budget_;  // seconds
  std::chrono::duration<double> coordinate_time_{0};
};

}  // namespace gdal_zarr
