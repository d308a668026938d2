#pragma once

#include <memory>
#include <string>
#include <vector>

#include "driver/dataset/live_objects.h"
#include "driver/dataset/referred_arrays.h"
#include "driver/dataset/shared_resource.h"
#include "driver/gdal/gdal_compat.h"
#include "zarrlib/array/array.h"

namespace gdal_zarr {

/// A dimension of an array. The array that holds its coordinates is known from the start, since GDAL wants to know at
/// once whether this is an X axis, but it is made for GDAL only when asked for.
class Dimension final : public GDALDimension, public IndexedDimension, public LiveObject {
 public:
  /// What a dimension means, by the CF attributes of its indexing variable. Values are GDAL's; "" is unknown.
  struct Role {
    std::string type;
    std::string direction;
  };

  /// One of the node at that path: a group, or an array, which has dimensions without a name. `indexing_path` is the
  /// path of the array that holds the coordinates, `has_indexing` whether there is one.
  static std::shared_ptr<Dimension> Make(const std::shared_ptr<SharedResource>& resource, const std::string& node,
                                         const std::string& name, const Role& role, std::uint64_t size,
                                         bool has_indexing = false, const std::string& indexing_path = "");

  std::shared_ptr<GDALMDArray> GetIndexingVariable() const override;
  std::shared_ptr<GDALMDArray> FindIndexingVariable() const override;
  /// Takes the one-dimensional array that has the dimension's name and stands beside it or above: another one could
  /// not be found again.
  bool SetIndexingVariable(std::shared_ptr<GDALMDArray> variable) override;

  /// In all arrays of the store that have it. An array with its coordinates keeps its own name.
  bool Rename(const std::string& name) ZARR_OVERRIDE_SINCE_GDAL_3_8;

  /// What this object says of the dimension, after that has been changed.
  void Resize(std::uint64_t size) { m_nSize = size; }
  void SetPlace(const std::string& group, const std::string& name);

  void FollowMove(std::string_view from, std::string_view to) override;
  void FollowDeletion(std::string_view path) override;

 private:
  Dimension(std::shared_ptr<SharedResource> resource, const std::string& node, const std::string& name,
            const Role& role, std::uint64_t size, bool has_indexing, std::string indexing_path);

  void OnMoved() override;

  std::shared_ptr<SharedResource> resource_;
  bool has_indexing_;
  std::string indexing_path_;
};

/// A dimension that was created in a group, whose indexing variable, if there is one by now, is looked for there.
std::shared_ptr<GDALDimension> MakeDimension(const std::shared_ptr<SharedResource>& resource, const std::string& group,
                                             const CreatedDimension& dimension);

/// The dimensions of an array. Names are v3's `dimension_names`, else the attribute `_ARRAY_DIMENSIONS`, else
/// NCZarr's references, else dim0, dim1 and so on. The indexing variable is the one-dimensional array of the
/// dimension's name and size in the array's group, or the nearest group above that has one.
std::vector<std::shared_ptr<GDALDimension>> MakeDimensions(const std::shared_ptr<SharedResource>& resource,
                                                           const zarr::Array& array);

}  // namespace gdal_zarr
