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

/// The part of an array that a raster shows. The dimensions besides X and Y that it leaves open make the bands.
struct SliceRequest {
  /// Indices along all dimensions besides X and Y that no selector names; if it is empty, those make the bands.
  std::vector<std::uint64_t> indices;
  std::vector<Selector> selectors;
  /// If there are too many bands, the last index along each dimension is taken, with a warning.
  bool newest_if_too_many = false;
};

/// Finds the index that selectors choose along each dimension. Only the dimensions in `free` can be chosen from. Reads
/// the coordinates of the dimensions that are selected by a value, and no others. Throws zarr::Error.
std::vector<std::optional<std::uint64_t>> ResolveSelectors(
    const zarr::Array& array, const std::vector<std::shared_ptr<GDALDimension>>& dimensions,
    const std::vector<std::size_t>& free, const std::vector<Selector>& selectors);

}  // namespace gdal_zarr
