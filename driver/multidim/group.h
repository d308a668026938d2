#pragma once

#include <memory>
#include <string>
#include <vector>

#include "driver/dataset/live_objects.h"
#include "driver/dataset/shared_resource.h"
#include "driver/gdal/gdal_compat.h"
#include "driver/multidim/attribute.h"
#include "zarrlib/json/json_node.h"

namespace gdal_zarr {

/// A group of a store, for GDAL's multidimensional API. Changes go to the store at once. It follows its group to
/// another path; once that has been deleted, all that needs the store fails.
///
/// If the store's root is an array, the root group holds it alone, under the store's name.
class Group final : public GDALGroup, public LiveObject {
 public:
  /// The group at a path. Throws what zarr::Hierarchy::OpenGroup throws.
  static std::shared_ptr<Group> Make(const std::shared_ptr<SharedResource>& resource, const std::string& path);

  const std::shared_ptr<SharedResource>& resource() const { return resource_; }
  const std::string& path() const { return node(); }

  std::vector<std::string> GetMDArrayNames(CSLConstList options) const override;
  /// Null for a name that is not there; with an error for an array that cannot be opened.
  std::shared_ptr<GDALMDArray> OpenMDArray(const std::string& name, CSLConstList options) const override;
  std::vector<std::string> GetGroupNames(CSLConstList options) const override;
  std::shared_ptr<GDALGroup> OpenGroup(const std::string& name, CSLConstList options) const override;
  /// Those of the arrays in the group which are not an array's own; of several with one name, the first.
  std::vector<std::shared_ptr<GDALDimension>> GetDimensions(CSLConstList options) const override;
  std::shared_ptr<GDALAttribute> GetAttribute(const std::string& name) const override;
  std::vector<std::shared_ptr<GDALAttribute>> GetAttributes(CSLConstList options) const override;
  /// ZARR_FORMAT, and CONSOLIDATED=YES if metadata are read from one document.
  CSLConstList GetStructuralInfo() const override { return structural_info_.List(); }

  // --- changing it (group_write.cpp) ---------------------------------------------------------------------------

  std::shared_ptr<GDALGroup> CreateGroup(const std::string& name, CSLConstList options) override;
  /// A dimension is in the store by the arrays that have it.
  std::shared_ptr<GDALDimension> CreateDimension(const std::string& name, const std::string& type,
                                                 const std::string& direction, GUInt64 size,
                                                 CSLConstList options) override;
  std::shared_ptr<GDALMDArray> CreateMDArray(const std::string& name,
                                             const std::vector<std::shared_ptr<GDALDimension>>& dimensions,
                                             const GDALExtendedDataType& type, CSLConstList options) override;
  bool DeleteGroup(const std::string& name, CSLConstList options) ZARR_OVERRIDE_SINCE_GDAL_3_8;
  bool DeleteMDArray(const std::string& name, CSLConstList options) ZARR_OVERRIDE_SINCE_GDAL_3_8;
  bool Rename(const std::string& name) ZARR_OVERRIDE_SINCE_GDAL_3_8;
  std::shared_ptr<GDALAttribute> CreateAttribute(const std::string& name, const std::vector<GUInt64>& dimensions,
                                                 const GDALExtendedDataType& type, CSLConstList options) override;
  bool DeleteAttribute(const std::string& name, CSLConstList options) ZARR_OVERRIDE_SINCE_GDAL_3_8;

 private:
  Group(std::shared_ptr<SharedResource> resource, const std::string& path);

  void OnMoved() override;
  bool HoldsRootArray() const { return path().empty() && !resource_->root_array_name().empty(); }
  std::vector<std::string> ChildNames(zarr::NodeKind kind) const;
  /// As they are now, where they can change.
  zarr::JsonNode attributes() const;
  AttributeHome HomeOfAttributes() const;
  void SaveAttributes(const zarr::JsonNode& attributes);
  bool DeleteNode(const std::string& name, zarr::NodeKind kind);

  std::shared_ptr<SharedResource> resource_;
  zarr::JsonNode attributes_;
  CPLStringList structural_info_;
};

}  // namespace gdal_zarr
