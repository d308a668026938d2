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

/// A dimension of an array. It finds its coordinate array immediately, because GDAL asks whether this is an X axis, but
/// creates the GDAL object only on demand.
class Dimension final : public GDALDimension, public IndexedDimension, public LiveObject {
 public:
  /// The meaning of a dimension, derived from the CF attributes of its indexing variable. Values are GDAL's, or empty
  /// if unknown.
  struct Role {
    std::string type;
    std::string direction;
  };

  /// Creates a dimension of the node at a path: of a group or, if `has_name` is false, of the array that has it.
  /// `indexing` is the array with the coordinates, if any; it may be in a larger store that contains the dataset.
  static std::shared_ptr<Dimension> Make(const std::shared_ptr<SharedResource>& resource, const std::string& node,
                                         const std::string& name, const Role& role, std::uint64_t size,
                                         std::optional<NodePlace> indexing = std::nullopt, bool has_name = true);

  std::shared_ptr<GDALMDArray> GetIndexingVariable() const override;
  std::shared_ptr<GDALMDArray> FindIndexingVariable() const override;
  /// Accepts only the one-dimensional array that has the dimension's name and is in its group or in an ancestor: other
  /// arrays would not be found again after reopening.
  bool SetIndexingVariable(std::shared_ptr<GDALMDArray> variable) override;

  /// Renames the dimension in all arrays of the store that have it. The coordinate array keeps its name.
  bool Rename(const std::string& name) ZARR_OVERRIDE_SINCE_GDAL_3_8;

  /// Returns the full name among the store's dimensions. GDAL's full name of an unnamed dimension is only "dim0", like
  /// in GDAL's built-in driver, because GDAL looks for a group if a full name has more components.
  std::string GetKeyName() const { return MakeGdalFullName(zarr::JoinKey(node(), GetName())); }

  /// Updates this object after the dimension has been resized.
  void Resize(std::uint64_t size) { m_nSize = size; }
  void SetPlace(const std::string& group, const std::string& name);
  /// Sets the coordinate arrays that are read together with this one.
  void SetCoordinates(std::shared_ptr<const CoordinateSet> coordinates) { coordinates_ = std::move(coordinates); }

  void FollowMove(std::string_view from, std::string_view to) override;
  void FollowDeletion(std::string_view path) override;

 private:
  Dimension(std::shared_ptr<SharedResource> resource, const std::string& node, const std::string& name,
            const Role& role, std::uint64_t size, std::optional<NodePlace> indexing, bool has_name);

  void OnMoved() override;

  std::shared_ptr<SharedResource> resource_;
  std::optional<NodePlace> indexing_;
  bool has_name_;  ///< If false, the name is derived from the position in the array.
  std::shared_ptr<const CoordinateSet> coordinates_;
};

/// Casts a dimension of GDAL to this class. Returns null for dimensions of other drivers.
inline const Dimension* AsOwnDimension(const GDALDimension* dimension) {
  return dynamic_cast<const Dimension*>(dimension);
}

/// Creates a dimension that was created in a group. Its indexing variable is searched for in that group.
std::shared_ptr<GDALDimension> MakeDimension(const std::shared_ptr<SharedResource>& resource, const std::string& group,
                                             const CreatedDimension& dimension);

/// Creates the dimensions of an array. Their names are v3's `dimension_names`, otherwise the attribute
/// `_ARRAY_DIMENSIONS`, otherwise NCZarr's references, otherwise dim0, dim1 and so on. The indexing variable is the
/// one-dimensional array of the dimension's name and size in the array's group, or in the nearest ancestor that has
/// one.
std::vector<std::shared_ptr<GDALDimension>> MakeDimensions(const std::shared_ptr<SharedResource>& resource,
                                                           const zarr::Array& array);
/// Creates the dimensions of an array in a read-only dataset, without searching for their coordinates.
std::vector<std::shared_ptr<GDALDimension>> MakePlainDimensions(const std::shared_ptr<SharedResource>& resource,
                                                                const zarr::Array& array);

}  // namespace gdal_zarr
