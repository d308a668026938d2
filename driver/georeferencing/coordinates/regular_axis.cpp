// SPDX-License-Identifier: MIT
#include "driver/georeferencing/coordinates/regular_axis.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "driver/georeferencing/coordinates/coordinate_values.h"
#include "driver/georeferencing/raster_axes.h"

namespace gdal_zarr {
namespace {

constexpr double kTolerance = 1e-3;

/// A regular axis that matches values: value i is `line.first + i * line.step`.
struct Fit {
  RegularAxis line;
  double tolerance = 0;  ///< The allowed distance between two values that are meant to be equal.
};

/// Returns true if rounding the line's values results in these values.
bool BecomesByRounding(const RegularAxis& line, const CoordinateValues& values) {
  for (std::size_t i = 0; i < values.size(); ++i) {
    const double exact = line.first + static_cast<double>(i) * line.step;
    if (!(std::fabs(values[i] - exact) <= values.GetRounding(i) + 1e-9 * std::fabs(line.step))) return false;
  }
  return true;
}

/// Finds the nearest line with a whole number of steps in two units that passes through 0 or half a step from it:
/// degrees are usually divided like this.
RegularAxis FindWholeFraction(const RegularAxis& line) {
  const double step = 2 / std::round(2 / line.step);
  return {std::round(2 * line.first / step) * step / 2, step};
}

/// Fits a line by least squares.
RegularAxis FitMeanLine(const CoordinateValues& values) {
  const double middle = static_cast<double>(values.size() - 1) / 2;
  double mean = 0;
  double products = 0;
  double squares = 0;
  for (std::size_t i = 0; i < values.size(); ++i) {
    const double x = static_cast<double>(i) - middle;
    mean += values[i] / static_cast<double>(values.size());
    products += x * values[i];
    squares += x * x;
  }
  const double step = products / squares;
  return {mean - middle * step, step};
}

/// Returns the first candidate that matches every value up to rounding; otherwise the line through the end points.
RegularAxis FindMeantLine(const RegularAxis& ends, const CoordinateValues& values) {
  if (BecomesByRounding(ends, values)) return ends;
  for (const RegularAxis& line : {FindWholeFraction(ends), FitMeanLine(values)}) {
    if (BecomesByRounding(line, values)) return line;
  }
  return ends;
}

std::optional<Fit> FitLine(const CoordinateValues& values) {
  if (values.size() < 2) return std::nullopt;
  const std::size_t last = values.size() - 1;
  const RegularAxis ends{values.FindMeantValue(0),
                         (values.FindMeantValue(last) - values.FindMeantValue(0)) / static_cast<double>(last)};
  if (!std::isfinite(ends.step) || ends.step == 0) return std::nullopt;
  const double rounding = std::max(values.GetRounding(0), values.GetRounding(last));
  if (4 * rounding > std::fabs(ends.step)) return std::nullopt;  // any axis would fit
  const double tolerance = kTolerance * std::fabs(ends.step) + 2 * rounding;
  for (std::size_t i = 1; i < values.size(); ++i) {
    if (!(std::fabs(values[i] - values[i - 1] - ends.step) <= tolerance)) return std::nullopt;
  }
  Fit fit{rounding == 0 ? ends : FindMeantLine(ends, values), tolerance};
  fit.line.rounding = 2 * rounding;
  return fit;
}

/// Fits the edges of cells. Cell i has the ends values[2 * i + near], and values[2 * i + 1 - near] towards cell i + 1.
std::optional<Fit> FitCells(const CoordinateValues& values, std::size_t near) {
  const std::size_t count = values.size() / 2;
  std::vector<std::size_t> edges;
  for (std::size_t i = 0; i < count; ++i) edges.push_back(2 * i + near);
  if (count > 0) edges.push_back(2 * count - 1 - near);
  const auto fit = FitLine(values.Pick(edges));
  for (std::size_t i = 1; fit && i < count; ++i) {
    if (!(std::fabs(values[2 * i - 1 - near] - values[2 * i + near]) <= fit->tolerance)) return std::nullopt;
  }
  return fit;
}

std::optional<Fit> FitCells(const CoordinateValues& values) {
  const auto fit = FitCells(values, 0);
  return fit ? fit : FitCells(values, 1);
}

/// Returns true if the pixels extend over at most 360°.
bool IsWithinATurn(const Fit& fit, std::size_t steps) {
  return std::fabs(fit.line.step) * static_cast<double>(steps) <= kTurn + fit.tolerance;
}

std::optional<Fit> FitCentres(const GDALMDArray& coordinates) {
  if (coordinates.GetDimensionCount() != 1 || coordinates.GetDimensions()[0]->GetSize() < 2) return std::nullopt;
  const CoordinateValues values = CoordinateValues::Read(coordinates);
  auto fit = FitLine(values);
  if (fit || !HoldsLongitudes(coordinates)) return fit;
  fit = FitLine(values.WithoutJumps());
  return fit && IsWithinATurn(*fit, values.size() - 1) ? fit : std::nullopt;
}

std::optional<Fit> FitBounds(const GDALMDArray& bounds, const GDALMDArray* coordinates) {
  if (bounds.GetDimensionCount() != 2 || bounds.GetDimensions()[1]->GetSize() != 2) return std::nullopt;
  const CoordinateValues values = CoordinateValues::Read(bounds, coordinates);
  auto fit = FitCells(values);
  if (fit || !coordinates || !HoldsLongitudes(*coordinates)) return fit;
  fit = FitCells(values.WithoutJumps());
  return fit && IsWithinATurn(*fit, values.size() / 2) ? fit : std::nullopt;
}

/// Moves a longitude by multiples of 360° to within 180° of the other one.
double MoveIntoTurn(double longitude, double other) {
  return longitude - kTurn * std::round((longitude - other) / kTurn);
}

}  // namespace

std::optional<RegularAxis> ReadPixelEdges(const GDALMDArray* coordinates, const GDALMDArray* bounds) {
  const auto centres = coordinates ? FitCentres(*coordinates) : std::nullopt;
  auto cells = bounds ? FitBounds(*bounds, coordinates) : std::nullopt;
  if (!centres) return cells ? std::optional(cells->line) : std::nullopt;
  const RegularAxis edges{centres->line.first - centres->line.step / 2, centres->line.step, centres->line.rounding};
  if (!cells) return edges;
  if (HoldsLongitudes(*coordinates)) cells->line.first = MoveIntoTurn(cells->line.first, edges.first);
  // If both agree, the centres' numbers have better digits.
  const double tolerance = std::max(centres->tolerance, cells->tolerance);
  const bool same =
      std::fabs(cells->line.first - edges.first) <= tolerance && std::fabs(cells->line.step - edges.step) <= tolerance;
  return same ? edges : cells->line;
}

}  // namespace gdal_zarr
