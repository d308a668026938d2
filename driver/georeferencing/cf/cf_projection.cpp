// SPDX-License-Identifier: MIT
#include "driver/georeferencing/cf/cf_projection.h"

#include <cmath>
#include <numbers>
#include <utility>

#include "driver/georeferencing/cf/cf_parameters.h"

namespace gdal_zarr {
namespace {

using zarr::JsonNode;

constexpr const char* kLatitudeOfOrigin = "latitude_of_projection_origin";
constexpr const char* kLongitudeOfOrigin = "longitude_of_projection_origin";
constexpr const char* kCentralMeridian = "longitude_of_central_meridian";
constexpr const char* kScaleAtOrigin = "scale_factor_at_projection_origin";
constexpr const char* kParallel = "standard_parallel";
constexpr const char* kSemiMajor = "semi_major_axis";
constexpr const char* kRadius = "earth_radius";

/// A single parallel counts twice.
std::pair<double, double> ReadParallels(const CfParameters& p) {
  const std::vector<double> parallels = p.List(kParallel);
  if (parallels.empty() || parallels.size() > 2) p.FailExpected(kParallel, "one number or two");
  const double last = parallels.back();
  return {parallels.front(), parallels.size() == 1 ? p.GetOr("standard_parallel_2", last) : last};
}

OGRErr SetLatitudeLongitude(const CfParameters&, OGRSpatialReference*) {
  return OGRERR_NONE;
}

OGRErr SetRotatedPole(const CfParameters& p, OGRSpatialReference* srs) {
  return srs->SetDerivedGeogCRSWithPoleRotationNetCDFCFConvention("Rotated_pole", p.Get("grid_north_pole_latitude"),
                                                                  p.Get("grid_north_pole_longitude"),
                                                                  p.GetOr("north_pole_grid_longitude", 0));
}

OGRErr SetTransverseMercator(const CfParameters& p, OGRSpatialReference* srs) {
  return srs->SetTM(p.GetOr(kLatitudeOfOrigin, 0), p.Get(kCentralMeridian),
                    p.GetOr("scale_factor_at_central_meridian", 1), p.easting(), p.northing());
}

/// GDAL writes a scale at the latitude of origin in place of parallels.
OGRErr SetLambertConformalConic(const CfParameters& p, OGRSpatialReference* srs) {
  const double latitude = p.Get(kLatitudeOfOrigin);
  const double longitude = p.Get(kCentralMeridian);
  const auto scale = p.Find(kScaleAtOrigin);
  if (scale && !p.Has(kParallel)) return srs->SetLCC1SP(latitude, longitude, *scale, p.easting(), p.northing());
  const auto [first, second] = ReadParallels(p);
  if (first == second && first == latitude) return srs->SetLCC1SP(latitude, longitude, 1, p.easting(), p.northing());
  return srs->SetLCC(first, second, latitude, longitude, p.easting(), p.northing());
}

OGRErr SetAlbers(const CfParameters& p, OGRSpatialReference* srs) {
  const auto [first, second] = ReadParallels(p);
  return srs->SetACEA(first, second, p.Get(kLatitudeOfOrigin), p.Get(kCentralMeridian), p.easting(), p.northing());
}

/// The parameters specify either the parallel where the scale is 1, or the scale at the pole; the latitude of origin
/// determines which pole it is.
OGRErr SetPolarStereographic(const CfParameters& p, OGRSpatialReference* srs) {
  const double longitude = p.Get(kLongitudeOfOrigin);
  const auto pole = p.Find(kLatitudeOfOrigin);
  if (pole && std::fabs(*pole) != 90) p.FailExpected(kLatitudeOfOrigin, "90 or -90");
  const auto parallel = p.Find(kParallel);
  const auto scale = p.Find(kScaleAtOrigin);
  if (scale && (!parallel || std::fabs(*parallel) == 90)) {
    return srs->SetPS(pole ? *pole : p.Get(kParallel), longitude, *scale, p.easting(), p.northing());
  }
  const double latitude = p.Get(kParallel);
  return srs->SetPS(pole ? std::copysign(latitude, *pole) : latitude, longitude, 1, p.easting(), p.northing());
}

OGRErr SetMercator(const CfParameters& p, OGRSpatialReference* srs) {
  const double longitude = p.Get(kLongitudeOfOrigin);
  if (const auto scale = p.Find(kScaleAtOrigin); scale && !p.Has(kParallel)) {
    return srs->SetMercator(0, longitude, *scale, p.easting(), p.northing());
  }
  return srs->SetMercator2SP(p.Get(kParallel), 0, longitude, p.easting(), p.northing());
}

/// Finds the parallel where the scale is 1; some files specify the scale at the equator instead.
double FindCylindricalParallel(const CfParameters& p, const OGRSpatialReference& srs) {
  const auto scale = p.Find(kScaleAtOrigin);
  if (!scale || p.Has(kParallel)) return p.Get(kParallel);
  const double squared = *scale * *scale;
  if (squared == 0 || squared > 1) p.FailExpected(kScaleAtOrigin, "a number above 0, and not above 1");
  return std::asin(std::sqrt((1 - squared) / (1 - squared * srs.GetSquaredEccentricity()))) * 180 / std::numbers::pi;
}

OGRErr SetLambertCylindrical(const CfParameters& p, OGRSpatialReference* srs) {
  return srs->SetCEA(FindCylindricalParallel(p, *srs), p.Get(kCentralMeridian), p.easting(), p.northing());
}

OGRErr SetLambertAzimuthal(const CfParameters& p, OGRSpatialReference* srs) {
  return srs->SetLAEA(p.Get(kLatitudeOfOrigin), p.Get(kLongitudeOfOrigin), p.easting(), p.northing());
}

OGRErr SetAzimuthalEquidistant(const CfParameters& p, OGRSpatialReference* srs) {
  return srs->SetAE(p.Get(kLatitudeOfOrigin), p.Get(kLongitudeOfOrigin), p.easting(), p.northing());
}

OGRErr SetOrthographic(const CfParameters& p, OGRSpatialReference* srs) {
  return srs->SetOrthographic(p.Get(kLatitudeOfOrigin), p.Get(kLongitudeOfOrigin), p.easting(), p.northing());
}

OGRErr SetStereographic(const CfParameters& p, OGRSpatialReference* srs) {
  return srs->SetStereographic(p.Get(kLatitudeOfOrigin), p.Get(kLongitudeOfOrigin), p.GetOr(kScaleAtOrigin, 1),
                               p.easting(), p.northing());
}

OGRErr SetSinusoidal(const CfParameters& p, OGRSpatialReference* srs) {
  return srs->SetSinusoidal(p.Get(kLongitudeOfOrigin), p.easting(), p.northing());
}

/// In CF's variant, coordinates are counted from the origin, to the east and to the north, and not along the central
/// line.
OGRErr SetObliqueMercator(const CfParameters& p, OGRSpatialReference* srs) {
  const double azimuth = p.Get("azimuth_of_central_line");
  return srs->SetHOMAC(p.Get(kLatitudeOfOrigin), p.Get(kLongitudeOfOrigin), azimuth, azimuth,
                       p.GetOr(kScaleAtOrigin, 1), p.easting(), p.northing());
}

OGRErr SetVerticalPerspective(const CfParameters& p, OGRSpatialReference* srs) {
  return srs->SetVerticalPerspective(p.Get(kLatitudeOfOrigin), p.Get(kLongitudeOfOrigin), 0,
                                     p.Get("perspective_point_height"), p.easting(), p.northing());
}

/// The axis about which the satellite's mirror turns first is "y", unless `sweep_angle_axis` is "x" or, in its absence,
/// `fixed_angle_axis` is "y".
bool SweepsAlongX(const CfParameters& p) {
  const std::string sweep = p.GetText("sweep_angle_axis");
  return EQUAL(sweep.empty() ? p.GetText("fixed_angle_axis").c_str() : sweep.c_str(), sweep.empty() ? "y" : "x");
}

/// OGRSpatialReference::SetGEOS does not have an argument for the axis.
OGRErr SetGeostationary(const CfParameters& p, OGRSpatialReference* srs) {
  if (p.GetOr(kLatitudeOfOrigin, 0) != 0) p.FailExpected(kLatitudeOfOrigin, "0");
  const std::string definition = CPLSPrintf(
      "+proj=geos +lon_0=%.17g +h=%.17g +x_0=%.17g +y_0=%.17g +sweep=%s +type=crs", p.Get(kLongitudeOfOrigin),
      p.Get("perspective_point_height"), p.easting(), p.northing(), SweepsAlongX(p) ? "x" : "y");
  OGRSpatialReference geostationary;
  const OGRErr result = geostationary.importFromProj4(definition.c_str());
  if (result != OGRERR_NONE) return result;
  geostationary.SetProjCS(srs->GetName());
  geostationary.CopyGeogCSFrom(srs);
  *srs = geostationary;
  return OGRERR_NONE;
}

struct Projection {
  const char* name;
  bool is_projected;
  OGRErr (*set)(const CfParameters& parameters, OGRSpatialReference* srs);
};

constexpr Projection kProjections[] = {
    {"latitude_longitude", false, SetLatitudeLongitude},
    {"rotated_latitude_longitude", false, SetRotatedPole},
    {"albers_conical_equal_area", true, SetAlbers},
    {"azimuthal_equidistant", true, SetAzimuthalEquidistant},
    {"geostationary", true, SetGeostationary},
    {"lambert_azimuthal_equal_area", true, SetLambertAzimuthal},
    {"lambert_conformal_conic", true, SetLambertConformalConic},
    {"lambert_cylindrical_equal_area", true, SetLambertCylindrical},
    {"mercator", true, SetMercator},
    {"oblique_mercator", true, SetObliqueMercator},
    {"orthographic", true, SetOrthographic},
    {"polar_stereographic", true, SetPolarStereographic},
    {"sinusoidal", true, SetSinusoidal},
    {"stereographic", true, SetStereographic},
    {"transverse_mercator", true, SetTransverseMercator},
    {"vertical_perspective", true, SetVerticalPerspective},
};

// --- the datum ------------------------------------------------------------------------------------------------------

/// Returns the ellipsoid's inverse flattening; 0 for a sphere.
double FindInverseFlattening(const CfParameters& parameters, double semi_major) {
  if (const auto inverse = parameters.Find("inverse_flattening")) return *inverse;
  const double semi_minor = parameters.GetOr("semi_minor_axis", semi_major);
  return semi_minor == semi_major ? 0 : semi_major / (semi_major - semi_minor);
}

std::string GetTextOr(const CfParameters& parameters, const char* name, const char* otherwise) {
  const std::string text = parameters.GetText(name);
  return text.empty() ? otherwise : text;
}

/// Files with the ellipsoid of WGS 84 and no datum mean WGS 84.
bool IsMeantAsWgs84(const CfParameters& parameters, const OGRSpatialReference& geographic) {
  for (const char* name : {"horizontal_datum_name", "geographic_crs_name"}) {
    if (!EQUAL(GetTextOr(parameters, name, "unknown").c_str(), "unknown")) return false;
  }
  return std::fabs(geographic.GetSemiMajor() - SRS_WGS84_SEMIMAJOR) < 1e-4 &&
         std::fabs(geographic.GetInvFlattening() - SRS_WGS84_INVFLATTENING) < 1e-7 &&
         geographic.GetPrimeMeridian() == 0;
}

/// Without an ellipsoid, WGS 84 is assumed, because that is what most such data mean.
SpatialRef ReadGeographic(const CfParameters& parameters) {
  auto semi_major = parameters.Find(kSemiMajor);
  if (!semi_major) semi_major = parameters.Find(kRadius);
  if (!semi_major) return ParseSpatialRef("EPSG:4326");
  auto srs = std::make_unique<OGRSpatialReference>();
  srs->SetGeogCS(GetTextOr(parameters, "geographic_crs_name", "unknown").c_str(),
                 GetTextOr(parameters, "horizontal_datum_name", "unknown").c_str(),
                 GetTextOr(parameters, "reference_ellipsoid_name", "unknown").c_str(), *semi_major,
                 FindInverseFlattening(parameters, *semi_major),
                 GetTextOr(parameters, "prime_meridian_name", "Greenwich").c_str(),
                 parameters.GetOr("longitude_of_prime_meridian", 0));
  return IsMeantAsWgs84(parameters, *srs) ? ParseSpatialRef("EPSG:4326") : std::move(srs);
}

/// Reads the geographic SRS that the projection is based on, and sets the names.
SpatialRef ReadBase(const CfParameters& parameters, bool is_projected) {
  SpatialRef geographic = ReadGeographic(parameters);
  if (!is_projected) return geographic;
  auto srs = std::make_unique<OGRSpatialReference>();
  srs->SetProjCS(GetTextOr(parameters, "projected_crs_name", "unknown").c_str());
  srs->CopyGeogCSFrom(geographic.get());
  return srs;
}

/// Some files contain the parameters of a rotated pole without the grid mapping's name.
std::string GetMappingName(const CfParameters& parameters) {
  return GetTextOr(parameters, "grid_mapping_name",
                   parameters.Has("grid_north_pole_longitude") ? "rotated_latitude_longitude" : "");
}

}  // namespace

bool HasCfEllipsoid(const JsonNode& attributes) {
  const CfParameters parameters(attributes, 0);
  return parameters.Has(kSemiMajor) || parameters.Has(kRadius);
}

SpatialRef ReadCfProjection(const JsonNode& attributes, double metres_per_unit) {
  const CfParameters parameters(attributes, metres_per_unit);
  const std::string name = GetMappingName(parameters);
  for (const Projection& projection : kProjections) {
    if (!EQUAL(name.c_str(), projection.name)) continue;
    SpatialRef srs = ReadBase(parameters, projection.is_projected);
    if (projection.set(parameters, srs.get()) != OGRERR_NONE) return nullptr;
    srs->SetAxisMappingStrategy(OAMS_TRADITIONAL_GIS_ORDER);
    if (projection.is_projected) srs->AutoIdentifyEPSG();  // a UTM zone has a code
    return srs;
  }
  if (!name.empty()) parameters.FailExpected("grid_mapping_name", "a grid mapping of CF");
  return nullptr;
}

}  // namespace gdal_zarr
