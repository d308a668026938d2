// SPDX-License-Identifier: MIT
#include "driver/dataset/referred_arrays.h"

#include "driver/dataset/editable_array.h"

namespace gdal_zarr {

std::shared_ptr<GDALMDArray> FindIndexingVariable(const GDALDimension& dimension) {
  const auto* own = dynamic_cast<const IndexedDimension*>(&dimension);
  return own ? own->FindIndexingVariable() : dimension.GetIndexingVariable();
}

std::vector<std::shared_ptr<GDALMDArray>> FindCoordinateVariables(const GDALMDArray& array) {
  const auto* own = AsOwnArray(&array);
  return own ? own->FindCoordinateVariables() : array.GetCoordinateVariables();
}

}  // namespace gdal_zarr
