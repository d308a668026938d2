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

/// A group of a store, for GDAL's multidimensional API. Changes are saved immediately, except that changes of
/// attributes are saved when the dataset is flushed. The object follows its group when the group moves, and fails all
/// calls that need the store after the group has been deleted.
///
/// If the store's root is an array, the root group contains only this array, under the store's name.
class Group final : public GDALGroup, public LiveObject {
 public:
  /// Opens the group at a path. Throws like zarr::Hierarchy::OpenGroup.
  static std::shared_ptr<Group> Make(const std::shared_ptr<SharedResource>& resource, const std::string& path);

  const std::shared_ptr<SharedResource>& resource() const { return resource_; }
  const std::string& path() const { return node(); }
  /// Returns true if this object has failed to create a group or an array.
  bool has_refused() const { return has_refused_; }

  std::vector<std::string> GetMDArrayNames(CSLConstList options) const override;
  /// Returns null for a missing array, and null with an error for one that cannot be opened.
  std::shared_ptr<GDALMDArray> OpenMDArray(const std::string& name, CSLConstList options) const override;
  std::vector<std::string> GetGroupNames(CSLConstList options) const override;
  std::shared_ptr<GDALGroup> OpenGroup(const std::string& name, CSLConstList options) const override;
  /// Returns the dimensions that the arrays of the group share. If several have the same name, returns the first.
  std::vector<std::shared_ptr<GDALDimension>> GetDimensions(CSLConstList options) const override;
  std::shared_ptr<GDALAttribute> GetAttribute(const std::string& name) const override;
  std::vector<std::shared_ptr<GDALAttribute>> GetAttributes(CSLConstList options) const override;
  /// Returns ZARR_FORMAT, and CONSOLIDATED=YES if metadata is read from one document.
  CSLConstList GetStructuralInfo() const override { return structural_info_.List(); }

  // --- changes (group_update.cpp) ---------------------------------------------------------------------------------

  std::shared_ptr<GDALGroup> CreateGroup(const std::string& name, CSLConstList options) override;
  /// Creates a dimension. It is stored only with the arrays that have it.
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
  /// `T` is Group.
  template <typename T>
  static std::shared_ptr<T> MakeObject(const std::shared_ptr<SharedResource>& resource, const std::string& path);
  /// Creates another object for a group of a writable dataset, without reading it.
  static std::shared_ptr<Group> MakeUnread(const std::shared_ptr<SharedResource>& resource, const std::string& path);

  void OnMoved() override;
  bool HoldsRootArray() const { return path().empty() && !resource_->root_array_name().empty(); }
  /// Creates the object for a dimension that was created in this group, where its indexing variable is searched for.
  std::shared_ptr<GDALDimension> MakeCreatedDimension(const CreatedDimension& created) const;
  /// Makes an object for a dimension that has been created, if a copy asks for the same one again. Otherwise throws
  /// zarr::Error.
  std::shared_ptr<GDALDimension> MakeKnownDimension(const CreatedDimension& again) const;
  std::vector<std::string> ListChildNames(zarr::NodeKind kind) const;
  std::vector<std::string> ListArrayPaths() const;
  /// Returns the dimensions of an array that belong to this group, or an empty list if the array cannot be opened.
  std::vector<std::shared_ptr<GDALDimension>> FindDimensionsOf(const std::string& array_path) const;
  /// Returns the paths of arrays that define the dimensions that were not created here.
  std::vector<std::string> FindDimensionSources() const;
  zarr::Error MakeMissingChildError(const std::string& name, zarr::NodeKind kind) const;
  /// Returns the path of an array or a group in this group. If there is none, calls NoteMissingNode and returns
  /// nullopt.
  std::optional<std::string> FindChild(const std::string& name, zarr::NodeKind kind) const;
  /// Returns the current attributes, which may have changed in update mode.
  zarr::JsonNode attributes() const;
  /// Returns one of the current attributes.
  std::optional<zarr::JsonNode> FindAttribute(const std::string& name) const;
  AttributeHome GetHomeOfAttributes() const;
  /// Returns the first part of the full names of the group's attributes.
  std::string GetParentOfAttributes() const { return MakeGdalFullName(zarr::JoinKey(path(), kGlobalName)); }
  void SaveAttributes(const zarr::JsonNode& attributes);
  /// Records that a node of that name was not created.
  void NoteRefusal(const std::string& name);
  /// Copies the arrays that a source hides, unless their names are taken. On failure, reports errors to GDAL and
  /// returns false.
  bool CopyHiddenArrays(GDALDataset* source_dataset, const GDALGroup& source, bool strict, CSLConstList options);
  /// Like CopyHiddenArrays, but throws zarr::Error for errors of the store.
  bool CopyArrays(GDALDataset* source_dataset, const std::vector<std::shared_ptr<GDALMDArray>>& arrays, bool strict,
                  CSLConstList options);
  /// Removes the attributes of a copy that GDAL misreads. On failure, reports errors to GDAL and returns false.
  bool LeaveOutMisread(GDALDataset* source_dataset, const GDALGroup& source);
  /// Replaces the values of attributes by empty lists. On failure, reports errors to GDAL and returns false.
  bool EmptyAttributes(const std::vector<std::string>& names);
  /// Gives the arrays of a copied group with levels the dimension names of the source: GDAL renames dimensions of one
  /// name and several lengths, but OME-NGFF requires the names of its axes for all levels. v3 has names for each array.
  /// On failure, reports errors to GDAL and returns false.
  bool KeepNamesOfLevels(const GDALGroup& source);
  /// Returns true if the group has created all these dimensions: arrays that have them add none to it.
  bool HasCreated(const std::vector<std::shared_ptr<GDALDimension>>& dimensions) const;
  /// Returns the options for a new array, and lets the copy of an array of this driver that has bytes have bytes, too.
  CPLStringList ListOptions(const std::string& array, const GDALExtendedDataType& type, CSLConstList options) const;
  /// Returns the type for a new array. GDAL knows no greatest number of characters, so that a copy of UTF-32 as UTF-32
  /// takes it from the array.
  GDALExtendedDataType ChooseType(const std::string& array, const GDALExtendedDataType& type,
                                  CSLConstList options) const;
  std::shared_ptr<GDALMDArray> MakeNewArray(const std::string& name,
                                            const std::vector<std::shared_ptr<GDALDimension>>& dimensions,
                                            const GDALExtendedDataType& type, CSLConstList options);
  bool DeleteNode(const std::string& name, zarr::NodeKind kind);

  std::shared_ptr<SharedResource> resource_;
  zarr::JsonNode attributes_;
  CPLStringList structural_info_;
  std::atomic<bool> has_refused_ = false;
  const GDALGroup* copied_ = nullptr;  // the source while it is copied to this group
};

/// Returns the root group of a store for a dataset of bands that was opened with `open_flags`: null unless they ask for
/// the multidimensional API too, or, with an error, if it cannot be read.
std::shared_ptr<GDALGroup> MakeRootGroup(const std::shared_ptr<SharedResource>& resource, int open_flags);

}  // namespace gdal_zarr
