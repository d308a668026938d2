// SPDX-License-Identifier: MIT
#pragma once

#include <atomic>
#include <chrono>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "driver/dataset/native_metadata.h"
#include "driver/dataset/shared_resource.h"
#include "driver/dataset/unanswered_questions.h"
#include "driver/gdal/gdal_compat.h"
#include "driver/gdal/gdal_error.h"
#include "driver/georeferencing/georeferencing.h"
#include "driver/multidim/md_array.h"
#include "driver/raster/band_coordinates.h"
#include "driver/raster/band_values.h"
#include "driver/raster/control_points.h"
#include "driver/raster/overview_file.h"
#include "driver/raster/raster_levels.h"
#include "driver/raster/raster_pixels.h"
#include "driver/raster/raster_view.h"
#include "zarrlib/base/once.h"

namespace gdal_zarr {

struct OverviewBase;

/// An array as a raster, for GDAL's classic API.
class RasterDataset final : public GDALPamDataset {
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
  char** GetMetadataDomainList() override;
  MetadataList GetMetadata(const char* domain) override;
  const char* GetMetadataItem(const char* name, const char* domain) override;
  /// Sets the metadata domain SUBDATASETS.
  void SetSubdatasets(const CPLStringList& items) { native_metadata_.SetAll(items, "SUBDATASETS"); }
  char** GetFileList() override;

  // --- changes (raster_dataset_update.cpp) ------------------------------------------------------------------------

  /// Makes the dataset writable. Call this once, when it is created or opened for update.
  void EnableUpdate();
  /// Sets a change to make last, after all other data has been saved, when the dataset is closed.
  void SetLastChange(std::function<void()> change) { last_change_ = std::move(change); }
  CPLErr SetGeoTransform(GeoTransformIn transform) override;
  CPLErr SetSpatialRef(const OGRSpatialReference* srs) override;
  /// Writes the georeferencing in these conventions as well; other attributes stay unchanged.
  CPLErr AddConventions(const WriteConventions& added);
  /// Saves pending data, and the consolidated metadata.
  FlushResult FlushCache(bool at_closing) override;
  CPLErr Close(ZARR_CLOSE_ARGUMENTS) ZARR_OVERRIDE_SINCE_GDAL_3_7;
  using GDALDataset::nOpenFlags;
  /// Finishes a newly created store when the dataset is closed. Reports errors to GDAL.
  CPLErr FinishStore();
  /// Does the work of FlushCache, which in some versions of GDAL cannot report failure. Reports errors to GDAL.
  CPLErr SaveAll(bool at_closing);
  /// Saves everything and finishes the store. Afterwards, a store in an archive cannot be changed.
  CPLErr Complete() { return SaveAll(false) == CE_None ? FinishStore() : CE_Failure; }
  /// Stops saving, because the store is going to be removed.
  void Abandon() { resource_->edits().saving.Abandon(); }
  /// Runs a change of attributes that is saved when the dataset is flushed. Reports errors to GDAL.
  template <typename Function>
  CPLErr ChangeLater(Function&& function) {
    return GuardChange([&] {
      resource_->CheckWritable();
      resource_->edits().saving.Attempt([&] { function(array_object()); });
      return CE_None;
    });
  }
  /// Runs a change of an array property that all bands share, then loads the new metadata. Reports errors to GDAL.
  template <typename Function>
  CPLErr Change(Function&& function) {
    return GuardChange([&] {
      resource_->CheckWritable();
      resource_->edits().saving.Attempt([&] { function(array_object()); });
      view_.Replace(array_object().shared_array());
      return CE_None;
    });
  }

  // --- changes of metadata (raster_dataset_metadata.cpp) -----------------------------------------------------------

  /// Items of the default domain become attributes of the array.
  CPLErr SetMetadata(MetadataList metadata, const char* domain) override;
  CPLErr SetMetadataItem(const char* name, const char* value, const char* domain) override;
  /// Saves GCPs in a PAM file; fails if it cannot be written.
  CPLErr SetGCPs(int count, const GDAL_GCP* points, const OGRSpatialReference* srs) override;
  using GDALPamDataset::SetGCPs;
  /// Like GDAL's function, but with all digits of the GCPs: GDAL rounds their pixels and lines to four decimals.
  CPLXMLNode* SerializeToXML(const char* path) override;
  /// Returns true if these are the current ground control points.
  bool HasPoints(std::span<const GDAL_GCP> points, const OGRSpatialReference* srs);
  /// Fails: Zarr has no masks.
  CPLErr CreateMaskBand(int flags) override;
  /// Reports an error if metadata of a domain needs a PAM file, and it cannot be written.
  CPLErr CheckSideFile(const char* domain);
  /// Returns the items of a list that can be kept. Warns of the others if they are new: attributes that describe
  /// another dataset's georeferencing or bands do not apply to this one.
  CPLStringList WithoutReserved(CSLConstList metadata);

  const RasterView& view() const { return view_; }
  GDALMDArray& md_array() const { return *md_array_; }

  /// Values that all bands share.
  BandValues& band_values() { return band_values_; }

  /// Reads the georeferencing and the attributes of the array unless that is done. Throws zarr::Error; a later call
  /// tries again.
  void LoadPlace() const;

  /// Returns the position of a band, counted from 0, see BandCoordinates.
  std::vector<BandCoordinate> ListBandCoordinates(int band) { return band_coordinates_.List(view_, *md_array_, band); }

  /// Records that the coordinates of a band, counted from 0, could not be read. The next read of values is then an
  /// error, even if the coordinates have been read in the meantime: copying to GeoTIFF requests them twice and keeps
  /// the first result.
  void NoteUnansweredBand(int band) const noexcept;

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

  /// Returns the array as this driver's object. Every array that can be changed is one.
  MDArray& array_object() const;
  /// The parts of the georeferencing. Each has its own setter.
  enum class PlacePart { kSpatialRef, kTransform, kRegistration };
  /// Saves the georeferencing after the given part was set.
  CPLErr SaveGeoreferencing(PlacePart set);
  /// Saves the pending georeferencing. On failure it stays pending: nothing is written without it.
  CPLErr SaveWaitingPlace();
  CPLErr MakeLastChange();
  struct StoredPlace;
  /// Calls `change` while no other process changes the georeferencing. Before that, updates the parts that another
  /// process may have set, except the part that was set here. `change` gets the stored georeferencing if it was read.
  /// Reports errors to GDAL.
  using PlaceChange = std::function<void(const OverviewBase& base, const StoredPlace* stored)>;
  CPLErr ChangePlace(const std::optional<PlacePart>& set, const PlaceChange& change);
  /// Saves the georeferencing. `set` is the part that was set; it is nullopt for pending georeferencing, which is saved
  /// without reading the stored one.
  CPLErr SavePlace(const std::optional<PlacePart>& set);
  /// Returns the array with the georeferencing that the dataset shows.
  OverviewBase MakeBase(MDArray& array) const;
  /// Saves the PAM file, which also contains the data of other views of the store. Reports errors to GDAL; in a
  /// read-only dataset, as warnings.
  CPLErr SaveSideFile();
  /// Reports that a file of the PAM file's name was not written by GDAL and is therefore not overwritten. This is a
  /// failure in update mode only.
  CPLErr LeaveForeignSideFile(const std::string& file);
  RasterPixels::Hooks MakePixelHooks();
  void AddBands();
  RasterLevels::Hooks MakeLevelHooks();
  /// Reads data again that programs requested and could not get. Throws zarr::Error.
  void AskAgain() const;
  /// The functions that return the georeferencing or a part of it.
  enum PlaceQuestion : unsigned {
    kAsksSpatialRef = 1,
    kAsksGeoTransform = 2,
    kAsksControlPoints = 4,
    kAsksMetadata = 8,
    kAsksBands = 16
  };
  /// Calls LoadPlace. On failure, reports errors to GDAL and returns false; a later call tries again.
  bool HasPlace(PlaceQuestion question) const {
    const bool loaded = Guard(false, [this] { return LoadPlace(), true; });
    unanswered_.Note(question, loaded);
    return loaded;
  }
  /// Returns true if LoadPlace sets items of a metadata domain.
  static bool NeedsPlace(const char* domain);
  /// The georeferencing in the store.
  struct StoredPlace {
    SpatialRef srs;
    std::optional<GeoTransform> transform;
    std::optional<ControlPoints> points;
    Registration registration = Registration::kUnknown;
    bool srs_contradicted = false;  ///< True if another source contradicts it.
    bool transform_contradicted = false;
  };
  StoredPlace ReadPlace() const;
  void ReadTransform(const GeoContext& context, StoredPlace* place) const;
  void SetGeoreferencing();
  /// Warns of a geotransform in the PAM file that contradicts the store's, and is ignored.
  void CompareWithSideFile();
  /// Updates the parts that differ in the store, except the part that was set. Returns false if a transform is stored
  /// and cannot be read.
  bool MergePlace(const std::optional<PlacePart>& set, const StoredPlace& stored, bool had_errors);
  /// Returns true if the part that was set is stored as it is shown, so that it need not be written.
  bool IsStored(PlacePart set, const StoredPlace& stored);
  /// Removes the part from the PAM file, which would otherwise apply if the store did not define it.
  void RemoveFromSideFile(PlacePart set);
  /// Shows the georeferencing that is stored now. Reports errors to GDAL.
  CPLErr TakeStoredPlace();
  void SetAttributes();
  /// Returns true if GDAL has a function for the meaning of an attribute, and that function returns it.
  bool IsSaidElsewhere(const std::string& attribute) const;
  void SetStructure();
  /// Loads statistics, overviews and other user data from PAM files. Values in the store take precedence.
  void LoadSideFiles();
  /// Returns GDAL's name of this view of the array, for PAM.
  std::string MakeViewName() const;
  /// Loads the data of a view from a PAM file written by GDAL 3.10 or later, when this GDAL is older.
  void LoadPamOfView(const std::string& view);

  std::shared_ptr<SharedResource> resource_;
  std::shared_ptr<GDALMDArray> md_array_;
  RasterView view_;
  NativeMetadata native_metadata_;
  SpatialRef srs_;
  std::optional<GeoTransform> transform_;
  std::optional<ControlPoints> points_;  // from the store; points in a PAM file take precedence
  bool is_point_ = false;
  bool srs_contradicted_ = false;
  bool transform_contradicted_ = false;
  mutable zarr::Once place_once_;  // guards everything that LoadPlace sets: the attributes and the six members above
  mutable UnansweredQuestions unanswered_;
  mutable std::mutex unanswered_bands_mutex_;
  mutable std::set<int> unanswered_bands_;  // recorded and not read again yet
  // The thread that set the pending georeferencing, and must save it before it writes pixels; empty if none is pending.
  // Other threads only write blocks that GDAL evicts from its cache.
  std::atomic<std::thread::id> place_setter_{};
  RasterPixels pixels_;
  BandValues band_values_;
  OverviewFile overview_file_;
  RasterLevels levels_;
  std::function<void()> last_change_;
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
