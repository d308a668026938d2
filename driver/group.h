#pragma once

#include <memory>
#include <string>
#include <vector>

#include "driver/gdal_compat.h"
#include "driver/node_context.h"
#include "zarrlib/json/json_node.h"

namespace gdal_zarr {

/// A group of a store, for GDAL's multidimensional API. Read only.
///
/// If the store's root is an array, the root group holds it alone, under the store's name.
class Group final : public GDALGroup {
 public:
  /// The group at a path. Throws what zarr::Hierarchy::OpenGroup throws.
  static std::shared_ptr<Group> Make(const std::shared_ptr<NodeContext>& context, const std::string& path);

  const std::shared_ptr<NodeContext>& context() const { return context_; }
  const std::string& path() const { return path_; }

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

 private:
  Group(std::shared_ptr<NodeContext> context, const std::string& path);

  bool HoldsRootArray() const { return path_.empty() && !context_->root_array_name().empty(); }
  std::vector<std::string> ChildNames(zarr::NodeKind kind) const;

  std::shared_ptr<NodeContext> context_;
  std::string path_;
  zarr::JsonNode attributes_;
  CPLStringList structural_info_;
};

}  // namespace gdal_zarr
