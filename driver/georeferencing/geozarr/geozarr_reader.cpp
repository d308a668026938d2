// SPDX-License-Identifier: MIT
#include <string>
#include <vector>

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

void CheckSamePlace(const GeoContext& context, const RasterAxes& axes, const GeoTransform& own,
                    const GeoTransform& of_level) {
  const auto width = static_cast<double>(context.array.shape()[axes.x]);
  const auto height = static_cast<double>(context.array.shape()[axes.y]);
  if (AreSamePlace(own, of_level, {width, height}, {.pixels = 0.1})) return;
  CPLError(
      CE_Warning, CPLE_AppDefined,
      "%s: the multiscales layout has another transform for this array than the array or its group has; the layout "
      "is ignored",
      context.array.path().c_str());
}

}  // namespace

SpatialRef ReadProjSpatialRef(const GeoContext& context) {
  if (!context.has_axes && ReadGeoZarr(context).InheritsProj()) return nullptr;
  for (const GeoZarrNode* node : ReadGeoZarr(context).GetAllNodes()) {
    std::vector<zarr::JsonNode> forms;
    for (const char* name : {"code", "wkt2", "projjson"}) {
      if (const auto form = node->FindProj(name)) forms.push_back(*form);
    }
    if (auto srs = ParseForms(context, forms)) return srs;
  }
  return nullptr;
}

std::optional<SpatialAxes> ReadSpatialAxes(const GeoContext& context) {
  const auto dimensions = ReadGeoZarr(context).FindSpatial("dimensions");
  if (!dimensions) return std::nullopt;
  // GDAL 3.13 writes three names if there is a Z; the last two are Y and X.
  if (!dimensions->IsArray() || dimensions->size() < 2) dimensions->FailExpected("the names of Y and X");
  const std::size_t count = dimensions->size();
  return SpatialAxes{(*dimensions)[count - 2].AsString(), (*dimensions)[count - 1].AsString()};
}

std::optional<GeoTransform> ReadSpatialGeoTransform(const GeoContext& context, const RasterAxes& axes) {
  const GeoZarrProperties& properties = ReadGeoZarr(context);
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
  const GeoZarrProperties& properties = ReadGeoZarr(context);
  if (properties.RefersToCentres()) return Registration::kPoints;
  return properties.RefersToCorners() ? Registration::kAreas : Registration::kUnknown;
}

}  // namespace gdal_zarr
