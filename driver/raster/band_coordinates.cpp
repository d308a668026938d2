// SPDX-License-Identifier: MIT
#include "driver/raster/band_coordinates.h"

#include <charconv>

#include "driver/cf/coordinate_time.h"
#include "driver/raster/raster_dataset.h"
#include "zarrlib/base/text.h"

namespace gdal_zarr {
namespace {

/// Formats a number, as stored, unpacked and in no more digits than its type holds.
std::string FormatNumber(const std::string& stored, const GDALMDArray& variable) {
  const auto number = zarr::ParseNumber<double>(stored);
  const double scale = variable.GetScale(nullptr, nullptr);
  const double offset = variable.GetOffset(nullptr, nullptr);
  const bool is_packed = scale != 1 || offset != 0;
  const GDALDataType type = variable.GetDataType().GetNumericDataType();
  if (!number || (GDALDataTypeIsInteger(type) && !is_packed)) return stored;
  if (is_packed) return CPLSPrintf("%.15g", *number * scale + offset);
  char text[64];
  const auto end = type == GDT_Float64 ? std::to_chars(text, text + sizeof(text), *number)
                                       : std::to_chars(text, text + sizeof(text), static_cast<float>(*number));
  return {text, end.ptr};
}

/// Cuts text that would be kept for each of thousands of bands.
std::string CutText(std::string text) {
  constexpr std::size_t kMostBytes = 1024;
  if (text.size() <= kMostBytes) return text;
  std::size_t end = kMostBytes;
  while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xC0) == 0x80) --end;  // within a character of UTF-8
  return text.substr(0, end) + "...";
}

std::string Show(const BandCoordinate& coordinate, const GDALMDArray& variable) {
  if (coordinate.time) return *coordinate.time;
  if (variable.GetDataType().GetClass() == GEDTC_STRING) return *coordinate.value;
  return coordinate.dimension + "=" + FormatNumber(*coordinate.value, variable) +
         (coordinate.unit.empty() ? "" : " " + coordinate.unit);
}

}  // namespace

std::vector<BandCoordinate> ListBandCoordinates(RasterDataset& dataset, int band) {
  const std::vector<std::uint64_t> indices = dataset.view().GetOtherIndices(band);
  const std::vector<std::size_t> others = dataset.view().ListOtherDimensions();
  std::vector<BandCoordinate> coordinates(indices.size());
  for (std::size_t i = 0; i < indices.size(); ++i) {
    const auto& dimension = dataset.md_array().GetDimensions()[others[i]];
    BandCoordinate& coordinate = coordinates[i];
    coordinate.dimension = CutText(dimension->GetName());
    coordinate.index = indices[i];
    coordinate.value = dataset.FindCoordinate(others[i], indices[i]);
    if (!coordinate.value) continue;
    const auto variable = dimension->GetIndexingVariable();
    if (!variable) {  // it could be read a moment ago
      coordinate.value.reset();
      continue;
    }
    coordinate.unit = CutText(variable->GetUnit());
    const auto meaning = CoordinateTime::Read(*variable);
    if (meaning) coordinate.time = meaning->FormatTime(*coordinate.value);
    coordinate.value = CutText(*std::move(coordinate.value));
    coordinate.shown = Show(coordinate, *variable);
  }
  return coordinates;
}

std::string DescribeBandCoordinates(const std::vector<BandCoordinate>& coordinates) {
  std::string text;
  for (const BandCoordinate& coordinate : coordinates) {
    if (!coordinate.shown.empty()) text += (text.empty() ? "" : ", ") + coordinate.shown;
  }
  return text;
}

}  // namespace gdal_zarr
