#pragma once

#include <memory>
#include <vector>

#include "driver/gdal/gdal_compat.h"

/// The arrays to which dimensions and arrays refer. GDAL's functions for them cannot tell "there is none" from "it
/// could not be read"; these throw zarr::Error(io) for the latter, where the object is this driver's.
namespace gdal_zarr {

/// A dimension that tells why its coordinates cannot be read.
class IndexedDimension {
 public:
  virtual ~IndexedDimension() = default;
  /// As GDALDimension::GetIndexingVariable. Of an array that is broken the user is warned.
  virtual std::shared_ptr<GDALMDArray> FindIndexingVariable() const = 0;
};

std::shared_ptr<GDALMDArray> FindIndexingVariable(const GDALDimension& dimension);
std::vector<std::shared_ptr<GDALMDArray>> FindCoordinateVariables(const GDALMDArray& array);

}  // namespace gdal_zarr
