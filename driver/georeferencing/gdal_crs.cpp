#include "driver/georeferencing/conventions.h"

namespace gdal_zarr {

SpatialRef ReadGdalSpatialRef(const GeoContext& context) {
  const auto crs = context.Attribute("_CRS");
  if (!crs) return nullptr;
  if (crs->IsString()) return ParseSpatialRef(crs->AsString());
  if (!crs->IsObject()) crs->FailExpected("an object or a string");
  for (const char* name : {"url", "wkt", "projjson"}) {
    const auto form = crs->Find(name);
    if (!form || form->IsNull()) continue;
    if (auto srs = ParseSpatialRef(form->IsObject() ? form->Dump() : form->AsString())) return srs;
  }
  return nullptr;
}

}  // namespace gdal_zarr
