// SPDX-License-Identifier: MIT
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <utility>

#include "driver/dataset/native_metadata.h"
#include "driver/dataset/shared_resource.h"
#include "driver/dataset/unanswered_questions.h"
#include "driver/gdal/gdal_compat.h"
#include "driver/gdal/gdal_error.h"
#include "driver/multidim/group.h"
#include "driver/multidim/md_array.h"
#include "driver/raster/band_values.h"
#include "driver/raster/coordinates/band_coordinates.h"
#include "driver/raster/overview_file.h"
#include "driver/raster/raster_georeferencing.h"
#include "driver/raster/raster_levels.h"
#include "driver/raster/raster_pixels.h"
#include "driver/raster/raster_view.h"
#include "driver/raster/side_file_dataset.h"

namespace gdal_zarr {

struct OverviewBase;

/// An array as a raster, for GDAL's classic API.
class RasterDataset final : public SideFileDataset {
 public:
  /// `md_array` is the array's object in the multidimensional API. Throws zarr::Error if the array cannot be a raster.
  RasterDataset(std::shared_ptr<SharedResource> resource, std::shared_ptr<GDALMDArray> md_array,
                std::shared_ptr<const zarr::Array> array, const OpenOptions& options, const SliceRequest& slice);

  ~RasterDataset() override;

  CPLErr GetGeoTransform(GeoTransformOut transform) ZARR_CONST_SINCE_GDAL_3_12 override;
  const OGRSpatialReference* GetSpatialRef() const override;
  int GetGCPCount() override;
  const OGRSpatialReference* GetGCPSpatialRef() const override;
  const GDAL_GCP* GetGCPs() override;
  /// Returns true if these are the current ground control points.
  bool HasPoints(std::span<const GDAL_GCP> points, const OGRSpatialReference* srs);
  char** GetMetadataDomainList() override;
  MetadataList GetMetadata(const char* domain) override;
  const char* GetMetadataItem(const char* name, const char* domain) override;
  std::shared_ptr<GDALGroup> GetRootGroup() const override { return MakeRootGroup(resource_, nOpenFlags); }
  /// Sets the metadata domain SUBDATASETS.
  void SetSubdatasets(const CPLStringList& items) { native_metadata_.SetAll(items, "SUBDATASETS"); }
  char** GetFileList() override;

  // --- changes (raster_dataset_update.cpp) ------------------------------------------------------------------------

  /// Makes the dataset writable. Call this once, when it is created or opened for update.
  void EnableUpdate();
  /// If the user asked for it, computes stale parts of overviews again when the dataset is closed.
  void RefreshOverviewsAtClose() {
    refreshes_overviews_ = true;
    overview_unit_ = resource_->options().overview_unit;
  }
  /// Sets a change to make last, after all other data has been saved, when the dataset is closed.
  void SetLastChange(std::function<void()> change) { last_change_ = std::move(change); }
  /// The new names of dimensions that have another name in the source of a copy. Metadata of the source's bands are set
  /// under the new names.
  std::map<std::string, std::string>& renamed_dimensions() { return renamed_dimensions_; }
  CPLErr SetGeoTransform(GeoTransformIn transform) override;
  CPLErr SetSpatialRef(const OGRSpatialReference* srs) override;
  /// Saves pending data, and the consolidated metadata.
  FlushResult FlushCache(bool at_closing) override;
  CPLErr Close(ZARR_CLOSE_ARGUMENTS) ZARR_OVERRIDE_SINCE_GDAL_3_7;
  using GDALDataset::nOpenFlags;
  /// Finishes a newly created store when the dataset is closed. Reports errors to GDAL.
  CPLErr FinishStore();
  /// Computes the parts of the array's overviews again that lack changes. Reports errors to GDAL.
  CPLErr RefreshOverviews();
  /// Does the work of FlushCache, which in some versions of GDAL cannot report failure. Reports errors to GDAL.
  CPLErr SaveAll(bool at_closing);
  /// Saves everything and finishes the store. Afterwards, a store in an archive cannot be changed.
  CPLErr Complete() { return SaveAll(false) == CE_None ? FinishStore() : CE_Failure; }
  /// Stops saving, because the store is going to be removed.
  void Abandon() { resource_->edits().saving.Abandon(); }

  // --- changes of metadata (raster_dataset_metadata.cpp) -----------------------------------------------------------

  /// Items of the default domain become attributes of the array.
  CPLErr SetMetadata(MetadataList metadata, const char* domain) override;
  CPLErr SetMetadataItem(const char* name, const char* value, const char* domain) override;
  /// Shows the attributes that define categories, which a band has changed.
  void ShowFlags();
  /// Saves GCPs in a PAM file; fails if it cannot be written. They replace a geotransform.
  CPLErr SetGCPs(int count, const GDAL_GCP* points, const OGRSpatialReference* srs) override;
  using GDALPamDataset::SetGCPs;
  /// Fails: Zarr has no masks.
  CPLErr CreateMaskBand(int flags) override;

  // --- parts ------------------------------------------------------------------------------------------------------

  /// What the classes that work on this raster need.
  const RasterParts& parts() const { return parts_; }
  RasterGeoreferencing& georeferencing() { return georeferencing_; }
  /// Values that all bands share.
  BandValues& band_values() { return band_values_; }
  BandCoordinates& band_coordinates() { return band_coordinates_; }
  /// The overviews in the store, and the file for others.
  RasterLevels& levels() { return levels_; }
  OverviewFile& overview_file() { return overview_file_; }
  /// Reads and writes windows of pixels.
  RasterPixels& pixels() { return pixels_; }

 protected:
  CPLErr IRasterIO(GDALRWFlag direction, int x, int y, int width, int height, void* data, int buffer_width,
                   int buffer_height, GDALDataType type, int band_count, BandMap bands, GSpacing pixel_stride,
                   GSpacing line_stride, GSpacing band_stride, GDALRasterIOExtraArg* extra) override;
  /// Creates or refreshes the array's pyramid in the store, or removes it if there are no factors
  /// (raster_dataset_overviews.cpp). For v1, which has no groups, and for read-only datasets, GDAL creates overviews in
  /// a file.
  CPLErr IBuildOverviews(const char* resampling, int factor_count, const int* factors, int band_count, const int* bands,
                         GDALProgressFunc progress, void* progress_data, CSLConstList options) override;

 private:
  /// Creates the raster of one overview of `base`. It has bands and the base's extent, but no overviews.
  RasterDataset(const RasterDataset& base, std::shared_ptr<const zarr::Array> array);

  /// Makes the items attributes of the array, and removes the attributes of all other items that are shown. Those that
  /// define categories or colours stay: functions of bands remove them. Returns the items that are shown from then on.
  CPLStringList SaveItems(MDArray& array, const CPLStringList& items);
  /// Returns the items of a list that can be kept. Warns of the others if they are new: attributes that describe
  /// another dataset's georeferencing or bands do not apply to this one.
  CPLStringList WithoutReserved(CSLConstList metadata);
  /// Remove what is replaced by a geotransform or by ground control points, with a warning, like GDAL's driver GTiff. A
  /// copy has both if its source does.
  CPLErr RemoveSidePoints();
  CPLErr RemovePlace(const OGRSpatialReference* srs_of_points);
  /// Returns true if ground control points that a PAM file holds are all that places the raster.
  bool HasOnlySidePoints();
  CPLErr MakeLastChange();
  CPLErr RefreshAtClose();
  CPLErr RefreshUnit();
  /// Runs a change of the array's pyramid while no other thread or process changes it.
  CPLErr ChangePyramid(const std::function<CPLErr(const OverviewBase&)>& change);
  RasterGeoreferencing::Hooks MakeGeoreferencingHooks();
  RasterPixels::Hooks MakePixelHooks();
  void AddBands();
  RasterLevels::Hooks MakeLevelHooks();
  /// Reads data again that programs requested and could not get. Throws zarr::Error.
  void AskAgain();
  /// The functions that return the georeferencing or a part of it.
  enum PlaceQuestion : unsigned {
    kAsksSpatialRef = 1,
    kAsksGeoTransform = 2,
    kAsksControlPoints = 4,
    kAsksMetadata = 8
  };
  /// Loads the georeferencing. On failure, reports errors to GDAL and returns false; a later call tries again.
  bool HasPlace(PlaceQuestion question) const {
    const bool loaded = Guard(false, [this] { return georeferencing_.Load(), true; });
    unanswered_.Note(question, loaded);
    return loaded;
  }
  /// Returns true if loading the georeferencing sets items of a metadata domain.
  static bool NeedsPlace(const char* domain);
  void SetAttributes();
  /// Returns true if GDAL has a function for the meaning of an attribute, and that function returns it.
  bool IsSaidElsewhere(const std::string& attribute) const;
  void SetStructure();
  /// Shows which regions the overviews lack now.
  void UpdateStaleItem();
  /// Loads statistics, overviews and other user data from PAM files. Values in the store take precedence.
  void LoadSideFiles();
  /// Takes the descriptions of bands from the store where PAM files have none.
  void TakeDescriptions();
  /// Returns GDAL's name of this view of the array, for PAM.
  std::string MakeViewName() const;

  std::shared_ptr<SharedResource> resource_;
  std::shared_ptr<GDALMDArray> md_array_;
  RasterView view_;
  const RasterParts parts_{*this, md_array_, view_, resource_};
  NativeMetadata native_metadata_;
  RasterGeoreferencing georeferencing_;
  mutable UnansweredQuestions unanswered_;
  RasterPixels pixels_;
  std::map<std::string, std::string> renamed_dimensions_;
  BandValues band_values_;
  OverviewFile overview_file_;
  RasterLevels levels_;
  std::function<void()> last_change_;
  bool refreshes_overviews_ = false;
  std::string overview_unit_;  // to compute when the dataset is flushed; "" for none
  BandCoordinates band_coordinates_;
};

/// Casts a dataset to this class; returns null if it is of another class.
inline const RasterDataset* AsRasterDataset(const GDALDataset* dataset) {
  return dynamic_cast<const RasterDataset*>(dataset);
}
inline RasterDataset* AsRasterDataset(GDALDataset* dataset) {
  return const_cast<RasterDataset*>(AsRasterDataset(static_cast<const GDALDataset*>(dataset)));
}

}  // namespace gdal_zarr
