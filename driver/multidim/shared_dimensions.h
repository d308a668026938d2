// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "driver/dataset/shared_resource.h"
#include "zarrlib/base/shape.h"

namespace gdal_zarr {

/// The identity of a dimension: arrays share a dimension if both members are equal.
struct DimensionKey {
  std::string full_name;  ///< Dimension::GetKeyName.
  std::uint64_t size = 0;

  friend auto operator<=>(const DimensionKey&, const DimensionKey&) = default;  // NOLINT(modernize-use-nullptr)
};

/// Changes the shape of an array of a writable dataset. Along each dimension that changes, also changes the length of
/// all arrays of the store that have that dimension. Objects for these arrays and dimensions follow.
///
/// Problems are detected before anything changes, as far as possible. If the store fails later, all arrays get their
/// old lengths back, with all their elements. Broken arrays are left unchanged, with a warning. If an array cannot be
/// read, nothing is changed, because it may have one of the dimensions.
///
/// `known` is the array as the user sees it: changes by other processes are resolved by zarr::ResolveShape. Throws
/// zarr::Error(io), like zarr::ResolveShape and zarr::ResizeArrays, and zarr::Error(invalid_argument) for two new
/// lengths of one dimension.
void ResizeSharedDimensions(const std::shared_ptr<SharedResource>& resource, const zarr::Array& known,
                            const zarr::Shape& shape);

/// Renames a dimension in all arrays of the store that have it, and in the attributes of their groups, or, if that
/// fails, in none. Arrays keep their names: the coordinate array must be renamed too, in order to be found again.
/// Throws zarr::Error(invalid_argument) if the name is invalid, or taken by another dimension of the group.
void RenameSharedDimension(const std::shared_ptr<SharedResource>& resource, const DimensionKey& dimension,
                           const std::string& name);

}  // namespace gdal_zarr
