// SPDX-License-Identifier: MIT
#pragma once

#include <memory>
#include <vector>

#include "zarrlib/array/array.h"
#include "zarrlib/base/once.h"

namespace gdal_zarr {

/// The coordinates along the dimensions of one array. If each chunk costs a request, reading one coordinate array reads
/// all small ones at once, because programs usually need the others next. Thread-safe, except for `Add`.
class CoordinateSet {
 public:
  /// Adds an array unless it is large or has many chunks.
  void Add(const std::shared_ptr<const zarr::Array>& array);
  /// Reads all arrays into the cache, in the first call only. Never fails, like ReadAheadTogether.
  void ReadAhead() const noexcept;

 private:
  std::vector<std::shared_ptr<const zarr::Array>> arrays_;
  mutable zarr::Once read_;
};

}  // namespace gdal_zarr
