// SPDX-License-Identifier: MIT
#include "driver/raster/coordinates/band_coordinates.h"

#include <charconv>
#include <memory>
#include <new>
#include <utility>

#include "driver/cf/coordinate_time.h"
#include "driver/dataset/referred_arrays.h"
#include "driver/multidim/md_array.h"
#include "driver/raster/raster_view.h"
#include "zarrlib/base/text.h"

namespace gdal_zarr {
namespace {

/// Returns true for NumPy's times, which have their own value for a missing one.
bool IsNumpyTime(const GDALMDArray& variable) {
  using NumberKind = zarr::DataType::Kind;
  const auto* own = AsOwnMDArray(&variable);
  const NumberKind kind = own ? own->array().data_type().kind : NumberKind::kInt;
  return kind == NumberKind::kDatetime64 || kind == NumberKind::kTimedelta64;
}

bool IsPacked(const GDALMDArray& variable) {
  return variable.GetScale(nullptr, nullptr) != 1 || variable.GetOffset(nullptr, nullptr) != 0;
}

/// Formats a number like a coordinate of type Float64, so that such a coordinate can replace it.
std::string FormatAsStored(double number) {
  char* text = nullptr;
  GDALExtendedDataType::CopyValue(&number, GDALExtendedDataType::Create(GDT_Float64), &text,
                                  GDALExtendedDataType::CreateString());
  const std::unique_ptr<char, decltype(&VSIFree)> owned(text, VSIFree);
  return text ? text : "";
}

/// Returns a stored number as it is meant: unpacked, and NaN if it is missing. Returns other values as they are stored.
std::string FindMeaning(const std::string& stored, const GDALMDArray& variable, bool is_time) {
  const GDALExtendedDataType& type = variable.GetDataType();
  const bool is_real = type.GetClass() == GEDTC_NUMERIC && !GDALDataTypeIsComplex(type.GetNumericDataType());
  if (!is_real || IsNumpyTime(variable)) return stored;
  const auto number = zarr::ParseNumber<double>(stored);
  if (!number) return stored;
  if (*number == FindMissingCoordinate(variable, is_time)) return "nan";
  if (!IsPacked(variable)) return stored;
  return FormatAsStored(*number * variable.GetScale(nullptr, nullptr) + variable.GetOffset(nullptr, nullptr));
}

/// Formats a number with no more digits than its type holds.
std::string FormatNumber(const std::string& value, const GDALMDArray& variable) {
  const auto number = zarr::ParseNumber<double>(value);
  const GDALDataType type = variable.GetDataType().GetNumericDataType();
  if (!number || (GDALDataTypeIsInteger(type) && !IsPacked(variable))) return value;
  if (IsPacked(variable)) return CPLSPrintf("%.15g", *number);
  char text[64];
  const auto end = type == GDT_Float64 ? std::to_chars(text, text + sizeof(text), *number)
                                       : std::to_chars(text, text + sizeof(text), static_cast<float>(*number));
  return {text, end.ptr};
}

/// Returns the calendar of times if it has other dates than the Gregorian one, which programs assume; otherwise "".
std::string FindCalendarName(const GDALMDArray& variable, const CoordinateTime& time) {
  const bool is_usual = time.calendar() == Calendar::kStandard || time.calendar() == Calendar::kProlepticGregorian;
  const auto attribute = is_usual ? nullptr : FindAttribute(variable, "calendar");
  const char* name = attribute ? attribute->ReadAsString() : nullptr;
  return name ? name : "";
}

/// Truncates text that would be kept for each of thousands of bands.
std::string CutText(std::string text) {
  constexpr std::size_t kMostBytes = 1024;
  if (text.size() <= kMostBytes) return text;
  std::size_t end = kMostBytes;
  while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xC0) == 0x80) --end;  // within a UTF-8 character
  return text.substr(0, end) + "...";
}

std::string Show(const BandCoordinate& coordinate, const GDALMDArray& variable) {
  if (coordinate.time) return *coordinate.time;
  if (variable.GetDataType().GetClass() == GEDTC_STRING) return *coordinate.value;
  return coordinate.dimension + "=" + FormatNumber(*coordinate.value, variable) +
         (coordinate.unit.empty() ? "" : " " + coordinate.unit);
}

/// Describes a coordinate. Throws zarr::Error before anything is set.
void Describe(const GDALDimension& dimension, std::optional<std::string> value, BandCoordinate* coordinate) {
  const auto variable = value ? FindIndexingVariable(dimension) : nullptr;
  if (!variable) return;
  const auto meaning = CoordinateTime::Read(*variable);
  if (meaning) coordinate->time = meaning->FormatTime(*value);
  if (meaning) coordinate->calendar = FindCalendarName(*variable, *meaning);
  coordinate->unit = CutText(variable->GetUnit());
  coordinate->value = CutText(FindMeaning(*value, *variable, meaning.has_value()));
  coordinate->shown = Show(*coordinate, *variable);
}

/// Returns the value of a dimension's coordinate array, as text. Returns nullopt if there is no such array.
std::optional<std::string> ReadStored(const GDALDimension& dimension, std::uint64_t index) {
  const auto variable = FindIndexingVariable(dimension);
  const auto* own = AsOwnMDArray(variable.get());
  if (!own || variable->GetDataType().GetClass() == GEDTC_COMPOUND) return std::nullopt;
  const GUInt64 start = index;
  const std::size_t count = 1;
  const GInt64 step = 1;
  const GPtrDiff_t stride = 1;
  char* text = nullptr;
  own->ReadCoordinatesAhead();
  own->ReadSlab(&start, &count, &step, &stride, GDALExtendedDataType::CreateString(), &text);
  const std::unique_ptr<char, decltype(&VSIFree)> owned(text, VSIFree);
  return text ? std::optional<std::string>(text) : std::nullopt;
}

BandCoordinate Locate(const GDALDimension& dimension, std::uint64_t index) {
  BandCoordinate coordinate;
  coordinate.dimension = CutText(dimension.GetName());
  coordinate.index = index;
  return coordinate;
}

}  // namespace

BandCoordinate ReadBandCoordinate(const GDALDimension& dimension, std::uint64_t index) {
  BandCoordinate coordinate = Locate(dimension, index);
  Describe(dimension, ReadStored(dimension, index), &coordinate);
  return coordinate;
}

/// Like ReadStored, but returns nullopt if there is no time left.
std::optional<std::string> BandCoordinates::Find(const GDALDimension& dimension, std::uint64_t index) {
  if (left_ < left_.zero()) return std::nullopt;
  const auto begin = std::chrono::steady_clock::now();
  auto value = ReadStored(dimension, index);
  left_ -= std::chrono::steady_clock::now() - begin;
  return value;
}

std::vector<BandCoordinate> BandCoordinates::List(int band) {
  const std::vector<std::uint64_t> indices = raster_.view.GetOtherIndices(band);
  const std::vector<std::size_t> others = raster_.view.ListOtherDimensions();
  std::vector<BandCoordinate> coordinates(indices.size());
  for (std::size_t i = 0; i < indices.size(); ++i) {
    const GDALDimension& dimension = *raster_.array->GetDimensions()[others[i]];
    coordinates[i] = Locate(dimension, indices[i]);
    try {
      Describe(dimension, Find(dimension, indices[i]), &coordinates[i]);
    } catch (...) {
      coordinates[i].failure = std::current_exception();
    }
  }
  return coordinates;
}

void BandCoordinates::NoteUnanswered(int band) noexcept {
  questions_.Note(kQuestion, false);
  try {
    const std::lock_guard lock(unanswered_mutex_);
    unanswered_.insert(band);
  } catch (const std::bad_alloc&) {
    // The next read still is an error; it just does not read this band's coordinates again.
  }
}

void BandCoordinates::AskAgain() {
  const auto bands = [this] {
    const std::lock_guard lock(unanswered_mutex_);
    return unanswered_;
  }();
  for (const int band : bands) CheckAllWereRead(List(band));
  const std::lock_guard lock(unanswered_mutex_);
  unanswered_.clear();
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
