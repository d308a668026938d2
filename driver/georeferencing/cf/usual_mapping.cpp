// SPDX-License-Identifier: MIT
#include "driver/georeferencing/cf/usual_mapping.h"

#include <memory>
#include <optional>

#include "driver/dataset/attribute_names.h"
#include "driver/dataset/referred_arrays.h"
#include "driver/gdal/gdal_error.h"
#include "driver/georeferencing/conventions.h"
#include "driver/georeferencing/other_arrays.h"
#include "driver/georeferencing/raster_axes.h"
#include "zarrlib/json/json_edit.h"

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

/// The target's axes may become known as X and Y only when they are described for its CRS.
bool HasAxesOf(const GeoTarget& target, const zarr::ArrayMetadata& array) {
  const auto& dimensions = target.array.gdal_array().GetDimensions();
  return target.axes.y < dimensions.size() && HasDimension(array, dimensions[target.axes.x]->GetName()) &&
         HasDimension(array, dimensions[target.axes.y]->GetName());
}

bool IsTaker(const GeoTarget& target, const std::string& path) {
  const FoundNode found = target.array.resource()->finder().LookFor(path);
  if (!found.array || found.array->rank() < 2) return found.broken;
  if (FindMember(found.array->metadata().attributes, kGridMappingAttribute)) return false;
  const auto other = target.array.OpenOther(path);
  if (other->conventions()) return false;
  const bool names_none = !FindMember(other->attributes(), kGridMappingAttribute);
  return (names_none && HasAxesOf(target, other->array().metadata())) || FindContextOfTaker(*other);
}

}  // namespace

bool HasUsualSpatialRef(const EditableArray& array) {
  const ErrorCollector hidden_errors;  // they were reported when the CRS was read first
  const auto context = FindContextOfTaker(array);
  return context && ReadUsualSpatialRef(*context);
}

bool OthersTakeUsualSpatialRef(const GeoTarget& target) {
  if (target.array.resource()->edits().group_copy.is_running()) return false;
  const ErrorCollector hidden_errors;  // of arrays that the user did not open
  return AnyPath(target,
                 [&](const std::string& path) { return path != target.array.array().path() && IsTaker(target, path); });
}

}  // namespace gdal_zarr
