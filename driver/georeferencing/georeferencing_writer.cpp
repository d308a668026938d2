#include "driver/georeferencing/georeferencing_writer.h"

#include "driver/creation_options.h"
#include "driver/json_edit.h"
#include "driver/md_array.h"

namespace gdal_zarr {
namespace {

using zarr::JsonNode;

/// `_CRS`: WKT, PROJJSON and, for a CRS of EPSG's, its URL.
std::optional<JsonNode> CrsObject(const OGRSpatialReference* srs) {
  if (!srs) return std::nullopt;
  std::vector<std::pair<std::string, JsonNode>> members;
  const char* authority = srs->GetAuthorityName(nullptr);
  const char* code = srs->GetAuthorityCode(nullptr);
  if (authority && code && EQUAL(authority, "EPSG")) {
    members.emplace_back("url", JsonNode::MakeString(std::string("http://www.opengis.net/def/crs/EPSG/0/") + code));
  }
  char* text = nullptr;
  const char* const wkt_options[] = {"FORMAT=WKT2_2019", nullptr};
  if (srs->exportToWkt(&text, wkt_options) == OGRERR_NONE) members.emplace_back("wkt", JsonNode::MakeString(text));
  CPLFree(text);
  text = nullptr;
  if (srs->exportToPROJJSON(&text, nullptr) == OGRERR_NONE) {
    members.emplace_back("projjson", JsonNode::Parse(text, "PROJ", "projjson"));
  }
  CPLFree(text);
  return JsonNode::MakeObject(members);
}

}  // namespace

WriteConventions ParseConventions(const std::string& list) {
  WriteConventions conventions;
  const CPLStringList items(CSLTokenizeString2(list.c_str(), ",", CSLT_STRIPLEADSPACES | CSLT_STRIPENDSPACES));
  for (int i = 0; i < items.size(); ++i) {
    if (EQUAL(items[i], "GDAL")) {
      conventions.gdal = true;
    } else if (EQUAL(items[i], "CF")) {
      conventions.cf = true;
    } else if (EQUAL(items[i], "SPATIAL_PROJ")) {
      conventions.spatial_proj = true;
    } else {
      FailOption("GEOREFERENCING_CONVENTION", "a list of GDAL, CF, SPATIAL_PROJ", list);
    }
  }
  return conventions;
}

void WriteSpatialRef(MDArray& array, const RasterAxes&, const OGRSpatialReference* srs) {
  array.StoreAttribute("_CRS", CrsObject(srs));
}

void WriteGeoreferencing(MDArray& array, const RasterAxes& axes, const Georeferencing& georeferencing) {
  WriteSpatialRef(array, axes, georeferencing.srs);
}

}  // namespace gdal_zarr
