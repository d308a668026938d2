// SPDX-License-Identifier: MIT
#include "driver/georeferencing/cf/cf_projection.h"

#include <gtest/gtest.h>

#include <cmath>

#include "autotest/cpp/support/test_util.h"

namespace gdal_zarr {
namespace {

using zarr::test::ExpectError;
using zarr::test::Json;
using Parameters = std::vector<std::pair<const char*, double>>;

SpatialRef Read(const std::string& members, double metres_per_unit = 1) {
  return ReadCfProjection(Json("{" + members + "}"), metres_per_unit);
}

/// The members of a grid mapping of that name.
std::string Mapping(std::string_view name, std::string_view more) {
  return R"("grid_mapping_name": ")" + std::string(name) + "\"" + (more.empty() ? "" : ", ") + std::string(more);
}

void ExpectParameters(const OGRSpatialReference* srs, const Parameters& parameters) {
  ASSERT_NE(srs, nullptr);
  for (const auto& [name, value] : parameters) {
    EXPECT_NEAR(srs->GetNormProjParm(name, NAN), value, 1e-9) << name;
  }
}

struct Row {
  const char* name;
  const char* members;
  const char* projection;  // as GDAL names it
  Parameters parameters;
};

constexpr const char* kLat = SRS_PP_LATITUDE_OF_ORIGIN;
constexpr const char* kLon = SRS_PP_CENTRAL_MERIDIAN;
constexpr const char* kScale = SRS_PP_SCALE_FACTOR;
constexpr const char* kFirst = SRS_PP_STANDARD_PARALLEL_1;
constexpr const char* kSecond = SRS_PP_STANDARD_PARALLEL_2;

/// CF 1.11, appendix F, with parameters of their own for each.
const std::vector<Row> kRows = {
    {"albers_conical_equal_area",
     R"("standard_parallel": [20, 60], "longitude_of_central_meridian": 10, "latitude_of_projection_origin": 40)",
     SRS_PT_ALBERS_CONIC_EQUAL_AREA,
     {{kFirst, 20}, {kSecond, 60}, {SRS_PP_LONGITUDE_OF_CENTER, 10}, {SRS_PP_LATITUDE_OF_CENTER, 40}}},
    {"azimuthal_equidistant",
     R"("longitude_of_projection_origin": 10, "latitude_of_projection_origin": 40)",
     SRS_PT_AZIMUTHAL_EQUIDISTANT,
     {{SRS_PP_LONGITUDE_OF_CENTER, 10}, {SRS_PP_LATITUDE_OF_CENTER, 40}}},
    {"geostationary",
     R"("longitude_of_projection_origin": -75, "latitude_of_projection_origin": 0, "perspective_point_height": 35786023,
        "sweep_angle_axis": "y")",
     SRS_PT_GEOSTATIONARY_SATELLITE,
     {{kLon, -75}, {SRS_PP_SATELLITE_HEIGHT, 35786023}}},
    {"lambert_azimuthal_equal_area",
     R"("longitude_of_projection_origin": 10, "latitude_of_projection_origin": 52)",
     SRS_PT_LAMBERT_AZIMUTHAL_EQUAL_AREA,
     {{SRS_PP_LONGITUDE_OF_CENTER, 10}, {SRS_PP_LATITUDE_OF_CENTER, 52}}},
    {"lambert_conformal_conic",
     R"("standard_parallel": [30, 60], "longitude_of_central_meridian": 10, "latitude_of_projection_origin": 40)",
     SRS_PT_LAMBERT_CONFORMAL_CONIC_2SP,
     {{kFirst, 30}, {kSecond, 60}, {kLat, 40}, {kLon, 10}}},
    {"lambert_conformal_conic",
     R"("standard_parallel": 40, "longitude_of_central_meridian": 10, "latitude_of_projection_origin": 40)",
     SRS_PT_LAMBERT_CONFORMAL_CONIC_1SP,
     {{kScale, 1}, {kLat, 40}, {kLon, 10}}},
    {"lambert_conformal_conic",
     R"("standard_parallel": [50], "longitude_of_central_meridian": 10, "latitude_of_projection_origin": 40)",
     SRS_PT_LAMBERT_CONFORMAL_CONIC_2SP,
     {{kFirst, 50}, {kSecond, 50}, {kLat, 40}, {kLon, 10}}},
    {"lambert_cylindrical_equal_area",
     R"("standard_parallel": 30, "longitude_of_central_meridian": 10)",
     SRS_PT_CYLINDRICAL_EQUAL_AREA,
     {{kFirst, 30}, {kLon, 10}}},
    {"mercator",
     R"("standard_parallel": 30, "longitude_of_projection_origin": 10)",
     SRS_PT_MERCATOR_2SP,
     {{kFirst, 30}, {kLon, 10}}},
    {"mercator",
     R"("scale_factor_at_projection_origin": 0.5, "longitude_of_projection_origin": 10)",
     SRS_PT_MERCATOR_1SP,
     {{kScale, 0.5}, {kLon, 10}}},
    {"oblique_mercator",
     R"("azimuth_of_central_line": 30, "longitude_of_projection_origin": 10, "latitude_of_projection_origin": 40,
        "scale_factor_at_projection_origin": 0.9996)",
     SRS_PT_HOTINE_OBLIQUE_MERCATOR_AZIMUTH_CENTER,
     {{SRS_PP_AZIMUTH, 30}, {SRS_PP_LONGITUDE_OF_CENTER, 10}, {SRS_PP_LATITUDE_OF_CENTER, 40}, {kScale, 0.9996}}},
    {"orthographic",
     R"("longitude_of_projection_origin": 10, "latitude_of_projection_origin": 40)",
     SRS_PT_ORTHOGRAPHIC,
     {{kLon, 10}, {kLat, 40}}},
    {"polar_stereographic",
     R"("straight_vertical_longitude_from_pole": -45, "latitude_of_projection_origin": 90, "standard_parallel": 70)",
     SRS_PT_POLAR_STEREOGRAPHIC,
     {{kLon, -45}, {kLat, 70}}},
    {"polar_stereographic",
     R"("straight_vertical_longitude_from_pole": 10, "latitude_of_projection_origin": -90, "standard_parallel": 71)",
     SRS_PT_POLAR_STEREOGRAPHIC,
     {{kLon, 10}, {kLat, -71}}},
    {"polar_stereographic",
     R"("straight_vertical_longitude_from_pole": 10, "latitude_of_projection_origin": 90,
        "scale_factor_at_projection_origin": 0.994)",
     SRS_PT_POLAR_STEREOGRAPHIC,
     {{kLon, 10}, {kLat, 90}, {kScale, 0.994}}},
    {"sinusoidal", R"("longitude_of_projection_origin": 10)", SRS_PT_SINUSOIDAL, {{SRS_PP_LONGITUDE_OF_CENTER, 10}}},
    {"stereographic",
     R"("longitude_of_projection_origin": 10, "latitude_of_projection_origin": 40,
        "scale_factor_at_projection_origin": 0.99)",
     SRS_PT_STEREOGRAPHIC,
     {{kLon, 10}, {kLat, 40}, {kScale, 0.99}}},
    {"transverse_mercator",
     R"("scale_factor_at_central_meridian": 0.9, "longitude_of_central_meridian": 10,
        "latitude_of_projection_origin": 40)",
     SRS_PT_TRANSVERSE_MERCATOR,
     {{kScale, 0.9}, {kLon, 10}, {kLat, 40}}},
    {"vertical_perspective",
     R"("longitude_of_projection_origin": 10, "latitude_of_projection_origin": 40, "perspective_point_height": 1000000)",
     "Vertical Perspective",
     {{"Viewpoint height", 1000000}, {"Longitude of topocentric origin", 10}, {"Latitude of topocentric origin", 40}}},
};

TEST(CfProjection, ReadsTheGridMappingsOfCf) {
  for (const Row& row : kRows) {
    SCOPED_TRACE(row.members);
    const std::string offsets = R"("false_easting": 500, "false_northing": -200, )";
    const SpatialRef srs = Read(Mapping(row.name, offsets + row.members));
    ASSERT_NE(srs, nullptr) << row.name;
    EXPECT_TRUE(srs->IsProjected()) << row.name;
    EXPECT_STREQ(srs->GetAttrValue("PROJECTION"), row.projection);
    ExpectParameters(srs.get(), row.parameters);
    // That of which WKT 1 has no name keeps PROJ's names.
    EXPECT_EQ(srs->GetNormProjParm(SRS_PP_FALSE_EASTING, srs->GetNormProjParm("False easting", NAN)), 500);
    EXPECT_EQ(srs->GetNormProjParm(SRS_PP_FALSE_NORTHING, srs->GetNormProjParm("False northing", NAN)), -200);
    EXPECT_EQ(srs->GetLinearUnits(), 1);
    EXPECT_EQ(srs->GetAxisMappingStrategy(), OAMS_TRADITIONAL_GIS_ORDER);
  }
}

TEST(CfProjection, RefusesMissingParameters) {
  for (const char* name :
       {"albers_conical_equal_area", "azimuthal_equidistant", "geostationary", "lambert_azimuthal_equal_area",
        "lambert_conformal_conic", "lambert_cylindrical_equal_area", "mercator", "oblique_mercator", "orthographic",
        "polar_stereographic", "rotated_latitude_longitude", "sinusoidal", "stereographic", "transverse_mercator",
        "vertical_perspective"}) {
    EXPECT_THROW(Read(Mapping(name, "")), zarr::Error) << name;
  }
  EXPECT_NE(Read(Mapping("latitude_longitude", "")), nullptr);
}

TEST(CfProjection, RefusesWrongParameters) {
  const auto sinusoidal = [](const char* longitude) {
    Read(Mapping("sinusoidal", R"("longitude_of_projection_origin": )" + std::string(longitude)));
  };
  sinusoidal("\"10\"");  // some writers have numbers as text
  sinusoidal("[10]");
  for (const char* wrong : {"\"ten\"", "\"10 20\"", "[]", "[1, 2]", "null", "\"\"", "{}", "true"}) {
    ExpectError([&] { sinusoidal(wrong); }, zarr::ErrorKind::kCorrupt, "/longitude_of_projection_origin", "number");
  }
  const std::string polar = R"("straight_vertical_longitude_from_pole": 0, "standard_parallel": 70, )";
  ExpectError([&] { Read(Mapping("polar_stereographic", polar + R"("latitude_of_projection_origin": 70)")); },
              zarr::ErrorKind::kCorrupt, "/latitude_of_projection_origin", "90 or -90");
  ExpectError(
      [] {
        Read(Mapping("lambert_conformal_conic",
                     R"("standard_parallel": [1, 2, 3], "longitude_of_central_meridian": 10,
                        "latitude_of_projection_origin": 40)"));
      },
      zarr::ErrorKind::kCorrupt, "/standard_parallel", "one number or two");
  for (const char* scale : {"0", "1.5"}) {
    ExpectError(
        [&] {
          Read(Mapping("lambert_cylindrical_equal_area", R"("longitude_of_central_meridian": 10,
                       "scale_factor_at_projection_origin": )" +
                                                             std::string(scale)));
        },
        zarr::ErrorKind::kCorrupt, "/scale_factor_at_projection_origin", "above 0");
  }
}

TEST(CfProjection, KnowsNoOtherNames) {
  EXPECT_EQ(Read(""), nullptr);
  EXPECT_EQ(Read(R"("semi_major_axis": 6371000)"), nullptr);
  ExpectError([] { Read(Mapping("robinson", "")); }, zarr::ErrorKind::kCorrupt, "/grid_mapping_name", "grid mapping");
  EXPECT_NE(Read(Mapping("Sinusoidal", R"("longitude_of_projection_origin": 0)")), nullptr);
}

TEST(CfProjection, ReadsOffsetsInTheUnitOfTheCoordinates) {
  const std::string members = Mapping("sinusoidal", R"("longitude_of_projection_origin": 0, "false_easting": 5)");
  ExpectParameters(Read(members, 1000).get(), {{SRS_PP_FALSE_EASTING, 5000}});
  ExpectParameters(Read(members, 0).get(), {{SRS_PP_FALSE_EASTING, 5}});
  // Metres, since it were farther than round the Earth.
  const std::string metres = Mapping("sinusoidal", R"("longitude_of_projection_origin": 0, "false_easting": 500000)");
  ExpectParameters(Read(metres, 1000).get(), {{SRS_PP_FALSE_EASTING, 500000}});
}

TEST(CfProjection, KnowsWhichAxisASatelliteSweeps) {
  const auto definition = [](const std::string& more) {
    const SpatialRef srs = Read(Mapping(
        "geostationary", R"("longitude_of_projection_origin": 0, "perspective_point_height": 35786023)" + more));
    char* text = nullptr;
    EXPECT_EQ(srs->exportToProj4(&text), OGRERR_NONE);
    std::string result = text;
    CPLFree(text);
    return result;
  };
  for (const char* x : {R"(, "sweep_angle_axis": "x")", R"(, "fixed_angle_axis": "y")"}) {
    EXPECT_NE(definition(x).find("+sweep=x"), std::string::npos) << definition(x);
  }
  for (const char* y : {"", R"(, "sweep_angle_axis": "y")", R"(, "fixed_angle_axis": "x")"}) {
    EXPECT_EQ(definition(y).find("+sweep=x"), std::string::npos) << definition(y);
  }
}

TEST(CfProjection, ReadsARotatedPole) {
  const std::string pole = R"("grid_north_pole_latitude": 39.25, "grid_north_pole_longitude": -162)";
  for (const std::string& members : {Mapping("rotated_latitude_longitude", pole), pole}) {
    const SpatialRef srs = Read(members);
    ASSERT_NE(srs, nullptr);
    EXPECT_TRUE(srs->IsDerivedGeographic());
  }
}

TEST(CfProjection, TakesTheEllipsoid) {
  const auto read = [](const std::string& members) { return Read(Mapping("latitude_longitude", members)); };
  const SpatialRef sphere = read(R"("earth_radius": 6371229)");
  EXPECT_EQ(sphere->GetSemiMajor(), 6371229);
  EXPECT_EQ(sphere->GetSemiMinor(), 6371229);
  const SpatialRef by_axes = read(R"("semi_major_axis": 6377397.155, "semi_minor_axis": 6356078.962818189)");
  EXPECT_NEAR(by_axes->GetInvFlattening(), 299.1528128, 1e-6);
  const SpatialRef named = read(R"("semi_major_axis": 6378137, "inverse_flattening": 298.257222101,
      "geographic_crs_name": "ETRS89", "longitude_of_prime_meridian": 2.5, "prime_meridian_name": "Paris")");
  EXPECT_STREQ(named->GetAttrValue("GEOGCS"), "ETRS89");
  EXPECT_NEAR(named->GetPrimeMeridian(), 2.5, 1e-12);
}

TEST(CfProjection, IsWgs84WhereNoDatumIsNamed) {
  const auto code = [](const std::string& members) {
    const SpatialRef srs = Read(Mapping("latitude_longitude", members));
    const char* const text = srs->GetAuthorityCode(nullptr);
    return std::string(text ? text : "none");
  };
  const std::string wgs84 = R"("semi_major_axis": 6378137, "inverse_flattening": 298.257223563)";
  EXPECT_EQ(code(""), "4326");
  EXPECT_EQ(code(wgs84), "4326");
  EXPECT_EQ(code(wgs84 + R"(, "horizontal_datum_name": "Unknown")"), "4326");
  EXPECT_EQ(code(wgs84 + R"(, "horizontal_datum_name": "My datum")"), "none");
  EXPECT_EQ(code(wgs84 + R"(, "longitude_of_prime_meridian": 2)"), "none");
  EXPECT_EQ(code(R"("semi_major_axis": 6378137, "inverse_flattening": 298.25)"), "none");
}

TEST(CfProjection, FindsTheCodeOfAZone) {
  const SpatialRef srs = Read(Mapping("transverse_mercator", R"("scale_factor_at_central_meridian": 0.9996,
      "longitude_of_central_meridian": 9, "latitude_of_projection_origin": 0, "false_easting": 500000,
      "false_northing": 0)"));
  EXPECT_STREQ(srs->GetAuthorityCode(nullptr), "32632");
}

}  // namespace
}  // namespace gdal_zarr
