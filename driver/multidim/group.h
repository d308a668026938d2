// SPDX-License-Identifier: MIT
#pragma once

#include <atomic>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "driver/dataset/live_objects.h"
#include "driver/dataset/shared_resource.h"
#include "driver/gdal/gdal_compat.h"
#include "driver/multidim/attribute.h"
#include "zarrlib/json/json_node.h"

namespace gdal_zarr {

/// A group of a store, for GDAL's multidimensional API. Changes are saved at once, those of attributes when the dataset
/// is flushed. The object follows its group when that moves, and fails all calls that need the store after the group
/// has been deleted.
///
/// If the store's root is an array, the root group holds only this array, under the store's name.
class Group final : public GDALGroup, public LiveObject {
 public:
  /// Opens the group at a path. Throws what zarr::Hierarchy::OpenGroup throws.
  static std::shared_ptr<Group> Make(const std::shared_ptr<SharedResource>& resource, const std::string& path);

  const std::shared_ptr<SharedResource>& resource() const { return resource_; }
  const std::string& path() const { return node(); }
  /// Whether a group or an array was asked for in this one, by this object, and not made.
  bool has_refused() const { return has_refused_; }

  std::vector<std::string> GetMDArrayNames(CSLConstList options) const override;
  /// Returns null for a missing array, and null with an error for one that cannot be opened.
  std::shared_ptr<GDALMDArray> OpenMDArray(const std::string& name, CSLConstList options) const override;
  std::vector<std::string> GetGroupNames(CSLConstList options) const override;
  std::shared_ptr<GDALGroup> OpenGroup(const std::string& name, CSLConstList options) const override;
  /// The dimensions that the arrays of the group share; of several with one name, the first.
  std::vector<std::shared_ptr<GDALDimension>> GetDimensions(CSLConstList options) const override;
  std::shared_ptr<GDALAttribute> GetAttribute(const std::string& name) const override;
  std::vector<std::shared_ptr<GDALAttribute>> GetAttributes(CSLConstList options) const override;
  /// ZARR_FORMAT, and CONSOLIDATED=YES if metadata are read from one document.
  CSLConstList GetStructuralInfo() const override { return structural_info_.List(); }

  // --- changes (group_update.cpp) ---------------------------------------------------------------------------------

  std::shared_ptr<GDALGroup> CreateGroup(const std::string& name, CSLConstList options) override;
  /// Only the arrays that have a dimension save it in the store.
  std::shared_ptr<GDALDimension> CreateDimension(const std::string& name, const std::string& type,
                                                 const std::string& direction, GUInt64 size,
                                                 CSLConstList options) override;
  std::shared_ptr<GDALMDArray> CreateMDArray(const std::string& name,
                                             const std::vector<std::shared_ptr<GDALDimension>>& dimensions,
                                             const GDALExtendedDataType& type, CSLConstList options) override;
  bool CopyFrom(const std::shared_ptr<GDALGroup>& root, GDALDataset* source_dataset,
                const std::shared_ptr<GDALGroup>& source, bool strict, GUInt64& current_cost, GUInt64 total_cost,
                GDALProgressFunc progress, void* progress_data, CSLConstList options) override;
  bool DeleteGroup(const std::string& name, CSLConstList options) ZARR_OVERRIDE_SINCE_GDAL_3_8;
  bool DeleteMDArray(const std::string& name, CSLConstList options) ZARR_OVERRIDE_SINCE_GDAL_3_8;
  bool Rename(const std::string& name) ZARR_OVERRIDE_SINCE_GDAL_3_8;
  std::shared_ptr<GDALAttribute> CreateAttribute(const std::string& name, const std::vector<GUInt64>& dimensions,
                                                 const GDALExtendedDataType& type, CSLConstList options) override;
  bool DeleteAttribute(const std::string& name, CSLConstList options) ZARR_OVERRIDE_SINCE_GDAL_3_8;

 private:
  Group(std::shared_ptr<SharedResource> resource, const std::string& path);
  /// Makes another object for a group of a writable dataset, without reading it.
  static std::shared_ptr<Group> MakeUnread(const std::shared_ptr<SharedResource>& resource, const std::string& path);

  void OnMoved() override;
  bool HoldsRootArray() const { return path().empty() && !resource_->root_array_name().empty(); }
  std::vector<std::string> ListChildNames(zarr::NodeKind kind) const;
  std::vector<std::string> ListArrayPaths() const;
  /// The dimensions of an array that belong to this group; none if it cannot be opened.
  std::vector<std::shared_ptr<GDALDimension>> FindDimensionsOf(const std::string& array_path) const;
  /// The paths of arrays that tell the dimensions which were not created here.
  std::vector<std::string> FindDimensionSources() const;
  zarr::Error MakeMissingChildError(const std::string& name, zarr::NodeKind kind) const;
  /// The path of an array or a group in this group; nothing, after NoteMissingNode, if there is none.
  std::optional<std::string> FindChild(const std::string& name, zarr::NodeKind kind) const;
  /// The present attributes, which may have changed in update mode.
  zarr::JsonNode attributes() const;
  /// One of them.
  std::optional<zarr::JsonNode> FindAttribute(const std::string& name) const;
  AttributeHome GetHomeOfAttributes() const;
  /// The first part of the full names of the group's attributes.
  std::string GetParentOfAttributes() const { return MakeGdalFullName(zarr::JoinKey(path(), kGlobalName)); }
  void SaveAttributes(const zarr::JsonNode& attributes);
  /// Notes that a node of that name was asked for, and not made.
  void NoteRefusal(const std::string& name);
  /// Copies the arrays that a source hides, unless there is something of their names. Reports errors to GDAL, and
  /// returns false then.
  bool CopyHiddenArrays(GDALDataset* source_dataset, const GDALGroup& source, bool strict);
  /// As CopyHiddenArrays, but throws zarr::Error for errors of the store.
  bool CopyArrays(GDALDataset* source_dataset, const std::vector<std::shared_ptr<GDALMDArray>>& arrays, bool strict);
  std::shared_ptr<GDALMDArray> MakeNewArray(const std::string& name,
                                            const std::vector<std::shared_ptr<GDALDimension>>& dimensions,
                                            const GDALExtendedDataType& type, CSLConstList options);
  bool DeleteNode(const std::string& name, zarr::NodeKind kind);

  std::shared_ptr<SharedResource> resource_;
  zarr::JsonNode attributes_;
  CPLStringList structural_info_;
  std::atomic<bool> has_refused_ = false;
};

}  // namespace gdal_zarr
