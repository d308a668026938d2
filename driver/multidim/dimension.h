// SPDX-License-Identifier: MIT
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "driver/dataset/live_objects.h"
#include "driver/dataset/referred_arrays.h"
#include "driver/dataset/shared_resource.h"
#include "driver/gdal/gdal_compat.h"
#include "driver/multidim/find_dimensions.h"
#include "zarrlib/array/array.h"

namespace gdal_zarr {

class CoordinateSet;

/// Opens the indexing variable of a dimension, together with the coordinates that are read when it is read; they may be
/// null. Arrays have dimensions, so the class of dimensions knows nothing of the one of arrays. Throws zarr::Error.
using IndexingOpener = std::shared_ptr<GDALMDArray> (*)(const NodePlace& array,
                                                        const std::shared_ptr<GDALDimension>& dimension,
                                                        const std::shared_ptr<const CoordinateSet>& coordinates);

/// A dimension of an array. It finds its coordinate array immediately, because GDAL asks whether this is an X axis, but
/// creates the GDAL object only on demand. This object is the dimension of that array, too: GDAL compares them before
/// it cuts coordinates for a view. The array owns the dimension, which does not own the array.
class Dimension final : public GDALDimension,
                        public IndexedDimension,
                        public LiveObject,
                        public std::enable_shared_from_this<Dimension> {
 public:
  /// Creates the object for a dimension, or returns the one that a writable dataset has for it. `coordinates` are the
  /// coordinate arrays that are read together with its own; null if each is read alone.
  static std::shared_ptr<Dimension> Make(const std::shared_ptr<SharedResource>& resource, const FoundDimension& found,
                                         IndexingOpener open,
                                         std::shared_ptr<const CoordinateSet> coordinates = nullptr);

  /// Returns the coordinate array, or computed coordinates.
  std::shared_ptr<GDALMDArray> GetIndexingVariable() const override;
  /// Returns the coordinate array.
  std::shared_ptr<GDALMDArray> FindIndexingVariable() const override;
  bool has_coordinates() const { return indexing_.has_value(); }

  /// Computes coordinates along this dimension; returns null if there are none.
  using Computer = std::function<std::shared_ptr<GDALMDArray>(const std::shared_ptr<GDALDimension>& dimension)>;
  /// Sets what computes the coordinates of a dimension without an array of them. Throws zarr::Error.
  void SetComputer(Computer computer) { computer_ = std::move(computer); }
  /// Accepts only the one-dimensional array that has the dimension's name and is in its group or in an ancestor: other
  /// arrays would not be found again after reopening.
  bool SetIndexingVariable(std::shared_ptr<GDALMDArray> variable) override;

  /// Renames the dimension in all arrays of the store that have it. The coordinate array keeps its name.
  bool Rename(const std::string& name) ZARR_OVERRIDE_SINCE_GDAL_3_8;

  /// Returns the full name among the store's dimensions. GDAL's full name of an unnamed dimension is only "dim0", like
  /// in GDAL's built-in driver, and that of a dimension "a/b" only "a/b".
  std::string GetKeyName() const { return MakeGdalFullName(zarr::JoinKey(node(), GetName())); }

  /// Updates this object after the dimension has been resized.
  void Resize(std::uint64_t size) { m_nSize = size; }
  void SetPlace(const std::string& group, const std::string& name);

  void FollowMove(std::string_view from, std::string_view to) override;
  void FollowDeletion(std::string_view path) override;

 private:
  Dimension(std::shared_ptr<SharedResource> resource, const FoundDimension& found, IndexingOpener open,
            std::shared_ptr<const CoordinateSet> coordinates);

  void OnMoved() override;
  /// Adds this dimension of a writable dataset to those that arrays share, and returns it, or the one that is known.
  std::shared_ptr<Dimension> Share();
  std::shared_ptr<GDALMDArray> Open(const NodePlace& indexing,
                                    const std::shared_ptr<const CoordinateSet>& coordinates) const;

  std::shared_ptr<SharedResource> resource_;
  std::optional<NodePlace> indexing_;
  bool has_name_;
  IndexingOpener open_;
  std::shared_ptr<const CoordinateSet> coordinates_;
  Computer computer_;  // empty in a writable dataset
};

/// Casts a dimension of GDAL to this class. Returns null for dimensions of other drivers.
inline const Dimension* AsOwnDimension(const GDALDimension* dimension) {
  return dynamic_cast<const Dimension*>(dimension);
}

/// Creates the dimensions of an array, see FindDimensions.
std::vector<std::shared_ptr<GDALDimension>> MakeDimensions(const std::shared_ptr<SharedResource>& resource,
                                                           const zarr::Array& array, IndexingOpener open);
/// Creates the dimensions of an array in a read-only dataset, without searching for their coordinates.
std::vector<std::shared_ptr<GDALDimension>> MakePlainDimensions(const std::shared_ptr<SharedResource>& resource,
                                                                const zarr::Array& array, IndexingOpener open);

}  // namespace gdal_zarr
