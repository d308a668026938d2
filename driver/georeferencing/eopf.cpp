#include "driver/georeferencing/conventions.h"
#include "driver/georeferencing/conventions_list.h"

namespace gdal_zarr {
namespace {

using zarr::JsonNode;

SpatialRef FromCode(const JsonNode& code) {
  if (code.IsInteger()) return ParseSpatialRef("EPSG:" + std::to_string(code.AsInt64()));
  return code.IsString() ? ParseSpatialRef(code.AsString()) : nullptr;
}

/// The properties of the STAC projection extension, as they stand in attributes without a convention being declared:
/// where GeoZarr's is, they hold for direct children only.
SpatialRef FromAttributes(const JsonNode& attributes) {
  if (!attributes.IsObject() || Declares(attributes, kProjConvention)) return nullptr;
  for (const char* name : {"proj:epsg", "proj:code", "proj:wkt2", "proj:projjson"}) {
    const auto value = attributes.Find(name);
    if (!value || value->IsNull()) continue;
    if (value->IsObject()) return ParseSpatialRef(value->Dump());
    if (auto srs = FromCode(*value)) return srs;
  }
  return nullptr;
}

SpatialRef FromStac(const JsonNode& attributes) {
  const auto stac = attributes.IsObject() ? attributes.Find("stac_discovery") : std::nullopt;
  const auto properties = stac && stac->IsObject() ? stac->Find("properties") : std::nullopt;
  return properties ? FromAttributes(*properties) : nullptr;
}

}  // namespace

SpatialRef ReadEopfSpatialRef(const GeoContext& context) {
  if (auto srs = FromAttributes(context.array.metadata().attributes)) return srs;
  if (context.array.path().empty()) return nullptr;
  std::string group = context.GroupPath();
  while (true) {
    const JsonNode attributes = context.hierarchy.OpenGroup(group).attributes;
    if (auto srs = FromAttributes(attributes)) return srs;
    if (group.empty()) return FromStac(attributes);
    const std::size_t slash = group.rfind('/');
    group = slash == std::string::npos ? "" : group.substr(0, slash);
  }
}

}  // namespace gdal_zarr
