// SPDX-License-Identifier: MIT
#include "driver/georeferencing/coordinates/place_sources.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "driver/dataset/shared_resource.h"
#include "driver/gdal/text.h"

namespace gdal_zarr {
namespace {

constexpr double kMostPixels = 0.01;
constexpr double kMostPixelsOfIrregular = 0.25;

std::string Format(const GeoTransform& transform) {
  std::string text;
  for (const double number : transform) text += (text.empty() ? "[" : ", ") + FormatNumber(number);
  return text + "]";
}

/// Moves a transform by multiples of 360° to the longitudes of the coordinates.
GeoTransform WithoutTurns(GeoTransform transform, const AxisPlace& x, double first) {
  if (x.are_longitudes) transform[0] += kTurn * std::round((first - transform[0]) / kTurn);
  return transform;
}

/// Finds a coordinate, with its index, that deviates from a line: by more than its rounding if the coordinates are
/// regular, otherwise far from the middle of its pixel.
std::optional<std::pair<std::size_t, double>> FindOtherCoordinate(const AxisPlace& axis, const RegularAxis& line,
                                                                  double count) {
  const double most = (axis.edges ? kMostPixels : kMostPixelsOfIrregular) * std::fabs(line.step) + axis.rounding;
  const std::size_t number = axis.edges ? static_cast<std::size_t>(count) : axis.centres.size();
  const std::size_t step = axis.edges ? std::max<std::size_t>(1, number - 1) : 1;  // both ends of a line are enough
  for (std::size_t i = 0; i < number; i += step) {
    const double index = static_cast<double>(i) + 0.5;
    const double centre = axis.edges ? axis.edges->first + index * axis.edges->step : axis.centres[i];
    double apart = line.first + index * line.step - centre;
    if (axis.are_longitudes) apart -= kTurn * std::round(apart / kTurn);
    if (!(std::fabs(apart) <= most)) return std::pair(i, centre);
  }
  return std::nullopt;
}

class Chooser {
 public:
  Chooser(const GeoContext& context, const CoordinatePlace& coordinates, const RasterSize& size)
      : context_(context), coordinates_(coordinates), size_(size) {}

  std::optional<GeoTransform> Choose(const std::vector<StatedTransform>& stated) {
    if (const auto own = GetTransformOfCoordinates()) return ChooseBesideCoordinates(stated, *own);
    if (stated.empty()) return std::nullopt;
    const StatedTransform& first = stated.front();
    if (coordinates_.x) CheckAxis(first, *coordinates_.x, 0, size_.width);
    if (coordinates_.y) CheckAxis(first, *coordinates_.y, 3, size_.height);
    Compare(first, std::vector(stated.begin() + 1, stated.end()));
    return first.transform;
  }

  bool contradicted() const { return contradicted_; }

 private:
  std::optional<GeoTransform> GetTransformOfCoordinates() const {
    const auto& [x, y] = coordinates_;
    if (!x || !x->edges || !y || !y->edges) return std::nullopt;
    return GeoTransform{x->edges->first, x->edges->step, 0, y->edges->first, 0, y->edges->step};
  }

  /// Returns true if a transform equals regular coordinates, except for multiples of 360°.
  bool AgreesWithCoordinates(const GeoTransform& transform, const GeoTransform& own) const {
    return AreSamePlace(WithoutTurns(transform, *coordinates_.x, own[0]), own, size_,
                        {.pixels = kMostPixels, .x = coordinates_.x->rounding, .y = coordinates_.y->rounding});
  }

  GeoTransform ChooseBesideCoordinates(const std::vector<StatedTransform>& stated, const GeoTransform& own) {
    std::optional<GeoTransform> exact;
    for (const StatedTransform& other : stated) {
      if (!AgreesWithCoordinates(other.transform, own)) {
        Warn(other, "the coordinates " + coordinates_.x->name + " and " + coordinates_.y->name, own);
      } else if (!exact) {
        exact = other.transform;
      }
    }
    return exact.value_or(own);
  }

  void Compare(const StatedTransform& first, const std::vector<StatedTransform>& others) {
    for (const StatedTransform& other : others) {
      const bool same = AreSamePlace(other.transform, first.transform, size_, {.pixels = kMostPixels});
      if (!same) Warn(other, first.source, first.transform);
    }
  }

  void Warn(const StatedTransform& other, const std::string& chosen, const GeoTransform& transform) {
    contradicted_ = true;
    context_.nodes.WarnOnce(other.source + " says that the geotransform is " + Format(other.transform) +
                            ", which contradicts " + Format(transform) + " of " + chosen + "; the latter is used");
  }

  /// Coordinates along only one axis, or irregular ones, do not define a transform, but may contradict one.
  void CheckAxis(const StatedTransform& stated, const AxisPlace& axis, std::size_t i, double count) {
    if (stated.transform[2] != 0 || stated.transform[4] != 0) return;
    const RegularAxis line{stated.transform[i], stated.transform[i == 0 ? 1 : 5]};
    const auto other = FindOtherCoordinate(axis, line, count);
    if (!other) return;
    contradicted_ = true;
    context_.nodes.WarnOnce(stated.source + " says that the geotransform is " + Format(stated.transform) +
                            ", but the coordinates " + axis.name + ", which alone give none, have " +
                            FormatNumber(other->second) + " at " + std::to_string(other->first) + " where it has " +
                            FormatNumber(line.first + (static_cast<double>(other->first) + 0.5) * line.step) +
                            "; the former is used");
  }

  const GeoContext& context_;
  const CoordinatePlace& coordinates_;
  const RasterSize& size_;
  bool contradicted_ = false;
};

}  // namespace

std::optional<GeoTransform> ChooseGeoTransform(const GeoContext& context, const std::vector<StatedTransform>& stated,
                                               const CoordinatePlace& coordinates, const RasterSize& size,
                                               bool* contradicted) {
  Chooser chooser(context, coordinates, size);
  auto transform = chooser.Choose(stated);
  if (contradicted) *contradicted = *contradicted || chooser.contradicted();
  return transform;
}

}  // namespace gdal_zarr
