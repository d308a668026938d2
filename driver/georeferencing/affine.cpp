// SPDX-License-Identifier: MIT
#include "driver/georeferencing/affine.h"

#include <cmath>
#include <string>

namespace gdal_zarr {
namespace {

using zarr::JsonNode;

double ReadFiniteNumber(const JsonNode& node) {
  const double number = node.AsDouble();
  if (!std::isfinite(number)) node.FailExpected("a finite number");
  return number;
}

template <std::size_t kCount>
std::array<double, kCount> ReadNumbers(const JsonNode& node) {
  if (!node.IsArray() || node.size() != kCount) node.FailExpected("a list of " + std::to_string(kCount) + " numbers");
  std::array<double, kCount> numbers;
  for (std::size_t i = 0; i < kCount; ++i) numbers[i] = ReadFiniteNumber(node[i]);
  return numbers;
}

GeoTransform ShiftOrigin(const GeoTransform& t, double pixels) {
  return {t[0] + pixels * (t[1] + t[2]), t[1], t[2], t[3] + pixels * (t[4] + t[5]), t[4], t[5]};
}

}  // namespace

GeoTransform ReadAffine(const JsonNode& numbers) {
  const auto [a, b, c, d, e, f] = ReadNumbers<6>(numbers);
  if (a * e - b * d == 0) numbers.FailExpected("a transform that can be inverted");
  return {c, a, b, f, d, e};
}

GeoTransform ReadAffineOrMatrix(const JsonNode& numbers) {
  if (!numbers.IsArray() || numbers.size() != 9) return ReadAffine(numbers);
  const auto matrix = ReadNumbers<9>(numbers);
  if (matrix[6] != 0 || matrix[7] != 0 || matrix[8] != 1) numbers.FailExpected("a matrix that ends with 0, 0, 1");
  if (matrix[0] * matrix[4] == matrix[1] * matrix[3]) numbers.FailExpected("a transform that can be inverted");
  return {matrix[2], matrix[0], matrix[1], matrix[5], matrix[3], matrix[4]};
}

std::optional<GeoTransform> ReadBox(const JsonNode& box, std::uint64_t width, std::uint64_t height, bool centres) {
  const auto [x_min, y_min, x_max, y_max] = ReadNumbers<4>(box);
  const std::uint64_t steps_across = centres ? width - 1 : width;
  const std::uint64_t steps_down = centres ? height - 1 : height;
  if (steps_across == 0 || steps_down == 0 || x_min == x_max || y_min == y_max) return std::nullopt;
  return GeoTransform{x_min, (x_max - x_min) / static_cast<double>(steps_across), 0, y_max,
                      0,     (y_min - y_max) / static_cast<double>(steps_down)};
}

GeoTransform ToCorners(const GeoTransform& transform) {
  return ShiftOrigin(transform, -0.5);
}

GeoTransform ToCentres(const GeoTransform& transform) {
  return ShiftOrigin(transform, 0.5);
}

GeoTransform ComputeLevelTransform(const GeoTransform& t, const AxisStep& column, const AxisStep& row) {
  return {t[0] + t[1] * column.offset + t[2] * row.offset, t[1] * column.scale, t[2] * row.scale,
          t[3] + t[4] * column.offset + t[5] * row.offset, t[4] * column.scale, t[5] * row.scale};
}

}  // namespace gdal_zarr
