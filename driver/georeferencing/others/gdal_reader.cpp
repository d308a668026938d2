// SPDX-License-Identifier: MIT
#include "driver/dataset/attribute_names.h"
#include "driver/georeferencing/conventions.h"

namespace gdal_zarr {

SpatialRef ReadGdalSpatialRef(const GeoContext& context) {
  const auto crs = context.FindAttribute(kCrsAttribute);
  if (!crs) return nullptr;
  if (crs->IsString()) return ParseSpatialRef(*crs);
  if (!crs->IsObject()) crs->FailExpected("an object or a string");
  for (const char* name : {"url", "wkt", "projjson"}) {
    const auto form = crs->Find(name);
    if (!form || form->IsNull()) continue;
    if (auto srs = ParseSpatialRef(*form)) return srs;
  }
  return nullptr;
}

std::optional<GeoTransform> ReadGdalGeoTransform(const GeoContext& context, const RasterAxes&) {
  const auto numbers = context.FindAttribute(kGeoTransformAttribute);
  if (!numbers) return std::nullopt;
  GeoTransform transform{};
  if (!numbers->IsArray() || numbers->size() != transform.size()) numbers->FailExpected("a list of six numbers");
  for (std::size_t i = 0; i < transform.size(); ++i) transform[i] = (*numbers)[i].AsDouble();
  return transform;
}

}  // namespace gdal_zarr
