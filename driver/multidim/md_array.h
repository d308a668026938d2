#pragma once

#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "driver/dataset/editable_array.h"
#include "driver/dataset/live_objects.h"
#include "driver/dataset/shared_resource.h"
#include "driver/gdal/gdal_compat.h"
#include "driver/gdal/gdal_error.h"
#include "driver/io/strided_request.h"
#include "driver/multidim/attribute.h"
#include "driver/types/type_map.h"
#include "zarrlib/array/array.h"
#include "zarrlib/json/json_node.h"

namespace gdal_zarr {

/// An array of a store, for GDAL's multidimensional API. In a dataset that is not open for update nothing that can be
/// seen changes once it is made; in one that is, there is one object per array, and changes go to the store at once. It
/// follows its array to another path; once that has been deleted, all that needs the store fails.
class MDArray final : public GDALPamMDArray, public EditableArray, public LiveObject {
 public:
  /// The array at a path. Throws what zarr::Hierarchy::OpenArray throws.
  static std::shared_ptr<MDArray> Make(const std::shared_ptr<SharedResource>& resource, const std::string& path);

  const std::shared_ptr<const zarr::Array>& shared_array() const override { return array_; }
  const std::shared_ptr<SharedResource>& resource() const override { return resource_; }
  const GDALMDArray& gdal_array() const override { return *this; }
  std::shared_ptr<EditableArray> OpenOther(const std::string& path) const override { return Make(resource_, path); }

  bool IsWritable() const override { return resource_->writable(); }
  /// The path of the array's own metadata document, beside which GDAL looks for side files; "" where it shall not.
  const std::string& GetFilename() const override { return filename_; }
  const std::vector<std::shared_ptr<GDALDimension>>& GetDimensions() const override { return dimensions_; }
  const GDALExtendedDataType& GetDataType() const override { return form_.type; }
  /// The edges of the inner chunks; 0 on an axis whose edges differ.
  std::vector<GUInt64> GetBlockSize() const override;
  CSLConstList GetStructuralInfo() const override { return structural_info_.List(); }

  std::shared_ptr<GDALAttribute> GetAttribute(const std::string& name) const override;
  std::vector<std::shared_ptr<GDALAttribute>> GetAttributes(CSLConstList options) const override;

  /// The CF attribute `_FillValue`, else `missing_value`, else the array's fill value, as the open option
  /// FILL_VALUE_AS_NODATA says. By default of v1 and v2 any that is defined, of v3 one that is NaN or not zero, since
  /// v3 has no way to say that there is none.
  const void* GetRawNoDataValue() const override { return nodata_ ? nodata_->data() : nullptr; }
  const std::string& GetUnit() const override { return unit_; }
  double GetOffset(bool* has_offset, GDALDataType* storage_type) const override;
  double GetScale(bool* has_scale, GDALDataType* storage_type) const override;
  std::shared_ptr<OGRSpatialReference> GetSpatialRef() const override;
  /// The arrays that the CF attribute `coordinates` names.
  std::vector<std::shared_ptr<GDALMDArray>> GetCoordinateVariables() const override;
  std::vector<std::shared_ptr<GDALMDArray>> FindCoordinateVariables() const override;
  /// What IRead does, but throws zarr::Error.
  void ReadSlab(const GUInt64* start, const size_t* count, const GInt64* step, const GPtrDiff_t* stride,
                const GDALExtendedDataType& buffer_type, void* buffer) const override;
  std::shared_ptr<GDALGroup> GetRootGroup() const ZARR_OVERRIDE_SINCE_GDAL_3_8;
  /// The smaller versions of the array, the largest first.
  int GetOverviewCount() const ZARR_OVERRIDE_SINCE_GDAL_3_13;
  std::shared_ptr<GDALMDArray> GetOverview(int level) const ZARR_OVERRIDE_SINCE_GDAL_3_13;

#ifdef ZARR_HAS_RAW_BLOCK_INFO
  /// The place and the coding (see RawBlockCoding) of the stored bytes of an inner chunk; empty for one that is not
  /// stored. What waits to be written is written first.
  bool GetRawBlockInfo(const uint64_t* inner_index, GDALMDArrayRawBlockInfo& info) const override;
#endif

  // --- changing it (md_array_write.cpp) ------------------------------------------------------------------------

  /// Replaces the smaller versions of the array by ones that are smaller by those factors; none: removes them. The
  /// methods of resampling are those of rasters.
  /// The arguments of BuildOverviews.
  struct OverviewArguments {
    const char* resampling;
    int factor_count;
    const int* factors;
    GDALProgressFunc progress;
    void* progress_data;
    CSLConstList options;
  };
  /// Overviews are computed on rasters, which this room does not know: the function that does so is set once, before
  /// any array is made.
  using OverviewBuilder = CPLErr (*)(MDArray& array, const std::shared_ptr<GDALMDArray>& self,
                                     const OverviewArguments& arguments);
  static void SetOverviewBuilder(OverviewBuilder builder);
  CPLErr BuildOverviews(const char* resampling, int factor_count, const int* factors, GDALProgressFunc progress,
                        void* progress_data, CSLConstList options) ZARR_OVERRIDE_SINCE_GDAL_3_13;
  /// With a size that fits, lists of numbers and strings; strings of the subtype GEDTST_JSON are any JSON value.
  std::shared_ptr<GDALAttribute> CreateAttribute(const std::string& name, const std::vector<GUInt64>& dimensions,
                                                 const GDALExtendedDataType& type, CSLConstList options) override;
  bool DeleteAttribute(const std::string& name, CSLConstList options) ZARR_OVERRIDE_SINCE_GDAL_3_8;
  bool SetUnit(const std::string& unit) override;
  bool SetOffset(double offset, GDALDataType storage_type) override;
  bool SetScale(double scale, GDALDataType storage_type) override;
  /// Null removes it. The array's fill value as long as nothing was written to a new array; else the CF attribute
  /// `_FillValue`, since the fill value is what chunks that are not stored hold.
  bool SetRawNoDataValue(const void* value) override;
  bool SetSpatialRef(const OGRSpatialReference* srs) override;
  /// Makes the array longer or shorter, and with it all arrays of the store that have the same dimensions. Chunks that
  /// lie beyond the new end are removed, and what chunks hold beyond it is forgotten.
  bool Resize(const std::vector<GUInt64>& sizes, CSLConstList options) ZARR_OVERRIDE_SINCE_GDAL_3_7;
  bool Rename(const std::string& name) ZARR_OVERRIDE_SINCE_GDAL_3_8;

  /// As SetRawNoDataValue. Throws zarr::Error.
  void ChangeNodata(const void* value);
  /// Replaces all attributes of the array in the store. Throws zarr::Error.
  void SaveAttributes(const zarr::JsonNode& attributes) override;
  /// Sets or, with null, removes one attribute in the store. Throws zarr::Error.
  void SaveAttribute(const std::string& name, const std::optional<zarr::JsonNode>& value);
  /// Writes a selection; `defer` is that of zarr::WriteOptions. Throws zarr::Error; returns false if `progress` stopped
  /// it.
  bool WriteSelection(const zarr::Selection& selection, const zarr::ElementSource& source,
                      const std::function<bool(double)>& progress = {}, bool defer = false);
  /// Those that the array was created with; nothing for one that was opened.
  const std::optional<WriteConventions>& conventions() const override {
    return conventions_;
  }
  void SetConventions(const WriteConventions& conventions) override {
    conventions_ = conventions;
  }
  /// Whether nothing has been written to an array that was created.
  bool is_new() const override {
    return is_new_;
  }
  /// For an array that has just been created: nothing is stored, so that its fill value may change.
  void MarkNew() {
    is_new_ = true;
    is_created_here_ = true;
  }
  /// To be called when other overviews than before may be found.
  void ForgetOverviews();
  void FollowMove(std::string_view from, std::string_view to) override;
  void FollowDeletion(std::string_view path) override;
  /// Another state of the array's metadata.
  void Replace(std::shared_ptr<const zarr::Array> array);
  /// Of an array that has been created, in the array's metadata.
  void RenameDimensions(const std::vector<std::string>& names) override;
  /// Its dimensions, as they were given to who created it.
  void SetDimensions(std::vector<std::shared_ptr<GDALDimension>> dimensions) {
    dimensions_ = std::move(dimensions);
  }

 protected:
  bool IRead(const GUInt64* start, const size_t* count, const GInt64* step, const GPtrDiff_t* stride,
             const GDALExtendedDataType& buffer_type, void* buffer) const override;
  /// Reads a box into the cache. Never fails.
  bool IAdviseRead(const GUInt64* start, const size_t* count, CSLConstList options) const override;
  bool IWrite(const GUInt64* start, const size_t* count, const GInt64* step, const GPtrDiff_t* stride,
              const GDALExtendedDataType& buffer_type, const void* buffer) override;
  /// Looking for a cache file beside an array that is not local costs a request.
  bool IsCacheable() const override;

 private:
  /// Runs a change; false, with its error reported, if it fails.
  template <typename Function>
  bool Changes(const Function& change) {
    return gdal_zarr::Changes([&] { resource_->Attempt(change); });
  }
  MDArray(std::shared_ptr<SharedResource> resource, std::shared_ptr<const zarr::Array> array, const std::string& group,
          const std::string& name);

  /// The times of a coordinate array in ISO 8601, which GDAL has no place for.
  std::shared_ptr<GDALAttribute> TimeAttributeOf() const;
  /// Takes from the metadata what GDAL asks for.
  void Load();
  void OnMoved() override;
  /// What an attribute of this array calls when it is changed; empty in a dataset that is not open for update.
  AttributeHome HomeOfAttributes() const;
  void RenameStoredAttribute(const std::string& from, const std::string& to);
  /// Whether there is an attribute that somebody made. What the driver itself writes to an array that is being made,
  /// with its CRS for instance, may be replaced: copies of whole arrays do so.
  bool HasOwnAttribute(const std::string& name) const;
  /// Throws zarr::Error for a string that is too long for the array. Done before anything is written: afterwards some
  /// chunks would be stored, and the array could not be written to any more.
  void CheckStrings(const StridedRequest& request, const zarr::RowConverter* converter) const;
  std::optional<double> NumberAttribute(const char* name) const;
  bool IsHidden(const std::string& name, const zarr::JsonNode& value) const;
  std::vector<std::string> OverviewPaths() const;
  void ReadSelection(const zarr::Selection& selection, const zarr::Destination& destination) const;

  static inline OverviewBuilder overview_builder_ = nullptr;

  std::shared_ptr<SharedResource> resource_;
  std::shared_ptr<const zarr::Array> array_;
  ElementForm form_;
  std::string filename_;
  std::vector<std::shared_ptr<GDALDimension>> dimensions_;
  CPLStringList structural_info_;
  std::unique_ptr<GdalElement> nodata_;
  std::string unit_;
  std::optional<double> offset_;
  std::optional<double> scale_;
  bool is_new_ = false;
  bool is_created_here_ = false;
  std::set<std::string> created_attributes_;  // by CreateAttribute, of this object
  std::optional<WriteConventions> conventions_;
  mutable std::mutex overviews_mutex_;
  mutable std::optional<std::vector<std::string>> overview_paths_;
};

/// The nodata value of an array, as GetRawNoDataValue describes it; null if it has none.
std::unique_ptr<GdalElement> NodataOf(const zarr::Array& array, const ElementForm& form, FillValueUse use);

}  // namespace gdal_zarr
