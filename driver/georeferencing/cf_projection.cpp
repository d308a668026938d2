#include "driver/georeferencing/cf_projection.h"

#include <cmath>
#include <utility>

namespace gdal_zarr {
namespace {

using zarr::JsonNode;

/// The attributes of a grid mapping variable.
class Parameters {
 public:
  explicit Parameters(const JsonNode& attributes) : attributes_(attributes) {}

  /// A number, or a list of one.
  std::optional<double> Find(const char* name) const {
    const auto node = attributes_.Find(name);
    if (!node) return std::nullopt;
    return Number(node->IsArray() && node->size() == 1 ? (*node)[0] : *node);
  }
  double Get(const char* name) const {
    const auto number = Find(name);
    if (!number) attributes_.At(name);  // throws
    return *number;
  }
  double GetOr(const char* name, double otherwise) const { return Find(name).value_or(otherwise); }
  std::string Text(const char* name, const char* otherwise) const {
    const auto node = attributes_.Find(name);
    return node && node->IsString() ? node->AsString() : otherwise;
  }
  /// `standard_parallel`, which is one number or two; one stands for both.
  std::pair<double, double> Parallels() const {
    const JsonNode node = attributes_.At("standard_parallel");
    if (!node.IsArray()) return {Number(node), Number(node)};
    if (node.size() < 1 || node.size() > 2) node.FailExpected("one number or two");
    return {Number(node[0]), Number(node[node.size() - 1])};
  }
  double easting() const { return GetOr("false_easting", 0); }
  double northing() const { return GetOr("false_northing", 0); }

 private:
  static double Number(const JsonNode& node) {
    const double number = node.AsDouble();
    if (!std::isfinite(number)) node.FailExpected("a finite number");
    return number;
  }

  const JsonNode& attributes_;
};

/// The ellipsoid's inverse flattening; 0 is a sphere.
double InverseFlattening(const Parameters& parameters, double semi_major) {
  if (const auto inverse = parameters.Find("inverse_flattening")) return *inverse;
  const double semi_minor = parameters.GetOr("semi_minor_axis", semi_major);
  return semi_minor == semi_major ? 0 : semi_major / (semi_major - semi_minor);
}

/// Without an ellipsoid it is that of WGS 84, which most data without one are meant for.
void SetGeographic(const Parameters& parameters, OGRSpatialReference* srs) {
  auto semi_major = parameters.Find("semi_major_axis");
  if (!semi_major) semi_major = parameters.Find("earth_radius");
  if (!semi_major) {
    srs->SetWellKnownGeogCS("WGS84");
    return;
  }
  srs->SetGeogCS(parameters.Text("geographic_crs_name", "unknown").c_str(),
                 parameters.Text("horizontal_datum_name", "unknown").c_str(),
                 parameters.Text("reference_ellipsoid_name", "unknown").c_str(), *semi_major,
                 InverseFlattening(parameters, *semi_major),
                 parameters.Text("prime_meridian_name", "Greenwich").c_str(),
                 parameters.GetOr("longitude_of_prime_meridian", 0));
}

OGRErr SetLatitudeLongitude(const Parameters&, OGRSpatialReference*) {
  return OGRERR_NONE;
}

OGRErr SetTransverseMercator(const Parameters& p, OGRSpatialReference* srs) {
  return srs->SetTM(p.GetOr("latitude_of_projection_origin", 0), p.Get("longitude_of_central_meridian"),
                    p.GetOr("scale_factor_at_central_meridian", 1), p.easting(), p.northing());
}

OGRErr SetLambertConformalConic(const Parameters& p, OGRSpatialReference* srs) {
  const auto [first, second] = p.Parallels();
  const double latitude = p.Get("latitude_of_projection_origin");
  const double longitude = p.Get("longitude_of_central_meridian");
  if (first == second && first == latitude) return srs->SetLCC1SP(latitude, longitude, 1, p.easting(), p.northing());
  return srs->SetLCC(first, second, latitude, longitude, p.easting(), p.northing());
}

OGRErr SetAlbers(const Parameters& p, OGRSpatialReference* srs) {
  const auto [first, second] = p.Parallels();
  return srs->SetACEA(first, second, p.Get("latitude_of_projection_origin"), p.Get("longitude_of_central_meridian"),
                      p.easting(), p.northing());
}

/// Its scale is told at the pole, or as the parallel where it is 1.
OGRErr SetPolarStereographic(const Parameters& p, OGRSpatialReference* srs) {
  const double longitude = p.Get("straight_vertical_longitude_from_pole");
  if (const auto scale = p.Find("scale_factor_at_projection_origin")) {
    return srs->SetPS(p.Get("latitude_of_projection_origin"), longitude, *scale, p.easting(), p.northing());
  }
  return srs->SetPS(p.Get("standard_parallel"), longitude, 1, p.easting(), p.northing());
}

OGRErr SetMercator(const Parameters& p, OGRSpatialReference* srs) {
  const double longitude = p.Get("longitude_of_projection_origin");
  if (const auto scale = p.Find("scale_factor_at_projection_origin")) {
    return srs->SetMercator(0, longitude, *scale, p.easting(), p.northing());
  }
  return srs->SetMercator2SP(p.Get("standard_parallel"), 0, longitude, p.easting(), p.northing());
}

OGRErr SetLambertAzimuthal(const Parameters& p, OGRSpatialReference* srs) {
  return srs->SetLAEA(p.Get("latitude_of_projection_origin"), p.Get("longitude_of_projection_origin"), p.easting(),
                      p.northing());
}

OGRErr SetSinusoidal(const Parameters& p, OGRSpatialReference* srs) {
  return srs->SetSinusoidal(p.Get("longitude_of_projection_origin"), p.easting(), p.northing());
}

struct Projection {
  const char* name;
  OGRErr (*set)(const Parameters& parameters, OGRSpatialReference* srs);
};

constexpr Projection kProjections[] = {
    {"latitude_longitude", SetLatitudeLongitude},          {"transverse_mercator", SetTransverseMercator},
    {"lambert_conformal_conic", SetLambertConformalConic}, {"albers_conical_equal_area", SetAlbers},
    {"polar_stereographic", SetPolarStereographic},        {"mercator", SetMercator},
    {"lambert_azimuthal_equal_area", SetLambertAzimuthal}, {"sinusoidal", SetSinusoidal},
};

}  // namespace

SpatialRef ReadCfProjection(const JsonNode& attributes) {
  const Parameters parameters(attributes);
  const std::string name = attributes.At("grid_mapping_name").AsString();
  for (const Projection& projection : kProjections) {
    if (name != projection.name) continue;
    auto srs = std::make_unique<OGRSpatialReference>();
    if (name != "latitude_longitude") srs->SetProjCS(parameters.Text("projected_crs_name", "unknown").c_str());
    SetGeographic(parameters, srs.get());
    if (projection.set(parameters, srs.get()) != OGRERR_NONE) return nullptr;
    srs->SetAxisMappingStrategy(OAMS_TRADITIONAL_GIS_ORDER);
    return srs;
  }
  return nullptr;
}

}  // namespace gdal_zarr
