// SPDX-License-Identifier: MIT
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "driver/dataset/editable_array.h"
#include "driver/dataset/live_objects.h"
#include "driver/dataset/parts/pam_entries.h"
#include "driver/dataset/shared_resource.h"
#include "driver/dataset/unanswered_questions.h"
#include "driver/gdal/gdal_compat.h"
#include "driver/gdal/gdal_error.h"
#include "driver/io/strided_request.h"
#include "driver/multidim/attribute.h"
#include "driver/multidim/current_array.h"
#include "driver/types/type_map.h"
#include "zarrlib/array/array.h"
#include "zarrlib/json/json_node.h"

namespace gdal_zarr {

class CoordinateSet;
struct GeoContext;
struct OriginalArray;
struct RasterAxes;

/// An array of a store, for GDAL's multidimensional API. In a read-only dataset, the object does not change. In update
/// mode, there is one object per array. Changes are saved immediately, except that changes of attributes are saved when
/// the dataset is flushed. The object follows its array when the array moves, and fails all calls that need the store
/// after the array has been deleted.
class MDArray final : public GDALPamMDArray, public EditableArray, public LiveObject {
 public:
  /// Opens the array at a path. Coordinates along `dimension` become an array with that object, unless their own
  /// dimension has another name; in a writable dataset, equal dimensions are one object anyway. Throws like
  /// zarr::Hierarchy::OpenArray.
  static std::shared_ptr<MDArray> Make(const std::shared_ptr<SharedResource>& resource, const std::string& path,
                                       const std::shared_ptr<GDALDimension>& dimension = nullptr);
  /// Like Make, for a new array: it gets the dimension objects that were passed to CreateMDArray.
  static std::shared_ptr<MDArray> MakeWith(const std::shared_ptr<SharedResource>& resource, const std::string& path,
                                           const std::vector<std::shared_ptr<GDALDimension>>& dimensions);
  /// Like Make, for callers that only need values. In a read-only dataset, the dimensions have no coordinates.
  static std::shared_ptr<MDArray> MakeForValues(const std::shared_ptr<SharedResource>& resource,
                                                const std::string& path);

  std::shared_ptr<const zarr::Array> shared_array() const override {
    TakeAttributes();
    return array_.shared();
  }
  const std::shared_ptr<SharedResource>& resource() const override { return resource_; }
  const GDALMDArray& gdal_array() const override { return *this; }
  std::shared_ptr<EditableArray> OpenOther(const std::string& path) const override { return Make(resource_, path); }

  bool IsWritable() const override { return resource_->writable(); }
  /// Returns the path of the array's metadata document, next to which GDAL searches for PAM files; empty if it must
  /// not.
  const std::string& GetFilename() const override { return filename_; }
  const std::vector<std::shared_ptr<GDALDimension>>& GetDimensions() const override { return dimensions_; }
  const GDALExtendedDataType& GetDataType() const override { return form_->type; }
  /// Returns the edges of inner chunks; 0 on an axis with chunks of several lengths.
  std::vector<GUInt64> GetBlockSize() const override;
  CSLConstList GetStructuralInfo() const override { return structural_info_.List(); }

  std::shared_ptr<GDALAttribute> GetAttribute(const std::string& name) const override;
  std::vector<std::shared_ptr<GDALAttribute>> GetAttributes(CSLConstList options) const override;

  /// Returns the CF attribute `_FillValue`, otherwise `missing_value`, otherwise the array's fill value if the open
  /// option FILL_VALUE_AS_NODATA allows it. By default, v1 and v2 use any fill value that is defined; v3, where an
  /// array always has one, uses it if it is NaN or not zero. Arrays of the data type `optional` always have the value
  /// as which missing elements are read.
  const void* GetRawNoDataValue() const override {
    TakeProperties();
    return nodata_address_;
  }
  const std::string& GetUnit() const override {
    TakeProperties();
    return unit_;
  }
  double GetOffset(bool* has_offset, GDALDataType* storage_type) const override;
  double GetScale(bool* has_scale, GDALDataType* storage_type) const override;
  std::shared_ptr<OGRSpatialReference> GetSpatialRef() const override;
  /// Returns the arrays that the CF attribute `coordinates` names.
  std::vector<std::shared_ptr<GDALMDArray>> GetCoordinateVariables() const override;
  std::vector<std::shared_ptr<GDALMDArray>> FindCoordinateVariables() const override;
  /// Like IRead, but throws zarr::Error.
  void ReadSlab(const GUInt64* start, const size_t* count, const GInt64* step, const GPtrDiff_t* stride,
                const GDALExtendedDataType& buffer_type, void* buffer) const override;
  /// Sets the coordinate arrays, including this one, that are read together.
  void SetCoordinates(std::shared_ptr<const CoordinateSet> coordinates) { coordinates_ = std::move(coordinates); }
  /// Reads these coordinates into the cache, in the first call for the set. Never fails.
  void ReadCoordinatesAhead() const;
  std::shared_ptr<GDALGroup> GetRootGroup() const ZARR_OVERRIDE_SINCE_GDAL_3_8;
  /// Returns the overviews of the array, the largest first.
  int GetOverviewCount() const ZARR_OVERRIDE_SINCE_GDAL_3_13;
  std::shared_ptr<GDALMDArray> GetOverview(int level) const ZARR_OVERRIDE_SINCE_GDAL_3_13;

#ifdef ZARR_HAS_RAW_BLOCK_INFO
  /// Returns the location and the coding (see DescribeRawBlockCoding) of the stored bytes of an inner chunk; empty if
  /// it is not stored. Flushes pending data first.
  bool GetRawBlockInfo(const uint64_t* inner_index, GDALMDArrayRawBlockInfo& info) const override;
#endif

  // --- changes (md_array_update.cpp) ------------------------------------------------------------------------------

  /// The arguments of BuildOverviews, which replaces the array's overviews by overviews with these factors. Without
  /// factors, it removes them. The resampling methods are those of rasters.
  struct OverviewArguments {
    const char* resampling;
    int factor_count;
    const int* factors;
    GDALProgressFunc progress;
    void* progress_data;
    CSLConstList options;
  };
  /// Overviews are computed by rasters, on which this module does not depend. So the functions that compute them, and
  /// that give them the georeferencing of their array, are set once, before any array is created.
  using OverviewBuilder = CPLErr (*)(MDArray& array, const std::shared_ptr<GDALMDArray>& self,
                                     const OverviewArguments& arguments);
  using LevelMover = CPLErr (*)(MDArray& array, const std::shared_ptr<GDALMDArray>& self);
  static void SetOverviewBuilder(OverviewBuilder builder, LevelMover mover);
  CPLErr BuildOverviews(const char* resampling, int factor_count, const int* factors, GDALProgressFunc progress,
                        void* progress_data, CSLConstList options) ZARR_OVERRIDE_SINCE_GDAL_3_13;
  /// Creates a list of numbers or strings if there is a size. A string of the subtype GEDTST_JSON may contain any JSON
  /// value.
  std::shared_ptr<GDALAttribute> CreateAttribute(const std::string& name, const std::vector<GUInt64>& dimensions,
                                                 const GDALExtendedDataType& type, CSLConstList options) override;
  bool DeleteAttribute(const std::string& name, CSLConstList options) ZARR_OVERRIDE_SINCE_GDAL_3_8;
  bool SetUnit(const std::string& unit) override;
  bool SetOffset(double offset, GDALDataType storage_type) override;
  bool SetScale(double scale, GDALDataType storage_type) override;
  /// Sets the nodata value, or removes it if `value` is null. The value becomes the fill value while a new array has no
  /// data. Later, it becomes the CF attribute `_FillValue`, because missing chunks have the fill value.
  bool SetRawNoDataValue(const void* value) override;
  /// Sets the CRS. In a read-only dataset, saves it in the PAM file `pam.aux.xml`. A coordinate epoch, which no
  /// convention can express, is always saved there.
  bool SetSpatialRef(const OGRSpatialReference* srs) override;
  /// Also gives the array the chunks of the source, if CHUNK_EDGES=SOURCE was set.
  bool CopyFrom(GDALDataset* source_dataset, const GDALMDArray* source, bool strict, GUInt64& current_cost,
                GUInt64 total_cost, GDALProgressFunc progress, void* progress_data) override;
  /// Saves the coordinate epoch of the CRS that was written, or removes it. Warns if it cannot be saved.
  void SaveEpoch(const OGRSpatialReference* srs);
  /// Changes the shape of the array, and of all arrays of the store with the same dimensions. Removes chunks past the
  /// new end, and resets elements past it in other chunks.
  bool Resize(const std::vector<GUInt64>& sizes, CSLConstList options) ZARR_OVERRIDE_SINCE_GDAL_3_7;
  bool Rename(const std::string& name) ZARR_OVERRIDE_SINCE_GDAL_3_8;

  /// Like SetRawNoDataValue, but throws zarr::Error.
  void ChangeNodata(const void* value);
  /// Replaces all attributes of the array in the store. Throws zarr::Error.
  void SaveAttributes(const zarr::JsonNode& attributes) override;
  /// Replaces the attributes by the result of `change` for the stored attributes, which other processes may have
  /// changed since they were read here. Throws zarr::Error.
  void EditAttributes(const std::function<zarr::JsonNode(const zarr::JsonNode& stored)>& change);
  void ReadAgain() override;
  /// Sets one attribute, or removes it if `value` is nullopt, when the dataset is flushed. Throws zarr::Error.
  void SaveAttribute(const std::string& name, const std::optional<zarr::JsonNode>& value);
  /// Defers changes of attributes on which none of GDAL's array properties depend. Throws zarr::Error.
  void ChangeAttributesLater(const std::function<void(zarr::JsonChanges&)>& add);
  /// Returns one attribute. The time does not depend on the number of attributes.
  std::optional<zarr::JsonNode> FindAttribute(const std::string& name) const;
  /// Returns an item of a list attribute, or the value of an attribute that is not a list. The time does not depend on
  /// the number of items.
  std::optional<zarr::JsonNode> FindItem(const std::string& list, std::size_t index) const;
  /// Writes a selection. `defer` has the meaning of zarr::WriteOptions::defer. Returns false if `progress` stopped it.
  /// Throws zarr::Error.
  bool WriteSelection(const zarr::Selection& selection, const zarr::ElementSource& source,
                      const std::function<bool(double)>& progress = {}, bool defer = false);
  /// The conventions that the array was created with; nullopt for an array that was opened.
  const std::optional<WriteConventions>& conventions() const override {
    return conventions_;
  }
  void SetConventions(const WriteConventions& conventions) override {
    conventions_ = conventions;
  }
  /// Returns true if the array was created by this dataset and no data has been written to it yet.
  bool is_new() const override {
    return is_new_;
  }
  /// Marks an array as newly created: it has no data, so its fill value may change.
  void MarkNew() {
    is_new_ = true;
    is_created_here_ = true;
    flushes_before_ = resource_->edits().flushes;
    resource_->edits().stale.SetHasOverviews(array_->path(), false);
    // A removed array of that name may have left something.
    if (resource_->pam()) RemovePamEntries(*resource_->pam(), {array_->path()});
  }
  /// Call this when the array's overviews have changed.
  void ForgetOverviews();
  void FollowMove(std::string_view from, std::string_view to) override;
  void FollowDeletion(std::string_view path) override;
  /// Continues with another snapshot of the array's metadata.
  void Replace(std::shared_ptr<const zarr::Array> array) override;
  /// Renames the dimensions of a newly created array, in its metadata.
  void RenameDimensions(const std::vector<std::string>& names) override;

 protected:
#ifdef ZARR_HAS_STATISTICS_OPTIONS
  /// With UPDATE_METADATA=YES, exact statistics are also saved as the CF attribute `actual_range`.
  bool SetStatistics(bool approximate, double minimum, double maximum, double mean, double deviation,
                     GUInt64 valid_count, CSLConstList options) override;
#endif
  bool IRead(const GUInt64* start, const size_t* count, const GInt64* step, const GPtrDiff_t* stride,
             const GDALExtendedDataType& buffer_type, void* buffer) const override;
  /// Reads a box into the cache. Never fails.
  bool IAdviseRead(const GUInt64* start, const size_t* count, CSLConstList options) const override;
  bool IWrite(const GUInt64* start, const size_t* count, const GInt64* step, const GPtrDiff_t* stride,
              const GDALExtendedDataType& buffer_type, const void* buffer) override;
  /// Returns false for remote arrays, because checking for a cache file next to them costs a request.
  bool IsCacheable() const override;

 private:
  /// Returns true if the array is new and no other dataset has written to it, as far as that can be found out.
  bool HasNoValues() const;
  /// Runs a change. On failure, reports the error and returns false.
  template <typename Function>
  bool TryChange(const Function& change) {
    return gdal_zarr::TryChange([&] { resource_->edits().saving.Attempt(change); });
  }
  MDArray(std::shared_ptr<SharedResource> resource, std::shared_ptr<const zarr::Array> array,
          std::vector<std::shared_ptr<GDALDimension>> dimensions);
  /// Returns the object that a writable dataset has for the array at a path, or null.
  static std::shared_ptr<MDArray> FindKnown(SharedResource& resource, const std::string& path);
  static std::shared_ptr<MDArray> MakeUnknown(const std::shared_ptr<SharedResource>& resource,
                                              std::shared_ptr<const zarr::Array> array,
                                              std::vector<std::shared_ptr<GDALDimension>> dimensions);

  /// Returns this object as a shared pointer, also to constant functions, like GDAL.
  std::shared_ptr<MDArray> GetSelf() const {
    return {m_pSelf.lock(), const_cast<MDArray*>(this)};
  }
  /// Returns the times of a coordinate array in ISO 8601, for which GDAL's API has no function.
  std::shared_ptr<GDALAttribute> FindTimeAttribute() const;
  /// Derives GDAL's properties of the array from the metadata.
  void Load();
  void LoadStructuralInfo();
  /// Adds changed attributes that are not saved yet to the snapshot.
  void TakeAttributes() const;
  /// Like TakeAttributes, but only if properties that GDAL requests depend on them.
  void TakeProperties() const;
  void OnMoved() override;
  /// Gives the array's overviews its current georeferencing. On failure, reports the error and returns false.
  bool MoveLevels();
  /// Returns the functions that an attribute of this array calls to change itself; empty in a read-only dataset.
  AttributeHome GetHomeOfAttributes() const;
  /// Like GetSpatialRef, but throws zarr::Error.
  std::shared_ptr<OGRSpatialReference> FindSpatialRef() const;
  /// Returns true if the user has chosen the conventions of a new array, so that the CRS is written in them even if it
  /// is already expressed otherwise.
  bool AreConventionsAskedFor() const {
    return conventions_ && !conventions_->are_default;
  }
  /// Returns false if a CRS of the array would not be found again, because its dimensions are others than X and Y.
  bool CanHaveSpatialRef(const RasterAxes& axes) const;
  /// Warns about a CRS of such an array. Returns false for one that is left out, because a copy keeps the grid mapping
  /// that its source names.
  bool MayKeepSpatialRef(const RasterAxes& axes) const;
  /// Postpones the CRS of a new array to the end of the copy of a group. Returns false if no copy is running.
  bool PostponeSpatialRef(const OGRSpatialReference& srs);
  void SetSpatialRefAfterCopy(const OGRSpatialReference* srs);
  /// On failure, reports errors to GDAL and returns false.
  bool CopyHiddenAttributes(const GDALMDArray& source);
  /// Removes a `missing_value` from a copy if it would become the nodata value, and is not the source's nodata value.
  /// Warns if it is not copied.
  void LeaveOutMissingValue(const GDALMDArray& source);
  /// Removes `_Encoding` from a copy of numbers, and from one whose text is UTF-8 whatever it was in the source:
  /// readers that decode bytes by it would fail.
  void LeaveOutEncoding(const GDALMDArray& source);
  /// Returns true if the `missing_value` of the source of the running copy is its nodata value. Returns nullopt if the
  /// source does not have a nodata value.
  std::optional<bool> IsNodataOfSource(const GDALMDArray& source, const GDALAttribute& missing) const;
  /// Writes the value of a source for which IsFreedText is true, if it can be read. Returns false if writing fails.
  bool WriteFreedText(const OriginalArray& original);
  /// Prepares the copy of an array by GDAL's code.
  void PrepareCopy(GDALDataset* source_dataset, const OriginalArray& original, const GDALMDArray& source);
  /// Runs GDAL's code, `copy`, and corrects the copy. On failure, reports errors to GDAL and returns false.
  bool CopyPrepared(const OriginalArray& original, const GDALMDArray& source,
                    const std::function<bool(bool has_values)>& copy);
  /// Removes the attributes of a copy that would be wrong. On failure, reports errors to GDAL and returns false.
  bool LeaveOutAttributes(const OriginalArray& original, const GDALMDArray& source);
  /// Returns true if parts that were copied with the array, such as its grid mapping, define the CRS in any form.
  bool IsStated(const OGRSpatialReference& srs) const;
  static std::shared_ptr<OGRSpatialReference> FindSpatialRefOfAxes(const GDALMDArray& array);
  /// Reads the CRS from the array's own attributes.
  std::shared_ptr<OGRSpatialReference> FindStatedSpatialRef() const;
  /// Returns true if the array, which may be new, already shows that CRS; null means no CRS.
  bool IsShown(const OGRSpatialReference* srs, bool is_new) const;
  /// Reads the CRS from the larger store that contains the dataset. Returns null if there is none.
  std::unique_ptr<OGRSpatialReference> ReadSpatialRefAbove(const GeoContext& context) const;
  void RenameStoredAttribute(const std::string& from, const std::string& to);
  /// Returns true if a user created an attribute of that name. Attributes that the driver created for a new array, with
  /// its CRS for instance, may be replaced: GDAL does that when it copies arrays.
  bool HasOwnAttribute(const std::string& name) const;
  /// Throws zarr::Error for a string that is too long for the array. Call this before anything is written: otherwise
  /// the failed write would leave some chunks written, and the array's writer would be unusable. Warns of one that is
  /// not UTF-8 if it has to be.
  void CheckStrings(const StridedRequest& request, const GDALExtendedDataType& buffer_type,
                    const zarr::RowConverter* converter) const;
  std::optional<double> GetNumberAttribute(const char* name) const;
  bool IsHidden(const std::string& name, const zarr::JsonNode& value) const;
  bool IsToldAsNodata(const std::string& name, bool show_all) const;
  std::vector<std::string> FindOverviewPaths() const;
  void ReadSelection(const zarr::Selection& selection, const zarr::Destination& destination) const;

  /// Which pointers are taken as a nodata value of text: during a copy, not those of drivers that may give other bytes.
  enum class TextNodata { kAny, kKeptText, kNone };
  static TextNodata GetTextNodata(GDALDataset* source_dataset, const GDALMDArray& source);
  /// Returns false for what GDAL gives as a nodata value in a copy if it may not be one.
  bool CanBeNodata(const void* value) const;
  /// Remembers the nodata value of the source of a copy if GDAL does not give it, see FindStatedNodata.
  void TakeStatedNodata(const OriginalArray& original, const GDALMDArray& source);

  static constexpr unsigned kAsksSpatialRef = 1;
  static inline OverviewBuilder overview_builder_ = nullptr;
  static inline LevelMover level_mover_ = nullptr;
  std::shared_ptr<OGRSpatialReference> of_copied_axes_;  // the CRS implied by the axes of the source of a copy
  std::uint64_t written_ = 0;                            // number of elements written by calls of Write

  std::shared_ptr<SharedResource> resource_;
  mutable std::mutex taking_mutex_;                       // held while the two members below are cleared
  mutable std::atomic<bool> has_new_attributes_ = false;  // `array_` lacks them
  mutable std::atomic<bool> has_new_properties_ = false;  // Load has not seen them
  CurrentArray array_;
  zarr::DataType shown_type_;  // stays, like form_, even if an attribute changes how a new object shows the array
  std::shared_ptr<const ElementForm> form_;
  std::string filename_;
  std::vector<std::shared_ptr<GDALDimension>> dimensions_;
  std::shared_ptr<const CoordinateSet> coordinates_;
  CPLStringList structural_info_;
  std::unique_ptr<GdalElement> nodata_;
  const void* nodata_address_ = nullptr;  // of the kept text, if it is one
  std::string unit_;
  std::optional<double> offset_;
  std::optional<double> scale_;
  mutable UnansweredQuestions unanswered_;
  bool is_new_ = false;
  bool has_mapping_of_source_ = false;  // the source of a copy hides a grid mapping
  bool is_created_here_ = false;
  // Counts of the dataset's flushes: when the array was created, and when it got its nodata value.
  std::uint64_t flushes_before_ = 0;
  std::optional<std::uint64_t> flushes_before_nodata_;
  TextNodata text_nodata_ = TextNodata::kAny;
  std::optional<std::unique_ptr<GdalElement>> stated_nodata_;  // in a copy, replaces what GDAL gives; null: none
  bool is_in_copy_ = false;                                    // while GDAL copies another array into this one
  std::set<std::string> created_attributes_;                   // created by CreateAttribute of this object
  std::optional<WriteConventions> conventions_;
  mutable std::mutex overviews_mutex_;  // for the two members below
  mutable std::optional<std::vector<std::string>> overview_paths_;
  std::uint64_t overview_changes_ = 0;  // number of calls of ForgetOverviews
};

/// Opens the indexing variable of a dimension, see IndexingOpener.
std::shared_ptr<GDALMDArray> OpenIndexingVariable(const NodePlace& array,
                                                  const std::shared_ptr<GDALDimension>& dimension,
                                                  const std::shared_ptr<const CoordinateSet>& coordinates);

/// Returns the nodata value of an array, as specified for GetRawNoDataValue, or null if there is none.
std::unique_ptr<GdalElement> FindNodata(const zarr::Array& array, const ElementForm& form, FillValueUse use);

/// Returns true if an attribute of that name, `_FillValue` or `missing_value`, is the nodata value of an array.
bool TellsNodata(const zarr::Array& array, const char* name);

/// Returns true if an element in GDAL's form is the nodata value of an array. Null means no nodata value.
bool IsNodata(const zarr::Array& array, const ElementForm& form, const std::byte* value);

/// Warns, once, of attributes that cannot be nodata values, and of a `missing_value` or a fill value that contradicts
/// the nodata value.
void CheckNodata(SharedResource& resource, const zarr::Array& array, const ElementForm& form, FillValueUse use);

/// Returns true if an array has an attribute of that name, `_FillValue` or `missing_value`, whose value can be its
/// nodata value.
bool IsNodataAttribute(const zarr::Array& array, const ElementForm& form, const char* name);

/// Casts an array of GDAL to this driver's class. Returns null for arrays of other drivers and for null. There is no
/// other class of editable arrays.
inline const MDArray* AsOwnMDArray(const GDALMDArray* array) {
  return static_cast<const MDArray*>(AsOwnArray(array));
}
inline MDArray* AsOwnMDArray(GDALMDArray* array) {
  return static_cast<MDArray*>(AsOwnArray(array));
}

}  // namespace gdal_zarr
