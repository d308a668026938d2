#include "driver/georeferencing/regular_axis.h"

#include <charconv>
#include <cmath>
#include <vector>

namespace gdal_zarr {
namespace {

constexpr double kTolerance = 1e-3;
constexpr GUInt64 kLongest = GUInt64{1} << 28;

/// The number that somebody meant who wrote 0.1 as a Float32: the one with the fewest digits.
double Meant(double value) {
  char digits[64];
  const auto written = std::to_chars(digits, digits + sizeof(digits), static_cast<float>(value));
  double result = value;
  std::from_chars(digits, written.ptr, result);
  return result;
}

/// All values of an array of numbers, in C order; nothing if there are too many, or if they cannot be read.
std::vector<double> ReadAll(const GDALMDArray& array) {
  if (array.GetDataType().GetClass() != GEDTC_NUMERIC) return {};
  std::vector<std::size_t> count;
  GUInt64 total = 1;
  for (const auto& dimension : array.GetDimensions()) {
    if (dimension->GetSize() == 0 || dimension->GetSize() > kLongest / total) return {};
    total *= dimension->GetSize();
    count.push_back(static_cast<std::size_t>(dimension->GetSize()));
  }
  std::vector<double> values(static_cast<std::size_t>(total));
  const std::vector<GUInt64> start(count.size(), 0);
  if (!array.Read(start.data(), count.data(), nullptr, nullptr, GDALExtendedDataType::Create(GDT_Float64),
                  values.data()))
    return {};
  if (array.GetDataType().GetNumericDataType() == GDT_Float32) {
    // It is these two that decide how far apart the others are.
    values.front() = Meant(values.front());
    values.back() = Meant(values.back());
  }
  return values;
}

bool IsClose(double a, double b, double step) {
  return std::fabs(a - b) <= kTolerance * std::fabs(step);
}

/// The cells whose ends are values[2 * i + near] and, on the side of cell i + 1, values[2 * i + 1 - near].
std::optional<RegularAxis> Cells(const std::vector<double>& values, std::size_t near) {
  const std::size_t count = values.size() / 2;
  const double first = values[near];
  const double step = (values[2 * count - 1 - near] - first) / static_cast<double>(count);
  if (!std::isfinite(step) || step == 0) return std::nullopt;
  for (std::size_t i = 0; i < count; ++i) {
    const double begin = first + static_cast<double>(i) * step;
    if (!IsClose(values[2 * i + near], begin, step) || !IsClose(values[2 * i + 1 - near], begin + step, step))
      return std::nullopt;
  }
  return RegularAxis{first, step};
}

}  // namespace

std::optional<RegularAxis> ReadRegularAxis(const GDALMDArray& coordinates) {
  if (coordinates.GetDimensionCount() != 1 || coordinates.GetDimensions()[0]->GetSize() < 2) return std::nullopt;
  const std::vector<double> values = ReadAll(coordinates);
  if (values.empty()) return std::nullopt;
  const double step = (values.back() - values.front()) / static_cast<double>(values.size() - 1);
  if (!std::isfinite(step) || step == 0) return std::nullopt;
  for (std::size_t i = 1; i < values.size(); ++i) {
    if (!IsClose(values[i] - values[i - 1], step, step)) return std::nullopt;
  }
  return RegularAxis{values.front(), step};
}

std::optional<RegularAxis> ReadRegularCells(const GDALMDArray& bounds) {
  if (bounds.GetDimensionCount() != 2 || bounds.GetDimensions()[1]->GetSize() != 2) return std::nullopt;
  const std::vector<double> values = ReadAll(bounds);
  if (values.empty()) return std::nullopt;
  const auto cells = Cells(values, 0);
  return cells ? cells : Cells(values, 1);
}

std::optional<RegularAxis> ReadPixelEdges(const GDALMDArray* coordinates, const GDALMDArray* bounds) {
  const auto centres = coordinates ? ReadRegularAxis(*coordinates) : std::nullopt;
  const auto cells = bounds ? ReadRegularCells(*bounds) : std::nullopt;
  if (!centres) return cells;
  const RegularAxis edges{centres->first - centres->step / 2, centres->step};
  // Where both say the same, the centres' digits are kept.
  const bool same =
      !cells || (IsClose(cells->first, edges.first, edges.step) && IsClose(cells->step, edges.step, edges.step));
  return same ? edges : *cells;
}

}  // namespace gdal_zarr
