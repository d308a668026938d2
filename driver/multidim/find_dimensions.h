// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "driver/dataset/shared_resource.h"
#include "driver/multidim/prefetch_referred.h"
#include "zarrlib/array/array.h"

namespace gdal_zarr {

/// The meaning of a dimension, derived from the CF attributes of its indexing variable. Values are GDAL's, or empty if
/// unknown.
struct DimensionRole {
  std::string type;
  std::string direction;
};

/// A dimension of an array, as found in the store.
struct FoundDimension {
  std::string node;  ///< The path of its group, or of its array if it has no name.
  std::string name;
  bool has_name = true;  ///< If false, the name is derived from the position in the array.
  std::uint64_t size = 0;
  DimensionRole role;
  /// The array with the coordinates, if any; it may be in a larger store that contains the dataset.
  std::optional<NodePlace> indexing;
  std::shared_ptr<const zarr::Array> indexing_array;

  /// Returns the full name among the store's dimensions.
  std::string GetKeyName() const { return MakeGdalFullName(zarr::JoinKey(node, name)); }
};

/// Finds the dimensions of an array. Their names are v3's `dimension_names`, otherwise the attribute
/// `_ARRAY_DIMENSIONS`, otherwise NCZarr's references, otherwise dim0, dim1 and so on. The indexing variable is the
/// one-dimensional array of the dimension's name and size in the array's group, or in the nearest ancestor that has
/// one. Throws zarr::Error.
std::vector<FoundDimension> FindDimensions(const std::shared_ptr<SharedResource>& resource, const zarr::Array& array);

/// Like FindDimensions, but does not search for coordinates.
std::vector<FoundDimension> NameDimensions(const SharedResource& resource, const zarr::Array& array);

/// Finds the coordinates of a dimension in the dataset, otherwise in the larger store that contains it. Throws
/// zarr::Error.
std::optional<NodePlace> FindIndexingArray(const std::shared_ptr<SharedResource>& resource,
                                           const DimensionReference& reference, std::uint64_t size);

}  // namespace gdal_zarr
