// SPDX-License-Identifier: MIT
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "driver/dataset/attribute_names.h"
#include "driver/dataset/editable_array.h"
#include "driver/gdal/gdal_error.h"
#include "driver/georeferencing/convention_writers.h"
#include "driver/georeferencing/geo_context.h"
#include "driver/georeferencing/same_spatial_ref.h"
#include "zarrlib/base/compiler/thread_value.h"
#include "zarrlib/json/json_edit.h"

namespace gdal_zarr {
namespace {

using zarr::JsonNode;

/// Makes an object with WKT, PROJJSON and, for a CRS with an EPSG code, its URL.
JsonNode MakeCrsObject(const OGRSpatialReference& srs) {
  zarr::JsonMembers members;
  const std::string code = FindCode(srs);
  if (code.starts_with("EPSG:")) {
    members.emplace_back("url", JsonNode::MakeString("http://www.opengis.net/def/crs/EPSG/0/" + code.substr(5)));
  }
  const std::string wkt = ToWkt(srs, "WKT2_2019");
  if (!wkt.empty()) members.emplace_back("wkt", JsonNode::MakeString(wkt));
  if (const auto projjson = ToProjJson(srs)) members.emplace_back("projjson", *projjson);
  return JsonNode::MakeObject(members);
}

/// Returns the code of a CRS, such as "EPSG:32631"; "" if it has none.
std::string GetCode(const OGRSpatialReference& srs) {
  const char* authority = srs.GetAuthorityName(nullptr);
  const char* code = srs.GetAuthorityCode(nullptr);
  return authority && code ? std::string(authority) + ":" + code : "";
}

/// Returns the WKT of a CRS with 0 for the inverse flattening of a sphere, which PROJ exports as `Inf` if the CRS is
/// derived from another one, and then cannot read.
std::string WithFiniteFlattening(std::string wkt) {
  constexpr std::string_view kInfinite = ",Inf,";
  bool is_quoted = false;
  for (std::size_t i = 0; i < wkt.size(); ++i) {
    if (wkt[i] == '"') is_quoted = !is_quoted;
    if (!is_quoted && std::string_view(wkt).substr(i).starts_with(kInfinite)) wkt.replace(i, kInfinite.size(), ",0,");
  }
  return wkt;
}

/// Which forms of the CRS with this WKT 2 are read as it is. Arrays of a store have the same CRS.
struct KnownForms {
  std::string wkt;
  std::map<std::string, bool> forms;
};

}  // namespace

bool IsReadAs(const JsonNode& form, const OGRSpatialReference& srs) {
  const std::string wkt = ToWkt(srs, "WKT2_2019");
  auto& known = zarr::ThreadValue<KnownForms>::Get();
  if (known.wkt != wkt) known = {wkt, {}};
  const auto [found, is_new] = known.forms.emplace(form.Dump(), false);
  if (!is_new) return found->second;
  const ErrorCollector hidden_errors;
  const SpatialRef by_wkt = wkt.empty() ? nullptr : ParseSpatialRef(wkt);
  const SpatialRef read = ParseSpatialRef(form);
  const bool is_same = read && AreSameSpatialRef(*read, by_wkt ? *by_wkt : srs);
  if (wkt.empty()) {
    known.forms.clear();  // which CRS it was cannot be told
  } else {
    found->second = is_same;
  }
  return is_same;
}

JsonNode WithSpatialRef(const JsonNode& attributes, const OGRSpatialReference* srs) {
  return srs ? CopyWithMember(attributes, kCrsAttribute, MakeCrsObject(*srs))
             : CopyWithoutMember(attributes, kCrsAttribute);
}

JsonNode WithGdal(const JsonNode& attributes, const GeoTarget& target, const Georeferencing& place) {
  JsonNode result = WithSpatialRef(attributes, place.srs);
  // Coordinates may be there that do not give the stored transform.
  const bool is_stored = !target.moves && FindMember(attributes, kGeoTransformAttribute);
  if (!target.with_transform || is_stored) return result;
  if (!place.transform || CoordinatesTell(target, place.transform))
    return CopyWithoutMember(result, kGeoTransformAttribute);
  return CopyWithMember(result, kGeoTransformAttribute,
                        zarr::MakeNumberList({place.transform->begin(), place.transform->end()}));
}

JsonNode WithoutGdal(const JsonNode& attributes, const GeoTarget& target) {
  const JsonNode result = CopyWithoutMember(attributes, kCrsAttribute);
  return target.with_transform ? CopyWithoutMember(result, kGeoTransformAttribute) : result;
}

std::string ToWkt(const OGRSpatialReference& srs, const char* form) {
  const std::string option = std::string("FORMAT=") + form;
  const char* const options[] = {option.c_str(), nullptr};
  char* text = nullptr;
  const ErrorCollector hidden_errors;
  const bool ok = srs.exportToWkt(&text, options) == OGRERR_NONE && text;
  std::string wkt = ok ? text : "";
  CPLFree(text);
  return WithFiniteFlattening(std::move(wkt));
}

std::optional<JsonNode> ToProjJson(const OGRSpatialReference& srs) {
  char* text = nullptr;
  const ErrorCollector hidden_errors;
  const bool ok = srs.exportToPROJJSON(&text, nullptr) == OGRERR_NONE && text;
  const std::string projjson = ok ? text : "";
  CPLFree(text);
  if (projjson.empty()) return std::nullopt;
  const JsonNode form = JsonNode::Parse(projjson, "PROJ", "projjson");
  // Both say what the code says.
  if (!FindCode(srs).empty()) return form;
  return IsReadAs(form, srs) ? std::optional(form) : std::nullopt;
}

std::string FindCode(const OGRSpatialReference& srs) {
  const std::string code = GetCode(srs);
  return code.empty() || !IsReadAs(JsonNode::MakeString(code), srs) ? "" : code;
}

}  // namespace gdal_zarr
