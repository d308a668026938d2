// SPDX-License-Identifier: MIT
#include "driver/georeferencing/geolocation.h"

#include <cmath>
#include <memory>

#include "driver/dataset/referred_arrays.h"
#include "driver/gdal/dataset_name.h"
#include "driver/gdal/text.h"
#include "driver/georeferencing/axis_unit.h"
#include "driver/georeferencing/raster_axes.h"

namespace gdal_zarr {
namespace {

/// Returns true if the array, opened as a raster, has that size and one band. In swaths of satellites, other dimensions
/// than rows and columns often have one index, such as a time.
bool IsRasterOfSize(const GDALMDArray& array, int width, int height) {
  const auto& dimensions = array.GetDimensions();
  const std::size_t rank = dimensions.size();
  if (rank < 2 || array.GetDataType().GetClass() != GEDTC_NUMERIC) return false;
  const RasterAxes axes = FindHorizontalAxes(dimensions).value_or(RasterAxes{rank - 1, rank - 2});
  for (std::size_t i = 0; i < rank; ++i) {
    const int size = i == axes.x ? width : i == axes.y ? height : 1;
    if (dimensions[i]->GetSize() != static_cast<GUInt64>(size)) return false;
  }
  return true;
}

std::string EscapeForXml(const std::string& text) {
  char* escaped = CPLEscapeString(text.c_str(), static_cast<int>(text.size()), CPLES_XML);
  std::string result = escaped;
  CPLFree(escaped);
  return result;
}

std::string FormatElement(const char* name, double number) {
  return std::string("<") + name + ">" + FormatNumber(number) + "</" + name + ">";
}

/// Returns the number of degrees in one unit of an array of angles; 1 if it is not known.
double GetDegreesOfUnit(const GDALMDArray& array) {
  constexpr double kRadian = 57.29577951308232;
  const double degrees = GetRadiansOfUnit(array.GetUnit()) * kRadian;
  return degrees > 0 && std::fabs(degrees - 1) > 1e-9 ? degrees : 1;
}

/// Makes a virtual raster of one band with an array's unpacked values, in degrees: `degrees` is one unit of the array.
std::string MakeUnpackedRaster(const GDALMDArray& array, const std::string& dataset, double degrees, int width,
                               int height) {
  bool has_nodata = false;
  const double nodata = array.GetNoDataValueAsDouble(&has_nodata);
  std::string xml = "<VRTDataset rasterXSize=\"" + std::to_string(width) + "\" rasterYSize=\"" +
                    std::to_string(height) + "\"><VRTRasterBand dataType=\"Float64\" band=\"1\">";
  if (has_nodata) xml += FormatElement("NoDataValue", kNowhere);
  xml += "<ComplexSource><SourceFilename relativeToVRT=\"0\">" + EscapeForXml(dataset) +
         "</SourceFilename><SourceBand>1</SourceBand>" + FormatElement("ScaleOffset", array.GetOffset() * degrees) +
         FormatElement("ScaleRatio", array.GetScale() * degrees);
  if (has_nodata) xml += FormatElement("NODATA", nodata);
  return xml + "</ComplexSource></VRTRasterBand></VRTDataset>";
}

/// Returns the name of a dataset with the array's unpacked values, because GDAL ignores scale and offset in datasets of
/// geolocation arrays.
std::string MakeUnpackedDatasetName(const GDALMDArray& array, const std::string& store, int width, int height) {
  std::string name = MakeArrayDatasetName(store, array.GetFullName());
  bool has_scale = false;
  bool has_offset = false;
  array.GetScale(&has_scale);
  array.GetOffset(&has_offset);
  const double degrees = GetDegreesOfUnit(array);
  return has_scale || has_offset || degrees != 1 ? MakeUnpackedRaster(array, name, degrees, width, height) : name;
}

}  // namespace

CPLStringList MakeGeolocation(const GDALMDArray& array, const std::string& store, int width, int height) {
  std::shared_ptr<GDALMDArray> x;
  std::shared_ptr<GDALMDArray> y;
  for (const auto& coordinates : FindCoordinateVariables(array)) {
    if (!IsRasterOfSize(*coordinates, width, height)) continue;
    if (!x && HoldsLongitudes(*coordinates)) x = coordinates;
    if (!y && HoldsLatitudes(*coordinates)) y = coordinates;
  }
  CPLStringList domain;
  if (!x || !y) return domain;
  domain.SetNameValue("SRS", SRS_WKT_WGS84_LAT_LONG);
  domain.SetNameValue("X_DATASET", MakeUnpackedDatasetName(*x, store, width, height).c_str());
  domain.SetNameValue("X_BAND", "1");
  domain.SetNameValue("Y_DATASET", MakeUnpackedDatasetName(*y, store, width, height).c_str());
  domain.SetNameValue("Y_BAND", "1");
  domain.SetNameValue("PIXEL_OFFSET", "0");
  domain.SetNameValue("PIXEL_STEP", "1");
  domain.SetNameValue("LINE_OFFSET", "0");
  domain.SetNameValue("LINE_STEP", "1");
  domain.SetNameValue("GEOREFERENCING_CONVENTION", "PIXEL_CENTER");
  return domain;
}

}  // namespace gdal_zarr
