// SPDX-License-Identifier: MIT
#include "driver/georeferencing/coordinates/coordinate_values.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>

#include "driver/dataset/editable_array.h"
#include "driver/dataset/shared_resource.h"
#include "driver/georeferencing/coordinates/regular_axis.h"
#include "zarrlib/base/limits.h"

namespace gdal_zarr {
namespace {

/// Values beyond this are not longitudes; below, the number of turns fits into an integer.
constexpr double kMaxLongitude = 1e6 * kTurn;
constexpr int kMostDigits = 17;

/// Counts the inner chunks of an array; UINT64_MAX if there are more.
std::uint64_t CountChunks(const zarr::Array& array) {
  std::uint64_t count = 1;
  for (std::size_t i = 0; i < array.rank(); ++i) {
    const auto edge = zarr::FindEvenChunkEdge(array, i);
    const std::uint64_t extent = array.shape()[i];
    const std::uint64_t along = edge && *edge > 0 ? extent / *edge + (extent % *edge > 0 ? 1 : 0)
                                                  : array.metadata().chunk_grid.axis(i).chunk_count();
    count = zarr::MultiplyChecked(count, along).value_or(UINT64_MAX);
  }
  return count;
}

/// Describes a limit that the array exceeds. Returns nullopt if it does not exceed any.
std::optional<std::string> DescribeExcess(const GDALMDArray& array) {
  const auto describe = [](std::uint64_t count, zarr::Limit limit, const char* unit) {
    const bool fits = count <= zarr::GetLimit(limit);
    return fits ? std::nullopt
                : std::optional(zarr::FormatExpectedGot(zarr::FormatAtMost(limit, unit), std::to_string(count)));
  };
  std::uint64_t count = 1;
  for (const auto& dimension : array.GetDimensions()) {
    count = zarr::MultiplyChecked(count, dimension->GetSize()).value_or(UINT64_MAX);
  }
  if (auto excess = describe(count, zarr::Limit::kCoordinates, "coordinates")) return excess;
  const auto* own = AsOwnArray(&array);
  if (!own) return std::nullopt;
  return describe(CountChunks(own->array()), zarr::Limit::kCoordinateChunks, "chunks of coordinates");
}

void ReadAll(const GDALMDArray& array, std::vector<double>* values) {
  std::vector<std::size_t> count;
  for (const auto& dimension : array.GetDimensions()) count.push_back(static_cast<std::size_t>(dimension->GetSize()));
  const std::vector<GUInt64> start(count.size(), 0);
  const std::vector<GInt64> step(count.size(), 1);
  std::vector<GPtrDiff_t> stride(count.size(), 1);
  for (std::size_t i = count.size(); i-- > 1;) stride[i - 1] = stride[i] * static_cast<GPtrDiff_t>(count[i]);
  const auto type = GDALExtendedDataType::Create(GDT_Float64);
  if (const auto* own = AsOwnArray(&array)) {
    own->ReadSlab(start.data(), count.data(), step.data(), stride.data(), type, values->data());
  } else if (!array.Read(start.data(), count.data(), step.data(), stride.data(), type, values->data())) {
    values->clear();
  }
}

std::vector<double> ReadStored(const GDALMDArray& array) {
  if (array.GetDataType().GetClass() != GEDTC_NUMERIC) return {};
  try {
    CheckCoordinateCount(array);
    std::vector<double> values(static_cast<std::size_t>(array.GetTotalElementsCount()));
    if (!values.empty()) ReadAll(array, &values);
    return values;
  } catch (const zarr::Error& error) {
    const auto* own = AsOwnArray(&array);
    if (own) {
      own->resource()->finder().Tolerate(error);
    } else {
      CPLError(CE_Warning, CPLE_AppDefined, "%s: %s", array.GetFullName().c_str(), error.what());
    }
    return {};
  }
}

/// Returns the number of binary digits of a floating-point type; 0 if it has many.
int CountDigits(const zarr::DataType& type) {
  if (type.kind == zarr::DataType::Kind::kBfloat16) return 8;
  if (type.kind != zarr::DataType::Kind::kFloat || type.size > 4) return 0;
  return type.size == 4 ? 24 : 11;
}

int CountDigits(const GDALMDArray& array) {
  if (const auto* own = AsOwnArray(&array)) return CountDigits(own->array().data_type());
  return array.GetDataType().GetNumericDataType() == GDT_Float32 ? 24 : 0;
}

bool IsPacked(const GDALMDArray& array) {
  bool has_scale = false;
  bool has_offset = false;
  array.GetScale(&has_scale, nullptr);
  array.GetOffset(&has_offset, nullptr);
  return has_scale || has_offset;
}

double GetHalfLastDigit(double value, int digits) {
  return digits == 0 || value == 0 || !std::isfinite(value) ? 0 : std::ldexp(1.0, std::ilogb(value) - digits);
}

double FindFewestDigits(double value, double rounding) {
  for (int digits = 1; digits < kMostDigits; ++digits) {
    char text[64];
    const auto written = std::to_chars(text, text + sizeof(text), value, std::chars_format::general, digits);
    double shorter = value;
    std::from_chars(text, written.ptr, shorter);
    if (std::fabs(shorter - value) <= rounding) return shorter;
  }
  return value;
}

}  // namespace

double GetRounding(const zarr::DataType& type, double stored) {
  return GetHalfLastDigit(stored, CountDigits(type));
}

void CheckCoordinateCount(const GDALMDArray& array) {
  const auto excess = DescribeExcess(array);
  if (!excess) return;
  const zarr::Error error(zarr::ErrorKind::kLimitExceeded, *excess);
  const auto* own = AsOwnArray(&array);
  throw own ? error.At(own->array().store().name(), own->array().path()) : error;
}

bool HasTooManyCoordinates(const GDALMDArray& array) {
  return DescribeExcess(array).has_value();
}

CoordinateValues CoordinateValues::Read(const GDALMDArray& array, const GDALMDArray* coordinates) {
  CoordinateValues result;
  result.stored_ = std::make_shared<const std::vector<double>>(ReadStored(array));
  result.digits_ = CountDigits(array);
  const bool as_others = coordinates && !IsPacked(array) && array.GetDataType() == coordinates->GetDataType();
  const GDALMDArray& packed = as_others ? *coordinates : array;
  result.scale_ = packed.GetScale(nullptr, nullptr);
  result.offset_ = packed.GetOffset(nullptr, nullptr);
  return result;
}

double CoordinateValues::Unpack(std::size_t i, double stored) const {
  return stored * scale_ + offset_ + (turns_.empty() ? 0 : turns_[i] * kTurn);
}

double CoordinateValues::FindMeantValue(std::size_t i) const {
  const double stored = (*stored_)[i];
  const double rounding = GetHalfLastDigit(stored, digits_);
  return rounding == 0 ? (*this)[i] : Unpack(i, FindFewestDigits(stored, rounding));
}

double CoordinateValues::GetRounding(std::size_t i) const {
  return GetHalfLastDigit((*stored_)[i], digits_) * std::fabs(scale_);
}

CoordinateValues CoordinateValues::Pick(const std::vector<std::size_t>& indices) const {
  CoordinateValues result = *this;
  std::vector<double> picked;
  result.turns_.clear();
  for (const std::size_t i : indices) {
    picked.push_back((*stored_)[i]);
    if (!turns_.empty()) result.turns_.push_back(turns_[i]);
  }
  result.stored_ = std::make_shared<const std::vector<double>>(std::move(picked));
  return result;
}

CoordinateValues CoordinateValues::WithoutJumps() const {
  CoordinateValues result = *this;
  result.turns_.assign(size(), 0);
  for (std::size_t i = 1; i < size(); ++i) {
    const double difference = (*this)[i] - (*this)[i - 1];
    const int jump = difference > kTurn / 2 ? -1 : difference < -kTurn / 2 ? 1 : 0;
    result.turns_[i] = result.turns_[i - 1] + jump;
  }
  if (size() == 0) return result;
  const auto [low, high] = std::minmax({result[0], result[size() - 1]});
  // Most of the globe stays in either of the usual ranges of longitudes.
  if (high - low > kTurn / 2 && low >= -kTurn / 2 && high <= kTurn) return result;
  const double middle = (low + high) / 2;
  if (!std::isfinite(middle)) return result;
  if (std::fabs(middle) > kMaxLongitude) return *this;
  const int turns_of_all = static_cast<int>(std::floor((middle + kTurn / 2) / kTurn));
  for (int& turns : result.turns_) turns -= turns_of_all;
  return result;
}

}  // namespace gdal_zarr
