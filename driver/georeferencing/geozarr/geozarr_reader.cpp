// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <string>

#include "driver/georeferencing/affine.h"
#include "driver/georeferencing/conventions.h"
#include "driver/georeferencing/geozarr/geozarr_level.h"
#include "driver/georeferencing/geozarr/geozarr_properties.h"

namespace gdal_zarr {
namespace {

void CheckType(const GeoZarrProperties& properties) {
  const auto type = properties.FindSpatial("transform_type");
  if (!type || type->AsString() == "affine" || !properties.FindSpatial("transform")) return;
  type->Fail(zarr::ErrorKind::kUnsupported, zarr::FormatExpectedGot("\"affine\"", type->GetExcerpt()));
}

/// Whether the corners of a raster of that size are less than a tenth of a pixel apart.
bool IsSamePlace(const GeoTransform& a, const GeoTransform& b, double width, double height) {
  const double x_tolerance = (std::abs(a[1]) + std::abs(a[2])) / 10;
  const double y_tolerance = (std::abs(a[4]) + std::abs(a[5])) / 10;
  for (const auto& [column, row] : {std::pair(0.0, 0.0), std::pair(width, 0.0), std::pair(0.0, height)}) {
    const double dx = a[0] - b[0] + column * (a[1] - b[1]) + row * (a[2] - b[2]);
    const double dy = a[3] - b[3] + column * (a[4] - b[4]) + row * (a[5] - b[5]);
    if (std::abs(dx) > x_tolerance || std::abs(dy) > y_tolerance) return false;
  }
  return true;
}

void CheckSamePlace(const GeoContext& context, const RasterAxes& axes, const GeoTransform& own,
                    const GeoTransform& of_level) {
  const auto width = static_cast<double>(context.array.shape()[axes.x]);
  const auto height = static_cast<double>(context.array.shape()[axes.y]);
  if (IsSamePlace(own, of_level, width, height)) return;
  CPLError(
      CE_Warning, CPLE_AppDefined,
      "%s: the multiscales layout has another transform for this array than the array or its group has; the layout "
      "is ignored",
      context.array.path().c_str());
}

}  // namespace

SpatialRef ReadProjSpatialRef(const GeoContext& context) {
  for (const GeoZarrNode* node : context.ReadGeoZarr().GetAllNodes()) {
    for (const char* name : {"code", "wkt2", "projjson"}) {
      const auto form = node->FindProj(name);
      if (!form) continue;
      if (auto srs = ParseSpatialRef(*form)) return srs;
    }
  }
  return nullptr;
}

std::optional<SpatialAxes> ReadSpatialAxes(const GeoContext& context) {
  const auto dimensions = context.ReadGeoZarr().FindSpatial("dimensions");
  if (!dimensions) return std::nullopt;
  // GDAL 3.13 writes three names if there is a Z; the last two are Y and X.
  if (!dimensions->IsArray() || dimensions->size() < 2) dimensions->FailExpected("the names of Y and X");
  const std::size_t count = dimensions->size();
  return SpatialAxes{(*dimensions)[count - 2].AsString(), (*dimensions)[count - 1].AsString()};
}

std::optional<GeoTransform> ReadSpatialGeoTransform(const GeoContext& context, const RasterAxes& axes) {
  const GeoZarrProperties& properties = context.ReadGeoZarr();
  if (axes.y >= context.array.rank()) return std::nullopt;
  CheckType(properties);
  const auto own = properties.FindOwnTransform(context.array.shape(), axes);
  const auto& level = properties.level();
  if (!level) return own;
  const LevelPlace place(context, axes, *level, properties.RefersToCentres());
  if (!own) return place.Find();
  if (const auto said = place.ReadEntryTransform()) CheckSamePlace(context, axes, *own, *said);
  return own;
}

Registration ReadSpatialRegistration(const GeoContext& context) {
  const GeoZarrProperties& properties = context.ReadGeoZarr();
  if (properties.RefersToCentres()) return Registration::kPoints;
  return properties.RefersToCorners() ? Registration::kAreas : Registration::kUnknown;
}

}  // namespace gdal_zarr
