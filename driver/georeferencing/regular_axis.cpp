#include "driver/georeferencing/regular_axis.h"

#include <cmath>
#include <vector>

namespace gdal_zarr {
namespace {

constexpr double kTolerance = 1e-3;
constexpr GUInt64 kLongest = GUInt64{1} << 28;

std::vector<double> ReadAll(const GDALMDArray& coordinates) {
  const GUInt64 size = coordinates.GetDimensions()[0]->GetSize();
  std::vector<double> values(static_cast<std::size_t>(size));
  const GUInt64 start = 0;
  const std::size_t count = values.size();
  const GInt64 step = 1;
  const GPtrDiff_t stride = 1;
  if (!coordinates.Read(&start, &count, &step, &stride, GDALExtendedDataType::Create(GDT_Float64), values.data()))
    return {};
  return values;
}

}  // namespace

std::optional<RegularAxis> ReadRegularAxis(const GDALMDArray& coordinates) {
  if (coordinates.GetDimensionCount() != 1 || coordinates.GetDataType().GetClass() != GEDTC_NUMERIC)
    return std::nullopt;
  const GUInt64 size = coordinates.GetDimensions()[0]->GetSize();
  if (size < 2 || size > kLongest) return std::nullopt;
  const std::vector<double> values = ReadAll(coordinates);
  if (values.empty()) return std::nullopt;
  const double step = (values.back() - values.front()) / static_cast<double>(values.size() - 1);
  if (!std::isfinite(step) || step == 0) return std::nullopt;
  for (std::size_t i = 1; i < values.size(); ++i) {
    if (!(std::fabs(values[i] - values[i - 1] - step) <= kTolerance * std::fabs(step))) return std::nullopt;
  }
  return RegularAxis{values.front(), step};
}

}  // namespace gdal_zarr
