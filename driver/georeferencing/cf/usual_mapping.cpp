// SPDX-License-Identifier: MIT
#include "driver/georeferencing/cf/usual_mapping.h"

#include <memory>
#include <optional>

#include "driver/dataset/attribute_names.h"
#include "driver/dataset/referred_arrays.h"
#include "driver/gdal/gdal_error.h"
#include "driver/georeferencing/conventions.h"
#include "driver/georeferencing/raster_axes.h"

namespace gdal_zarr {
namespace {

/// Returns null for an array to which the default cannot apply. Dimensions without names have no coordinates.
std::optional<GeoContext> FindContextOfTaker(const EditableArray& array) {
  const auto& dimensions = array.gdal_array().GetDimensions();
  GeoContext context{*array.resource(), array.array()};
  if (dimensions.size() < 2 || context.FindAttribute(kGridMappingAttribute)) return std::nullopt;
  const auto axes = ChooseRasterAxes(context, dimensions);
  if (!axes) return std::nullopt;
  context.x = dimensions[axes->x].get();
  return FindIndexingVariable(*context.x) && !StatesSpatialRef(context) ? std::optional(context) : std::nullopt;
}

}  // namespace

bool HasUsualSpatialRef(const EditableArray& array) {
  const ErrorCollector hidden_errors;  // they were reported when the CRS was read first
  const auto context = FindContextOfTaker(array);
  return context && ReadUsualSpatialRef(*context);
}

}  // namespace gdal_zarr
