// SPDX-License-Identifier: MIT
#pragma once

#include <memory>
#include <vector>

#include "driver/gdal/gdal_compat.h"

/// The arrays that dimensions and arrays refer to. GDAL's functions return null both for a missing array and for one
/// that cannot be read; these throw zarr::Error(io) for the latter, if the object is this driver's.
namespace gdal_zarr {

/// A dimension that reports why its coordinates cannot be read.
class IndexedDimension {
 public:
  virtual ~IndexedDimension() = default;
  /// Does the same as GDALDimension::GetIndexingVariable. Warns the user if the array is broken.
  virtual std::shared_ptr<GDALMDArray> FindIndexingVariable() const = 0;
};

std::shared_ptr<GDALMDArray> FindIndexingVariable(const GDALDimension& dimension);
std::vector<std::shared_ptr<GDALMDArray>> FindCoordinateVariables(const GDALMDArray& array);

}  // namespace gdal_zarr
