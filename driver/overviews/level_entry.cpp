// SPDX-License-Identifier: MIT
#include "driver/overviews/level_entry.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <string>

namespace gdal_zarr {
namespace {

using zarr::JsonNode;
using zarr::Shape;

/// Reads one number for each dimension, or for the last two, Y and X.
std::vector<double> ReadNumbers(const JsonNode& list, std::size_t rank) {
  const bool fits = list.IsArray() && (list.size() == rank || list.size() == 2);
  if (!fits) list.FailExpected("a list of " + std::to_string(rank) + " numbers");
  std::vector<double> numbers;
  for (const JsonNode& item : list.GetItems()) numbers.push_back(item.AsDouble());
  return numbers;
}

/// Returns true if two axes of the shape have these lengths.
bool HoldsLengths(const Shape& shape, double height, double width) {
  for (const std::uint64_t y : shape) {
    for (const std::uint64_t x : shape) {
      if (static_cast<double>(y) == height && static_cast<double>(x) == width) return true;
    }
  }
  return false;
}

void CheckShape(const JsonNode& list, const Shape& shape) {
  const std::string expected = "two lengths of the level's array, of shape " + zarr::ToString(shape);
  // Z may precede Y and X, as in `spatial:dimensions`.
  if (!list.IsArray() || list.size() < 2 || list.size() > 3) list.FailExpected(expected);
  const double height = list[list.size() - 2].AsDouble();
  const double width = list[list.size() - 1].AsDouble();
  if (!HoldsLengths(shape, height, width)) list.FailExpected(expected);
}

/// Returns true if a level has the length that results from the scale, rounded up or down.
bool LeadsTo(const std::vector<double>& scale, const Shape& level, const Shape& source) {
  if (level.size() != source.size()) return false;
  const std::size_t first = level.size() - scale.size();
  for (std::size_t i = 0; i < scale.size(); ++i) {
    const double length = static_cast<double>(source[first + i]);
    if (std::abs(length - static_cast<double>(level[first + i]) * scale[i]) >= std::max(scale[i], 1.0)) return false;
  }
  return true;
}

void CheckTransform(const JsonNode& transform, const zarr::Array& level,
                    const std::vector<std::shared_ptr<const zarr::Array>>& sources) {
  if (const auto translation = transform.Find("translation")) ReadNumbers(*translation, level.rank());
  const auto scale = transform.Find("scale");
  if (!scale) return;
  const std::vector<double> numbers = ReadNumbers(*scale, level.rank());
  const auto fits = [&](const auto& source) { return LeadsTo(numbers, level.shape(), source->shape()); };
  if (sources.empty() || std::ranges::any_of(sources, fits)) return;
  scale->FailExpected("the ratio of the level's shape " + zarr::ToString(level.shape()) + " and its source's");
}

}  // namespace

void WarnOfWrongEntry(SharedResource& resource, const JsonNode& entry, const zarr::Array& level,
                      const std::vector<std::shared_ptr<const zarr::Array>>& sources) {
  if (!entry.IsObject()) return;
  try {
    if (const auto shape = entry.Find("spatial:shape")) CheckShape(*shape, level.shape());
    const auto transform = entry.Find("transform");
    if (transform && transform->IsObject()) CheckTransform(*transform, level, sources);
  } catch (const zarr::Error& error) {
    resource.WarnOnce("The multiscales layout describes a level wrongly; the level's own shape counts: " +
                      std::string(error.what()));
  }
}

}  // namespace gdal_zarr
