// SPDX-License-Identifier: MIT
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "driver/dataset/live_objects.h"
#include "driver/dataset/referred_arrays.h"
#include "driver/dataset/shared_resource.h"
#include "driver/gdal/gdal_compat.h"
#include "zarrlib/array/array.h"

namespace gdal_zarr {

class CoordinateSet;

/// A dimension of an array. It finds the array with its coordinates at once, because GDAL asks whether this is an X
/// axis, but makes the object for GDAL only on demand.
class Dimension final : public GDALDimension, public IndexedDimension, public LiveObject {
 public:
  /// The meaning of a dimension, by the CF attributes of its indexing variable. Values are GDAL's; "" if unknown.
  struct Role {
    std::string type;
    std::string direction;
  };

  /// Makes a dimension of the node at a path: of a group, or, if `has_name` is false, of the array that has it.
  /// `indexing` is the array that holds the coordinates, if there is one; it may be in a larger store that the dataset
  /// is a part of.
  static std::shared_ptr<Dimension> Make(const std::shared_ptr<SharedResource>& resource, const std::string& node,
                                         const std::string& name, const Role& role, std::uint64_t size,
                                         std::optional<NodePlace> indexing = std::nullopt, bool has_name = true);

  std::shared_ptr<GDALMDArray> GetIndexingVariable() const override;
  std::shared_ptr<GDALMDArray> FindIndexingVariable() const override;
  /// Accepts only the one-dimensional array that has the dimension's name and is in its group or a group above, because
  /// no other one is found again after reopening.
  bool SetIndexingVariable(std::shared_ptr<GDALMDArray> variable) override;

  /// Renames the dimension in all arrays of the store that have it. The array with its coordinates keeps its name.
  bool Rename(const std::string& name) ZARR_OVERRIDE_SINCE_GDAL_3_8;

  /// The full name among the store's dimensions. GDAL's full name of a dimension without a name is only "dim0", as its
  /// own driver has it, because GDAL looks for a group where a full name has more parts.
  std::string GetKeyName() const { return MakeGdalFullName(zarr::JoinKey(node(), GetName())); }

  /// Changes this object after the dimension has been resized.
  void Resize(std::uint64_t size) { m_nSize = size; }
  void SetPlace(const std::string& group, const std::string& name);
  /// Sets what the dimension's coordinates are read together with.
  void SetCoordinates(std::shared_ptr<const CoordinateSet> coordinates) { coordinates_ = std::move(coordinates); }

  void FollowMove(std::string_view from, std::string_view to) override;
  void FollowDeletion(std::string_view path) override;

 private:
  Dimension(std::shared_ptr<SharedResource> resource, const std::string& node, const std::string& name,
            const Role& role, std::uint64_t size, std::optional<NodePlace> indexing, bool has_name);

  void OnMoved() override;

  std::shared_ptr<SharedResource> resource_;
  std::optional<NodePlace> indexing_;
  bool has_name_;  ///< Else its name is one that it gets by its place in the array.
  std::shared_ptr<const CoordinateSet> coordinates_;
};

/// The dimension of this class that a dimension of GDAL's is; null if another driver made it.
inline const Dimension* AsOwnDimension(const GDALDimension* dimension) {
  return dynamic_cast<const Dimension*>(dimension);
}

/// Makes a dimension that was created in a group. Its indexing variable is looked for in that group.
std::shared_ptr<GDALDimension> MakeDimension(const std::shared_ptr<SharedResource>& resource, const std::string& group,
                                             const CreatedDimension& dimension);

/// Makes the dimensions of an array. Their names are v3's `dimension_names`, else the attribute `_ARRAY_DIMENSIONS`,
/// else NCZarr's references, else dim0, dim1 and so on. The indexing variable is the one-dimensional array of the
/// dimension's name and size in the array's group, or in the nearest group above that has one.
std::vector<std::shared_ptr<GDALDimension>> MakeDimensions(const std::shared_ptr<SharedResource>& resource,
                                                           const zarr::Array& array);
/// Makes dimensions without looking for their coordinates, of an array in a dataset that only reads.
std::vector<std::shared_ptr<GDALDimension>> MakePlainDimensions(const std::shared_ptr<SharedResource>& resource,
                                                                const zarr::Array& array);

}  // namespace gdal_zarr
