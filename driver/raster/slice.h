// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "driver/gdal/gdal_compat.h"
#include "driver/gdal/selection.h"
#include "zarrlib/array/array.h"

namespace gdal_zarr {

/// The part of an array that a raster shows. Dimensions other than X and Y that it leaves open become bands.
struct SliceRequest {
  /// Indices along all dimensions other than X and Y that no selector names. If it is empty, these dimensions become
  /// bands.
  std::vector<std::uint64_t> indices;
  std::vector<Selector> selectors;
  /// If there are too many bands, uses the last index along each dimension, with a warning.
  bool newest_if_too_many = false;
};

/// Returns the index that selectors choose along each dimension. Only the dimensions in `free` can be selected. Reads
/// coordinates only of dimensions that are selected by value. Throws zarr::Error.
std::vector<std::optional<std::uint64_t>> ResolveSelectors(
    const zarr::Array& array, const std::vector<std::shared_ptr<GDALDimension>>& dimensions,
    const std::vector<std::size_t>& free, const std::vector<Selector>& selectors);

}  // namespace gdal_zarr
