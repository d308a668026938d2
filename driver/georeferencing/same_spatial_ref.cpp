// SPDX-License-Identifier: MIT
#include "driver/georeferencing/same_spatial_ref.h"

#include <cmath>
#include <memory>
#include <string_view>
#include <utility>
#include <vector>

#include "driver/gdal/gdal_error.h"
#include "driver/gdal/text.h"

namespace gdal_zarr {
namespace {

using Srs = std::unique_ptr<OGRSpatialReference>;
using Place = std::pair<double, double>;

/// In degrees: about a metre.
constexpr double kSameAngle = 1e-5;

Srs CopyHorizontal(const OGRSpatialReference& srs) {
  Srs copy(srs.Clone());
  copy->StripVertical();
  copy->SetAxisMappingStrategy(OAMS_TRADITIONAL_GIS_ORDER);
  return copy;
}

bool IsUnknown(const char* name) {
  return !name || STARTS_WITH_CI(name, "unknown") || STARTS_WITH_CI(name, "unnamed") ||
         STARTS_WITH_CI(name, "not specified") || STARTS_WITH_CI(name, "not_specified") || *name == '\0';
}

bool HaveSameEllipsoid(const OGRSpatialReference& a, const OGRSpatialReference& b) {
  return std::fabs(a.GetSemiMajor() - b.GetSemiMajor()) < 0.1 && std::fabs(a.GetSemiMinor() - b.GetSemiMinor()) < 0.1 &&
         std::fabs(a.GetPrimeMeridian() - b.GetPrimeMeridian()) < kSameAngle;
}

/// Returns the name of the datum without the start that ESRI gives it, which PROJ leaves out when it reads WKT.
std::string_view GetDatumName(const OGRSpatialReference& srs) {
  const char* const text = srs.GetAttrValue("DATUM");
  std::string_view name = text ? text : "";
  if (name.starts_with("D_")) name.remove_prefix(2);
  return name;
}

/// Returns true if the base geographic CRSs are the same; a datum without a name equals any datum of its ellipsoid.
bool HaveSameDatum(const OGRSpatialReference& a, const OGRSpatialReference& b) {
  if (a.IsSameGeogCS(&b)) return true;
  const bool is_one_unknown = IsUnknown(a.GetAttrValue("DATUM")) || IsUnknown(b.GetAttrValue("DATUM"));
  return (is_one_unknown || GetDatumName(a) == GetDatumName(b)) && HaveSameEllipsoid(a, b);
}

/// Returns positions around the origin of a projected CRS, in metres.
std::vector<Place> ListPlaces(const OGRSpatialReference& srs) {
  const double x = srs.GetNormProjParm(SRS_PP_FALSE_EASTING, 0);
  const double y = srs.GetNormProjParm(SRS_PP_FALSE_NORTHING, 0);
  return {{x - 3e5, y + 4e5}, {x + 2e5, y - 3e5}, {x + 1.5e6, y + 1e6}};
}

/// Converts positions to longitudes and latitudes, on the datum of the CRS; HUGE_VAL where that is impossible.
std::vector<Place> ToAngles(const OGRSpatialReference& srs, std::vector<Place> places, double unit) {
  const Srs angles(srs.CloneGeogCS());
  if (!angles) return {};
  angles->SetAxisMappingStrategy(OAMS_TRADITIONAL_GIS_ORDER);
  const std::unique_ptr<OGRCoordinateTransformation> to_angles(OGRCreateCoordinateTransformation(&srs, angles.get()));
  if (!to_angles) return {};
  for (auto& [x, y] : places) {
    x /= unit;
    y /= unit;
    if (!to_angles->Transform(1, &x, &y)) x = y = HUGE_VAL;
  }
  return places;
}

/// Returns true if both CRSs map coordinates to the same longitudes and latitudes: the same numbers or, with
/// `any_unit`, the same lengths in metres.
bool ProjectAlike(const OGRSpatialReference& a, const OGRSpatialReference& b, bool any_unit) {
  const double of_a = a.GetLinearUnits();
  const double of_b = any_unit ? b.GetLinearUnits() : of_a;
  const std::vector<Place> places = ListPlaces(a);
  const std::vector<Place> first = ToAngles(a, places, of_a);
  const std::vector<Place> second = ToAngles(b, places, of_b);
  bool compared = false;
  for (std::size_t i = 0; i < first.size() && i < second.size(); ++i) {
    if (first[i].first == HUGE_VAL || second[i].first == HUGE_VAL) continue;
    compared = true;
    const double turned = std::remainder(first[i].first - second[i].first, 360);
    if (std::fabs(turned) * std::cos(first[i].second / 57.3) > kSameAngle) return false;
    if (std::fabs(first[i].second - second[i].second) > kSameAngle) return false;
  }
  return compared;
}

/// CF does not have a grid mapping for this projection, so writers use the parameters of another one.
bool IsPseudoMercator(const OGRSpatialReference& srs) {
  const char* const projection = srs.GetAttrValue("PROJECTION");
  const char* const extension = srs.GetExtension("PROJCS", "PROJ4", "");
  return projection && EQUAL(projection, SRS_PT_MERCATOR_1SP) && extension && strstr(extension, "+nadgrids=@null");
}

}  // namespace

bool AreSameSpatialRef(const OGRSpatialReference& a, const OGRSpatialReference& b) {
  const ErrorCollector hidden_errors;
  const Srs first = CopyHorizontal(a);
  const Srs second = CopyHorizontal(b);
  const char* const options[] = {"IGNORE_DATA_AXIS_TO_SRS_AXIS_MAPPING=YES", "IGNORE_COORDINATE_EPOCH=YES", nullptr};
  if (first->IsSame(second.get(), options)) return true;
  if (first->IsProjected() != second->IsProjected()) return false;
  if (first->IsDerivedGeographic() || second->IsDerivedGeographic()) return false;
  if (!first->IsProjected()) return first->IsGeographic() && second->IsGeographic() && HaveSameDatum(*first, *second);
  return HaveSameDatum(*first, *second) && ProjectAlike(*first, *second, false);
}

bool AreParametersOf(const OGRSpatialReference& parameters, const OGRSpatialReference& srs) {
  const ErrorCollector hidden_errors;
  const Srs first = CopyHorizontal(parameters);
  const Srs second = CopyHorizontal(srs);
  if (first->IsDerivedGeographic() || second->IsDerivedGeographic()) return true;
  if (first->IsProjected() != second->IsProjected()) return false;
  if (!first->IsProjected()) return HaveSameEllipsoid(*first, *second);
  return IsPseudoMercator(*second) || ProjectAlike(*first, *second, true);
}

std::string DescribeSpatialRef(const OGRSpatialReference& srs) {
  const char* const name = srs.GetName();
  const char* const authority = srs.GetAuthorityName(nullptr);
  const char* const code = srs.GetAuthorityCode(nullptr);
  if (name && authority && code) return std::string(name) + " (" + authority + ":" + code + ")";
  char* proj = nullptr;
  const ErrorCollector hidden_errors;
  const bool has_proj = srs.exportToProj4(&proj) == OGRERR_NONE && proj;
  const std::string text = has_proj ? proj : "";
  CPLFree(proj);
  if (text.empty()) return name ? name : "unknown";
  return IsUnknown(name) ? text : std::string(name) + " (" + text + ")";
}

}  // namespace gdal_zarr
