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
#include "driver/raster/raster_pixels.h"
#include "driver/raster/raster_view.h"
#include "zarrlib/base/once.h"

namespace gdal_zarr {

struct OverviewBase;
struct OverviewRequest;

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
  /// Keeps GDAL from using the file <dataset name>.msk as a mask: GDAL would find it by only some names of a store, and
  /// it would outlive the store and then belong to another one.
  void IgnoreMaskFile();

  // --- changes (raster_dataset_update.cpp) ------------------------------------------------------------------------

  /// Makes the dataset writable. Call this once, when it is created or opened for update.
  void EnableUpdate();
  /// Sets what is to be changed last, when all else that the dataset holds has been saved and it is being closed.
  void SetLastChange(std::function<void()> change) { last_change_ = std::move(change); }
  CPLErr SetGeoTransform(GeoTransformIn transform) override;
  CPLErr SetSpatialRef(const OGRSpatialReference* srs) override;
  /// Adds the attributes of those conventions for the dataset's place; other attributes stay as they are.
  CPLErr AddConventions(const WriteConventions& added);
  /// Saves pending data, and the consolidated metadata.
  FlushResult FlushCache(bool at_closing) override;
  CPLErr Close(ZARR_CLOSE_ARGUMENTS) ZARR_OVERRIDE_SINCE_GDAL_3_7;
  using GDALDataset::nOpenFlags;
  /// Finishes a newly made store, when the dataset is closed. Reports errors to GDAL.
  CPLErr FinishStore();
  /// Does the work of FlushCache, which in some versions of GDAL cannot report failure. Reports errors to GDAL.
  CPLErr SaveAll(bool at_closing);
  /// Saves everything and finishes the store. After that, a store in an archive cannot be changed.
  CPLErr Complete() { return SaveAll(false) == CE_None ? FinishStore() : CE_Failure; }
  /// Saves nothing more, because the store is going to be removed.
  void Abandon() { resource_->edits().saving.Abandon(); }
  /// Runs a change of attributes that waits until the dataset is flushed. Reports errors to GDAL.
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
  /// GCPs are saved in a side file; fails if there can be none.
  CPLErr SetGCPs(int count, const GDAL_GCP* points, const OGRSpatialReference* srs) override;
  using GDALPamDataset::SetGCPs;
  /// As GDAL's, with all digits of the GCPs: GDAL rounds their pixels and lines to four decimals.
  CPLXMLNode* SerializeToXML(const char* path) override;
  /// Whether these are the present ground control points.
  bool HasPoints(std::span<const GDAL_GCP> points, const OGRSpatialReference* srs);
  /// Fails: Zarr has no masks.
  CPLErr CreateMaskBand(int flags) override;
  /// Reports an error if metadata of a domain need a side file, and there can be none.
  CPLErr CheckSideFile(const char* domain);
  /// Returns the items of a list that can be kept, and warns of the others, as far as they are new: attributes that
  /// describe another dataset's place or bands do not hold for this one.
  CPLStringList WithoutReserved(CSLConstList metadata);

  const RasterView& view() const { return view_; }
  GDALMDArray& md_array() const { return *md_array_; }

  /// What bands have in common.
  BandValues& band_values() { return band_values_; }

  /// Reads the place and the attributes of the array, unless that is done. Throws zarr::Error; a later call tries
  /// again.
  void LoadPlace() const;

  /// Reads the place of a band, counted from 0, see BandCoordinates.
  std::vector<BandCoordinate> ListBandCoordinates(int band) { return band_coordinates_.List(view_, *md_array_, band); }

  /// Notes that a band, counted from 0, could not tell its coordinates: the next read of values is an error, even if it
  /// has told them in between, because copying to GeoTIFF asks twice and keeps the first answer.
  void NoteUnansweredBand(int band) const noexcept;

  /// Counts the overviews, and finds them in the first call. The largest comes first.
  int CountOverviews();
  /// Returns a band of an overview. This dataset owns it. Returns null, with an error, if it cannot be opened.
  GDALRasterBand* GetOverviewBand(int level, int band);

  /// Windows of pixels, read and written.
  RasterPixels& pixels() { return pixels_; }

 protected:
  CPLErr IRasterIO(GDALRWFlag direction, int x, int y, int width, int height, void* data, int buffer_width,
                   int buffer_height, GDALDataType type, int band_count, BandMap bands, GSpacing pixel_stride,
                   GSpacing line_stride, GSpacing band_stride, GDALRasterIOExtraArg* extra) override;
  /// Makes, refreshes or, without factors, removes the array's pyramid in the store (raster_dataset_overviews.cpp). For
  /// v1, which has no groups, and for read-only datasets, GDAL makes overviews in a file.
  CPLErr IBuildOverviews(const char* resampling, int factor_count, const int* factors, int band_count, const int* bands,
                         GDALProgressFunc progress, void* progress_data, CSLConstList options) override;

 private:
  /// A level of the pyramid, opened on demand.
  struct Level {
    std::shared_ptr<const zarr::Array> array;
    RasterDataset* dataset = nullptr;
  };

  /// Makes the raster of one overview of `base`. It has bands and the base's extent, but no overviews.
  RasterDataset(const RasterDataset& base, std::shared_ptr<const zarr::Array> array);

  /// The array as this driver's object. Every array that can be changed is one.
  MDArray& array_object() const;
  /// The parts of the place, each of which a function sets.
  enum class PlacePart { kSpatialRef, kTransform, kRegistration };
  /// Saves the place, of which that part was set.
  CPLErr SaveGeoreferencing(PlacePart set);
  /// Saves the place if it waits. If that fails, it waits on: nothing is written without it.
  CPLErr SaveWaitingPlace();
  CPLErr MakeLastChange();
  struct StoredPlace;
  /// Calls `change` while no other process changes the place. Before, takes the parts from the store that another
  /// process may have set since, but for the one that was set; `change` gets what was stored, if that was read. Reports
  /// errors to GDAL.
  using PlaceChange = std::function<void(const OverviewBase& base, const StoredPlace* stored)>;
  CPLErr ChangePlace(const std::optional<PlacePart>& set, const PlaceChange& change);
  /// Saves the place, of which a part was set; without one it has waited, where others are not looked at.
  CPLErr SavePlace(const std::optional<PlacePart>& set);
  /// The array with the place that the dataset shows.
  OverviewBase MakeBase(MDArray& array) const;
  /// Saves the side file (PAM), in which other views of the store have their data too. Reports errors to GDAL; in a
  /// read-only dataset, as warnings.
  CPLErr SaveSideFile();
  /// Reports that a side file is not GDAL's, so it is not overwritten: a failure in update mode only.
  CPLErr LeaveForeignSideFile(const std::string& file);
  RasterPixels::Hooks MakePixelHooks();
  void AddBands();
  void FindLevels();
  /// Returns the name, without its ending ".ovr", of the overview file of this view of the array. Each slice has one of
  /// its own.
  std::string GetOverviewFileStem() const;
  /// Returns the name, without its ending ".ovr", of the overview file of an array at a store's root.
  std::string GetPlainOverviewFileStem() const;
  /// Reports an error if UseOverviewFile cannot work, or would overwrite a foreign file.
  CPLErr CheckOverviewFile();
  /// Makes GDAL use an overview file beside the array's metadata.
  void UseOverviewFile();
  CPLErr RemoveOverviews(const OverviewBase& base);
  CPLErr MakeOverviews(const OverviewBase& base, const OverviewRequest& request);
  /// Opens the dataset of a level, or finds it among the open ones.
  RasterDataset* OpenLevel(const std::shared_ptr<const zarr::Array>& array);
  /// Finds the levels again.
  void ReloadLevels();
  /// Reads again what programs have asked for and could not get. Throws zarr::Error.
  void AskAgain() const;
  /// The functions that tell the place, or a part of it.
  enum PlaceQuestion : unsigned {
    kAsksSpatialRef = 1,
    kAsksGeoTransform = 2,
    kAsksControlPoints = 4,
    kAsksMetadata = 8,
    kAsksBands = 16
  };
  /// Calls LoadPlace. Reports errors to GDAL, and returns false then; a later call tries again.
  bool HasPlace(PlaceQuestion question) const {
    const bool loaded = Guard(false, [this] { return LoadPlace(), true; });
    unanswered_.Note(question, loaded);
    return loaded;
  }
  /// Whether a domain of the metadata has items that LoadPlace sets.
  static bool NeedsPlace(const char* domain);
  /// The place, as the store tells it.
  struct StoredPlace {
    SpatialRef srs;
    std::optional<GeoTransform> transform;
    std::optional<ControlPoints> points;
    Registration registration = Registration::kUnknown;
    bool srs_contradicted = false;  ///< Whether another source says another one.
    bool transform_contradicted = false;
  };
  StoredPlace ReadPlace() const;
  void ReadTransform(const GeoContext& context, StoredPlace* place) const;
  void SetGeoreferencing();
  /// Warns of a geotransform in the side file that contradicts that of the store, and is not used.
  void CompareWithSideFile();
  /// Takes from the store what differs there, but for the part that was set. Returns false if the transform is there
  /// and cannot be read.
  bool MergePlace(const std::optional<PlacePart>& set, const StoredPlace& stored, bool had_errors);
  /// Whether the part that was set is stored as it is shown: then nothing is to be written.
  bool IsStored(PlacePart set, const StoredPlace& stored);
  /// Removes the part from the side file, which would tell it if the store did not.
  void RemoveFromSideFile(PlacePart set);
  /// Shows the place that is stored now. Reports errors to GDAL.
  CPLErr TakeStoredPlace();
  void SetAttributes();
  /// Whether GDAL has a function for what an attribute says, and that function returns it.
  bool IsSaidElsewhere(const std::string& attribute) const;
  void SetStructure();
  /// Loads statistics, overviews and other user data from side files. Values in the store take precedence.
  void LoadSideFiles();
  /// Returns GDAL's name of this view of the array, for PAM.
  std::string MakeViewName() const;
  /// Loads a view's data from a side file that was saved with GDAL 3.10 or later, with an earlier one.
  void LoadPamOfView(const std::string& view);

  std::shared_ptr<SharedResource> resource_;
  std::shared_ptr<GDALMDArray> md_array_;
  RasterView view_;
  NativeMetadata native_metadata_;
  SpatialRef srs_;
  std::optional<GeoTransform> transform_;
  std::optional<ControlPoints> points_;  // of the store; those of a side file take precedence
  bool is_point_ = false;
  bool srs_contradicted_ = false;
  bool transform_contradicted_ = false;
  mutable zarr::Once place_once_;  // for what LoadPlace sets: the attributes and the six members above
  mutable UnansweredQuestions unanswered_;
  mutable std::mutex unanswered_bands_mutex_;
  mutable std::set<int> unanswered_bands_;  // noted and not asked again yet
  // The thread that has set the place, which this thread is to save before it writes anything; none if no place waits.
  // Other threads only write blocks that GDAL takes out of its cache.
  std::atomic<std::thread::id> place_setter_{};
  RasterPixels pixels_;
  BandValues band_values_;
  std::optional<std::vector<Level>> levels_;  // nothing until they are looked for
  // All levels that were opened, also removed ones, because callers may still use their bands.
  std::vector<std::unique_ptr<RasterDataset>> level_datasets_;
  std::function<void()> last_change_;
  BandCoordinates band_coordinates_;
};

/// The dataset of this class that a dataset of GDAL's is; null if it is another one.
inline const RasterDataset* AsRasterDataset(const GDALDataset* dataset) {
  return dynamic_cast<const RasterDataset*>(dataset);
}
inline RasterDataset* AsRasterDataset(GDALDataset* dataset) {
  return const_cast<RasterDataset*>(AsRasterDataset(static_cast<const GDALDataset*>(dataset)));
}

}  // namespace gdal_zarr
