#include "driver/georeferencing/geolocation.h"

#include <memory>

#include "driver/dataset_name.h"
#include "driver/horizontal_axes.h"

namespace gdal_zarr {
namespace {

/// Whether the array, opened as a raster, is one of that size.
bool IsRasterOfSize(const GDALMDArray& array, int width, int height) {
  const auto& dimensions = array.GetDimensions();
  if (dimensions.size() != 2 || array.GetDataType().GetClass() != GEDTC_NUMERIC) return false;
  const RasterAxes axes = FindHorizontalAxes(dimensions).value_or(RasterAxes{1, 0});
  return dimensions[axes.x]->GetSize() == static_cast<GUInt64>(width) &&
         dimensions[axes.y]->GetSize() == static_cast<GUInt64>(height);
}

}  // namespace

CPLStringList GeolocationOf(const GDALMDArray& array, const std::string& store, int width, int height) {
  std::shared_ptr<GDALMDArray> x;
  std::shared_ptr<GDALMDArray> y;
  for (const auto& coordinates : array.GetCoordinateVariables()) {
    if (!IsRasterOfSize(*coordinates, width, height)) continue;
    if (!x && HoldsLongitudes(*coordinates)) x = coordinates;
    if (!y && HoldsLatitudes(*coordinates)) y = coordinates;
  }
  CPLStringList domain;
  if (!x || !y) return domain;
  domain.SetNameValue("SRS", SRS_WKT_WGS84_LAT_LONG);
  domain.SetNameValue("X_DATASET", ArrayDatasetName(store, x->GetFullName()).c_str());
  domain.SetNameValue("X_BAND", "1");
  domain.SetNameValue("Y_DATASET", ArrayDatasetName(store, y->GetFullName()).c_str());
  domain.SetNameValue("Y_BAND", "1");
  domain.SetNameValue("PIXEL_OFFSET", "0");
  domain.SetNameValue("PIXEL_STEP", "1");
  domain.SetNameValue("LINE_OFFSET", "0");
  domain.SetNameValue("LINE_STEP", "1");
  domain.SetNameValue("GEOREFERENCING_CONVENTION", "PIXEL_CENTER");
  return domain;
}

}  // namespace gdal_zarr
