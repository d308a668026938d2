// SPDX-License-Identifier: MIT
#include <vector>

#include "driver/dataset/attribute_names.h"
#include "driver/georeferencing/affine.h"
#include "driver/georeferencing/conventions.h"

namespace gdal_zarr {

SpatialRef ReadGdalSpatialRef(const GeoContext& context) {
  const auto crs = context.FindAttribute(kCrsAttribute);
  if (!crs) return nullptr;
  if (crs->IsString()) return ParseSpatialRef(*crs);
  if (!crs->IsObject()) crs->FailExpected("an object or a string");
  std::vector<zarr::JsonNode> forms;
  for (const char* name : {"url", "wkt", "projjson"}) {
    const auto form = crs->Find(name);
    if (form && !form->IsNull()) forms.push_back(*form);
  }
  if (forms.empty()) crs->FailExpected("an object with url, wkt or projjson");
  return ParseForms(context, forms);
}

std::optional<GeoTransform> ReadGdalGeoTransform(const GeoContext& context, const RasterAxes&) {
  const auto numbers = context.FindAttribute(kGeoTransformAttribute);
  return numbers ? std::optional(ReadGdalNumbers(*numbers)) : std::nullopt;
}

}  // namespace gdal_zarr
