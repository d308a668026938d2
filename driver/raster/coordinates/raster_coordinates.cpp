// SPDX-License-Identifier: MIT
#include "driver/raster/coordinates/raster_coordinates.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "driver/dataset/attribute_names.h"
#include "driver/dataset/referred_arrays.h"
#include "driver/gdal/gdal_error.h"
#include "driver/georeferencing/axis_unit.h"
#include "driver/georeferencing/coordinates/coordinate_values.h"
#include "driver/georeferencing/raster_axes.h"
#include "driver/io/advise_read.h"
#include "driver/multidim/md_array.h"

namespace gdal_zarr {
namespace {

/// Reads all coordinates of an axis that is not regular.
AxisPlace ReadCentres(const GDALMDArray& variable, AxisPlace axis) {
  if (variable.GetDimensionCount() != 1) return axis;
  const CoordinateValues values = CoordinateValues::Read(variable);
  for (std::size_t i = 0; i < values.size(); ++i) {
    axis.centres.push_back(values[i]);
    axis.rounding = std::max(axis.rounding, values.GetRounding(i));
  }
  return axis;
}

double GetLargest(const AxisPlace& axis, double count) {
  double largest = 0;
  if (axis.edges) {
    largest = std::max(std::fabs(axis.edges->first), std::fabs(axis.edges->first + count * axis.edges->step));
  }
  for (const double centre : axis.centres) largest = std::max(largest, std::fabs(centre));
  return largest;
}

AxisPlace Multiply(AxisPlace axis, double factor) {
  if (factor == 1) return axis;
  if (axis.edges) axis.edges = RegularAxis{axis.edges->first * factor, axis.edges->step * factor};
  for (double& centre : axis.centres) centre *= factor;
  axis.rounding *= std::fabs(factor);
  return axis;
}

}  // namespace

std::optional<AxisPlace> RasterCoordinates::ReadAxis(std::size_t dimension, const OGRSpatialReference* srs) const {
  const auto variable = FindIndexingVariable(*array_.GetDimensions()[dimension]);
  if (!variable) return std::nullopt;
  const auto bounds = FindBounds(*variable);
  AxisPlace axis;
  axis.name = variable->GetFullName();
  axis.edges = ReadPixelEdges(variable.get(), bounds.get());
  if (axis.edges) axis.rounding = axis.edges->rounding;
  if (!axis.edges) axis = ReadCentres(*variable, std::move(axis));
  if (!axis.edges && axis.centres.empty()) return std::nullopt;
  const double largest = GetLargest(axis, static_cast<double>(array_.GetDimensions()[dimension]->GetSize()));
  const auto unit = FindAxisUnitFactor(variable->GetUnit(), largest, srs);
  if (!unit) {
    resource_->WarnOnce(axis.name + ": the unit \"" + variable->GetUnit() + "\" cannot be converted to \"" +
                        GetUnitOfSpatialRef(*srs) + "\" of the CRS; these coordinates give no place");
    return std::nullopt;
  }
  if (unit->contradicts_unit) {
    resource_->WarnOnce(axis.name + ": expected coordinates in \"" + variable->GetUnit() + "\", got numbers up to " +
                        std::to_string(largest) + "; they are taken as radians at the satellite");
  }
  axis.are_longitudes = HoldsLongitudes(*variable) && (!srs || srs->IsGeographic());
  return Multiply(std::move(axis), unit->factor);
}

void RasterCoordinates::ReadAhead() const {
  if (!resource_->is_on_network()) return;
  std::vector<std::shared_ptr<GDALMDArray>> variables;
  for (const std::size_t dimension : {axes_.x, axes_.y}) {
    variables.push_back(FindIndexingVariable(*array_.GetDimensions()[dimension]));
    if (!variables.back()) return;
  }
  PrefetchBounds(variables);
  for (std::size_t i = variables.size(); i-- > 0;) variables.push_back(FindBounds(*variables[i]));
  std::vector<std::shared_ptr<const zarr::Array>> arrays;
  for (const auto& variable : variables) {
    const auto* own = AsOwnArray(variable.get());
    if (own && !HasTooManyCoordinates(*variable)) arrays.push_back(own->shared_array());
  }
  ReadAheadTogether(arrays);
}

void RasterCoordinates::PrefetchBounds(std::span<const std::shared_ptr<GDALMDArray>> coordinates) const {
  zarr::ExpectedNodes bounds;
  for (const auto& variable : coordinates) {
    const auto* own = AsOwnArray(variable.get());
    const std::string path = GetPathOfBounds(*variable);
    if (!own || path.empty() || resource_->hierarchy().HasOpened(path)) continue;
    bounds.arrays.push_back(path);
    // Usually the bounds are small, have one chunk, and are encoded like the coordinates.
    bounds.chunks.push_back(zarr::JoinKey(path, own->array().metadata().chunk_key_encoding.Format({0, 0})));
  }
  resource_->hierarchy().Prefetch(bounds);
}

std::string RasterCoordinates::GetPathOfBounds(const GDALMDArray& coordinates) {
  const auto attribute = FindAttribute(coordinates, kBoundsAttribute);
  const char* name = attribute ? attribute->ReadAsString() : nullptr;
  if (!name || !*name) return "";
  return ResolveNodePath(GetParentPath(coordinates.GetFullName().substr(1)), name).value_or("");
}

std::shared_ptr<GDALMDArray> RasterCoordinates::FindBounds(const GDALMDArray& coordinates) const {
  const std::string beside = GetPathOfBounds(coordinates);
  const auto path =
      beside.empty() ? std::nullopt : resource_->finder().FindUpwards(GetParentPath(beside), GetNodeName(beside));
  if (path) return MDArray::MakeForValues(resource_, *path);
  if (!beside.empty()) {
    resource_->WarnOnce(coordinates.GetFullName() + ": the attribute bounds: expected the name of an array, got \"" +
                        GetNodeName(beside) + "\"");
  }
  return nullptr;
}

CoordinatePlace RasterCoordinates::Read(const OGRSpatialReference* srs) const {
  if (axes_.y >= array_.GetDimensionCount()) return {};
  ReadAhead();
  return {ReadAxis(axes_.x, srs), ReadAxis(axes_.y, srs)};
}

}  // namespace gdal_zarr
