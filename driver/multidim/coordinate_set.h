// SPDX-License-Identifier: MIT
#pragma once

#include <memory>
#include <vector>

#include "zarrlib/array/array.h"
#include "zarrlib/base/once.h"

namespace gdal_zarr {

/// The coordinates along the dimensions of one array. Where each chunk takes a request, a program that reads one of
/// them is given all that are small at once: it most often wants the others next. Thread-safe, but for `Add`.
class CoordinateSet {
 public:
  /// Adds an array, unless it is large or in many chunks.
  void Add(const std::shared_ptr<const zarr::Array>& array);
  /// Reads all arrays into the cache, in the first call only. Never fails, as ReadAheadTogether.
  void ReadAhead() const noexcept;

 private:
  std::vector<std::shared_ptr<const zarr::Array>> arrays_;
  mutable zarr::Once read_;
};

}  // namespace gdal_zarr
