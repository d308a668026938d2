// SPDX-License-Identifier: MIT
#pragma once

#include <memory>
#include <vector>

#include "driver/gdal/gdal_compat.h"

/// Arrays that dimensions and arrays refer to. GDAL's functions return null both for a missing array and for one that
/// cannot be read. These functions throw zarr::Error(io) for the latter if the object belongs to this driver.
namespace gdal_zarr {

/// A dimension that reports why its coordinates cannot be read.
class IndexedDimension {
 public:
  virtual ~IndexedDimension() = default;
  /// Like GDALDimension::GetIndexingVariable. Warns the user if the array is broken.
  virtual std::shared_ptr<GDALMDArray> FindIndexingVariable() const = 0;
};

std::shared_ptr<GDALMDArray> FindIndexingVariable(const GDALDimension& dimension);
std::vector<std::shared_ptr<GDALMDArray>> FindCoordinateVariables(const GDALMDArray& array);

}  // namespace gdal_zarr
