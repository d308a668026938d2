// SPDX-License-Identifier: MIT
#include "driver/georeferencing/affine.h"

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>

#include "driver/cf/attribute_number.h"

namespace gdal_zarr {
namespace {

using zarr::JsonNode;

template <std::size_t kCount>
std::array<double, kCount> ReadNumbers(const JsonNode& node) {
  const auto list = ReadNumberList(node);
  if (!list || list->size() != kCount) node.FailExpected("a list of " + std::to_string(kCount) + " numbers");
  std::array<double, kCount> numbers;
  for (std::size_t i = 0; i < kCount; ++i) {
    numbers[i] = (*list)[i];
    if (!std::isfinite(numbers[i])) (node.IsArray() ? node[i] : node).FailExpected("a finite number");
  }
  return numbers;
}

void CheckInvertible(const GeoTransform& t, const JsonNode& numbers) {
  if (t[1] * t[5] == t[2] * t[4]) numbers.FailExpected("a transform that can be inverted");
}

GeoTransform ShiftOrigin(const GeoTransform& t, double pixels) {
  return {t[0] + pixels * (t[1] + t[2]), t[1], t[2], t[3] + pixels * (t[4] + t[5]), t[4], t[5]};
}

}  // namespace

GeoTransform ReadAffine(const JsonNode& numbers) {
  const auto [a, b, c, d, e, f] = ReadNumbers<6>(numbers);
  const GeoTransform transform = {c, a, b, f, d, e};
  CheckInvertible(transform, numbers);
  return transform;
}

GeoTransform ReadGdalNumbers(const JsonNode& numbers) {
  return ReadNumbers<6>(numbers);
}

GeoTransform ReadAffineOrMatrix(const JsonNode& numbers) {
  const auto list = ReadNumberList(numbers);
  if (!list || list->size() != 9) return ReadAffine(numbers);
  const auto matrix = ReadNumbers<9>(numbers);
  if (matrix[6] != 0 || matrix[7] != 0 || matrix[8] != 1) numbers.FailExpected("a matrix that ends with 0, 0, 1");
  const GeoTransform transform = {matrix[2], matrix[0], matrix[1], matrix[5], matrix[3], matrix[4]};
  CheckInvertible(transform, numbers);
  return transform;
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

bool AreSamePlace(const GeoTransform& a, const GeoTransform& b, const RasterSize& size,
                  const PlaceTolerance& tolerance) {
  for (const std::size_t axis : {0u, 3u}) {
    const auto pixel = [axis](const GeoTransform& t) {
      return std::max(std::fabs(t[axis + 1]), std::fabs(t[axis + 2]));
    };
    const double most = tolerance.pixels * std::min(pixel(a), pixel(b)) + (axis == 0 ? tolerance.x : tolerance.y);
    const auto difference = [&](std::size_t i) { return a[axis + i] - b[axis + i]; };
    for (const auto& [x, y] : {std::pair(0.0, 0.0), {size.width, 0.0}, {0.0, size.height}}) {
      if (!(std::fabs(difference(0) + x * difference(1) + y * difference(2)) <= most)) return false;
    }
  }
  return true;
}

GeoTransform ComputeLevelTransform(const GeoTransform& t, const AxisStep& column, const AxisStep& row) {
  return {t[0] + t[1] * column.offset + t[2] * row.offset, t[1] * column.scale, t[2] * row.scale,
          t[3] + t[4] * column.offset + t[5] * row.offset, t[4] * column.scale, t[5] * row.scale};
}

}  // namespace gdal_zarr
