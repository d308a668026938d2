// SPDX-License-Identifier: MIT
#include <algorithm>

#include "driver/dataset/editable_array.h"
#include "driver/dataset/node_paths.h"
#include "driver/georeferencing/convention_writers.h"
#include "driver/georeferencing/coordinates/axis_words.h"
#include "driver/georeferencing/coordinates/coordinate_axis.h"

namespace gdal_zarr {
namespace {

/// Returns true if coordinates keep their numbers, in whatever unit.
bool KeepsNumbers(const GeoTarget& target, const std::optional<GeoTransform>& transform) {
  if (!target.moves) return true;
  if (!transform) return false;
  GeoTarget without_srs = target;
  without_srs.srs = nullptr;
  const auto [x, y] = GetAxes(target, *transform);
  const CoordinateAxis axes[] = {x, y};
  return std::ranges::all_of(axes, [&](const CoordinateAxis& axis) {
    return HoldsSameCoordinates(target, axis) || HoldsSameCoordinates(without_srs, axis);
  });
}

}  // namespace

PlaceBefore::PlaceBefore(const GeoTarget& target, const std::optional<GeoTransform>& transform, bool writes_cf)
    : target_(target) {
  const std::string& path = target.array.array().path();
  const bool has_others = !path.empty() && target.axes.y < target.array.gdal_array().GetDimensions().size();
  if (target.array.is_new() || !has_others || !KeepsNumbers(target, transform)) return;
  const std::string name = GetNamedGridMapping(target.array.attributes());
  if (name.empty() && writes_cf) return;
  Add(path);
  if (!name.empty()) Add(zarr::JoinKey(GetParentPath(path), name));
  for (const std::size_t dimension : {target.axes.x, target.axes.y}) Add(MakeAxis(target, dimension).path);
}

void PlaceBefore::Add(const std::string& path) {
  if (const auto array = target_.array.resource()->finder().FindArray(path)) {
    attributes_.emplace_back(path, array->metadata().attributes);
  }
}

void PlaceBefore::PutBack() const {
  try {
    for (const auto& [path, attributes] : attributes_) {
      const auto array = target_.array.resource()->finder().FindArray(path);
      if (array) SaveWords(target_, path, array->metadata().attributes, attributes);
    }
  } catch (const zarr::Error&) {
    // The caller reports the error because of which they are put back.
  }
}

}  // namespace gdal_zarr
