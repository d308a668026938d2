#include <cmath>
#include <utility>

#include "driver/georeferencing/cf_projection.h"
#include "driver/georeferencing/conventions.h"

namespace gdal_zarr {
namespace {

bool IsDimension(const zarr::Array& array, const std::string& name) {
  const zarr::ArrayMetadata& metadata = array.metadata();
  for (const auto& dimension : metadata.dimension_names) {
    if (dimension == name) return true;
  }
  const auto xarray = metadata.attributes.IsObject() ? metadata.attributes.Find("_ARRAY_DIMENSIONS") : std::nullopt;
  if (!xarray || !xarray->IsArray()) return false;
  for (const zarr::JsonNode& dimension : xarray->Items()) {
    if (dimension.IsString() && dimension.AsString() == name) return true;
  }
  return false;
}

/// The variable that `grid_mapping` names: "crs" or "/group/crs". In the long form, "utm: x y wgs84: lat lon", it is
/// the one of the array's own dimensions, else the first.
std::string GridMappingName(const std::string& text, const zarr::Array& array) {
  const CPLStringList words(CSLTokenizeString2(text.c_str(), " ", 0));
  std::string first;
  std::string current;
  for (int i = 0; i < words.size(); ++i) {
    const std::string word = words[i];
    if (i == 0 || word.ends_with(':')) {
      current = word.ends_with(':') ? word.substr(0, word.size() - 1) : word;
      if (i == 0) first = current;
    } else if (IsDimension(array, word)) {
      return current;
    }
  }
  return first;
}

/// The attributes of the grid mapping variable, which stands in the array's group or in one above it.
std::optional<zarr::JsonNode> GridMapping(const GeoContext& context) {
  const auto attribute = context.Attribute("grid_mapping");
  if (!attribute || !attribute->IsString()) return std::nullopt;
  std::string name = GridMappingName(attribute->AsString(), context.array);
  std::string group = context.GroupPath();
  if (name.starts_with('/')) {
    name.erase(0, 1);
    group.clear();
  }
  if (name.empty()) return std::nullopt;
  while (true) {
    const std::string path = zarr::JoinKey(group, name);
    if (context.hierarchy.Probe(path) == zarr::NodeKind::kArray) {
      const zarr::JsonNode attributes = context.hierarchy.OpenArray(path)->metadata().attributes;
      return attributes.IsObject() ? std::optional(attributes) : std::nullopt;
    }
    if (group.empty()) return std::nullopt;
    const std::size_t slash = group.rfind('/');
    group = slash == std::string::npos ? "" : group.substr(0, slash);
  }
}

std::string AttributeText(const zarr::JsonNode& value) {
  if (value.IsString()) return value.AsString();
  if (!value.IsArray()) return value.Dump();
  std::string text;
  for (const zarr::JsonNode& item : value.Items()) text += (text.empty() ? "" : ",") + AttributeText(item);
  return text;
}

/// GDAL's reading of the parameters. Of projections that it does not know it takes the ellipsoid alone: that is
/// nothing.
SpatialRef FromGdal(const zarr::JsonNode& attributes) {
  CPLStringList parameters;
  for (const auto& [name, value] : attributes.Members())
    parameters.SetNameValue(name.c_str(), AttributeText(value).c_str());
  auto srs = std::make_unique<OGRSpatialReference>();
  if (!ImportFromCf(*srs, parameters)) return nullptr;
  if (!srs->IsProjected() && !attributes.At("grid_mapping_name").AsString().ends_with("latitude_longitude"))
    return nullptr;
  srs->SetAxisMappingStrategy(OAMS_TRADITIONAL_GIS_ORDER);
  return srs;
}

bool HasWgs84Ellipsoid(const OGRSpatialReference& srs) {
  return std::fabs(srs.GetSemiMajor() - SRS_WGS84_SEMIMAJOR) < 1e-4 &&
         std::fabs(srs.GetInvFlattening() - SRS_WGS84_INVFLATTENING) < 1e-7 && srs.GetPrimeMeridian() == 0;
}

/// Who gives WGS 84's ellipsoid and names no datum means WGS 84.
void NameWgs84(const zarr::JsonNode& attributes, OGRSpatialReference* srs) {
  if (!HasWgs84Ellipsoid(*srs)) return;
  for (const char* name : {"horizontal_datum_name", "geographic_crs_name"}) {
    const auto text = attributes.Find(name);
    if (text && text->IsString() && !EQUAL(text->AsString().c_str(), "unknown")) return;
  }
  const SpatialRef wgs84 = ParseSpatialRef("EPSG:4326");
  if (!srs->IsProjected()) {
    *srs = *wgs84;
  } else if (srs->CopyGeogCSFrom(wgs84.get()) == OGRERR_NONE) {
    srs->AutoIdentifyEPSG();  // a zone of UTM has a code
  }
}

SpatialRef FromParameters(const zarr::JsonNode& attributes) {
  if (!attributes.Has("grid_mapping_name")) return nullptr;
  auto srs = FromGdal(attributes);
  if (!srs) srs = ReadCfProjection(attributes);
  if (srs) NameWgs84(attributes, srs.get());
  return srs;
}

}  // namespace

SpatialRef ReadCfSpatialRef(const GeoContext& context) {
  const auto attributes = GridMapping(context);
  if (!attributes) return nullptr;
  for (const char* name : {"crs_wkt", "spatial_ref"}) {
    const auto wkt = attributes->Find(name);
    if (!wkt || !wkt->IsString()) continue;
    if (auto srs = ParseSpatialRef(wkt->AsString())) return srs;
  }
  return FromParameters(*attributes);
}

std::optional<GeoTransform> ReadCfGeoTransform(const GeoContext& context, const RasterAxes&) {
  const auto attributes = GridMapping(context);
  const auto text = attributes ? attributes->Find("GeoTransform") : std::nullopt;
  if (!text || !text->IsString()) return std::nullopt;
  const CPLStringList numbers(CSLTokenizeString2(text->AsString().c_str(), " ,", 0));
  GeoTransform transform{};
  if (numbers.size() != static_cast<int>(transform.size())) text->FailExpected("six numbers");
  for (std::size_t i = 0; i < transform.size(); ++i) {
    char* end = nullptr;
    transform[i] = CPLStrtod(numbers[static_cast<int>(i)], &end);
    if (*end != '\0') text->FailExpected("six numbers");
  }
  return transform;
}

}  // namespace gdal_zarr
