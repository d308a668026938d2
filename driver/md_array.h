#pragma once

#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "driver/gdal_compat.h"
#include "driver/node_context.h"
#include "driver/type_map.h"
#include "zarrlib/array/array.h"
#include "zarrlib/json/json_node.h"

namespace gdal_zarr {

/// An array of a store, for GDAL's multidimensional API. Read only; nothing that can be seen changes once it is made.
class MDArray final : public GDALPamMDArray {
 public:
  /// The array at a path. Throws what zarr::Hierarchy::OpenArray throws.
  static std::shared_ptr<MDArray> Make(const std::shared_ptr<NodeContext>& context, const std::string& path);

  const zarr::Array& array() const { return *array_; }
  const std::shared_ptr<NodeContext>& context() const { return context_; }

  bool IsWritable() const override { return false; }
  /// The path of the array's own metadata document, beside which GDAL looks for side files; "" where it shall not.
  const std::string& GetFilename() const override { return filename_; }
  const std::vector<std::shared_ptr<GDALDimension>>& GetDimensions() const override { return dimensions_; }
  const GDALExtendedDataType& GetDataType() const override { return form_.type; }
  /// The edges of the leaves; 0 on an axis whose edges differ.
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
  std::shared_ptr<GDALGroup> GetRootGroup() const ZARR_OVERRIDE_SINCE_GDAL_3_8;
  /// The smaller versions of the array, the largest first.
  int GetOverviewCount() const ZARR_OVERRIDE_SINCE_GDAL_3_13;
  std::shared_ptr<GDALMDArray> GetOverview(int level) const ZARR_OVERRIDE_SINCE_GDAL_3_13;

 protected:
  bool IRead(const GUInt64* start, const size_t* count, const GInt64* step, const GPtrDiff_t* stride,
             const GDALExtendedDataType& buffer_type, void* buffer) const override;
  /// Reads a box into the cache. Never fails.
  bool IAdviseRead(const GUInt64* start, const size_t* count, CSLConstList options) const override;
  /// Looking for a cache file beside an array that is not local costs a request.
  bool IsCacheable() const override;

 private:
  MDArray(std::shared_ptr<NodeContext> context, std::shared_ptr<const zarr::Array> array, const std::string& group,
          const std::string& name);

  const zarr::JsonNode& attributes() const { return array_->metadata().attributes; }
  std::optional<double> NumberAttribute(const char* name) const;
  bool IsHidden(const std::string& name, const zarr::JsonNode& value) const;
  const std::vector<std::string>& OverviewPaths() const;
  void ReadSelection(const zarr::Selection& selection, const zarr::Destination& destination) const;

  std::shared_ptr<NodeContext> context_;
  std::shared_ptr<const zarr::Array> array_;
  ElementForm form_;
  std::string filename_;
  std::vector<std::shared_ptr<GDALDimension>> dimensions_;
  CPLStringList structural_info_;
  std::unique_ptr<GdalElement> nodata_;
  std::string unit_;
  std::optional<double> offset_;
  std::optional<double> scale_;
  mutable std::once_flag overviews_found_;
  mutable std::vector<std::string> overview_paths_;
};

/// The nodata value of an array, as GetRawNoDataValue describes it; null if it has none.
std::unique_ptr<GdalElement> NodataOf(const zarr::Array& array, const ElementForm& form, FillValueUse use);

}  // namespace gdal_zarr
