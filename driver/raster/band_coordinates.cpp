// SPDX-License-Identifier: MIT
#include "driver/raster/band_coordinates.h"

#include <charconv>
#include <utility>

#include "driver/cf/coordinate_time.h"
#include "driver/dataset/referred_arrays.h"
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

/// Reads the coordinate along dimension number `number` of the array. Throws zarr::Error, before anything is set.
void ReadCoordinate(RasterDataset& dataset, std::size_t number, BandCoordinate* coordinate) {
  const auto& dimension = dataset.md_array().GetDimensions()[number];
  std::optional<std::string> value = dataset.FindCoordinate(number, coordinate->index);
  const auto variable = value ? FindIndexingVariable(*dimension) : nullptr;
  if (!variable) return;
  const auto meaning = CoordinateTime::Read(*variable);
  if (meaning) coordinate->time = meaning->FormatTime(*value);
  coordinate->unit = CutText(variable->GetUnit());
  coordinate->value = CutText(*std::move(value));
  coordinate->shown = Show(*coordinate, *variable);
}

}  // namespace

std::vector<BandCoordinate> ListBandCoordinates(RasterDataset& dataset, int band) {
  const std::vector<std::uint64_t> indices = dataset.view().GetOtherIndices(band);
  const std::vector<std::size_t> others = dataset.view().ListOtherDimensions();
  std::vector<BandCoordinate> coordinates(indices.size());
  for (std::size_t i = 0; i < indices.size(); ++i) {
    coordinates[i].dimension = CutText(dataset.md_array().GetDimensions()[others[i]]->GetName());
    coordinates[i].index = indices[i];
    try {
      ReadCoordinate(dataset, others[i], &coordinates[i]);
    } catch (...) {
      coordinates[i].failure = std::current_exception();
    }
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

void CheckAllWereRead(const std::vector<BandCoordinate>& coordinates) {
  for (const BandCoordinate& coordinate : coordinates) {
    if (coordinate.failure) std::rethrow_exception(coordinate.failure);
  }
}

}  // namespace gdal_zarr
