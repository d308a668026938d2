// SPDX-License-Identifier: MIT
#include "driver/georeferencing/axis_unit.h"

#include <gtest/gtest.h>

namespace gdal_zarr {
namespace {

OGRSpatialReference Srs(const char* definition) {
  OGRSpatialReference srs;
  EXPECT_EQ(srs.SetFromUserInput(definition), OGRERR_NONE) << definition;
  return srs;
}

TEST(AxisUnit, KnowsMetresAndKilometres) {
  for (const char* unit : {"m", "M", "metre", "metres", "meter", "Meters"}) EXPECT_EQ(GetMetresOfUnit(unit), 1) << unit;
  for (const char* unit : {"km", "kilometre", "kilometres", "kilometer", "KILOMETERS"}) {
    EXPECT_EQ(GetMetresOfUnit(unit), 1000) << unit;
  }
  for (const char* unit : {"", "degrees", "m s-1", "m2", "kg"}) EXPECT_EQ(GetMetresOfUnit(unit), 0) << unit;
}

TEST(AxisUnit, KnowsFeetAndNumbersBeforeUnits) {
  for (const char* unit : {"ft", "foot", "feet", "international foot"})
    EXPECT_EQ(GetMetresOfUnit(unit), 0.3048) << unit;
  for (const char* unit : {"US survey foot", "US_survey_feet", "us-ft"}) {
    EXPECT_EQ(GetMetresOfUnit(unit), 1200.0 / 3937) << unit;
  }
  EXPECT_EQ(GetMetresOfUnit("1000 m"), 1000);
  EXPECT_EQ(GetMetresOfUnit("0 m"), 0);
}

TEST(AxisUnit, KnowsAngles) {
  EXPECT_EQ(GetRadiansOfUnit("rad"), 1);
  for (const char* unit : {"microradian", "urad", "\xC2\xB5rad"}) EXPECT_EQ(GetRadiansOfUnit(unit), 1e-6) << unit;
  for (const char* unit : {"degrees_east", "degree", "degreeN", "deg"}) {
    EXPECT_NEAR(GetRadiansOfUnit(unit), 0.017453292519943295, 1e-15) << unit;
  }
  for (const char* unit : {"", "m", "degrees_west", "degC"}) EXPECT_EQ(GetRadiansOfUnit(unit), 0) << unit;
}

double FindFactor(const char* unit, const OGRSpatialReference* srs, double largest = 1e6) {
  const auto factor = FindAxisUnitFactor(unit, largest, srs);
  return factor ? factor->factor : -1;
}

TEST(AxisUnit, IsThatOfTheSrsWhereNothingIsSaid) {
  const OGRSpatialReference utm = Srs("EPSG:32632");
  const OGRSpatialReference geographic = Srs("EPSG:4326");
  EXPECT_EQ(FindFactor("km", nullptr), 1);
  for (const OGRSpatialReference* srs : {&utm, &geographic}) {
    EXPECT_EQ(FindFactor("", srs), 1);
    EXPECT_EQ(FindFactor("1", srs), 1);
  }
}

TEST(AxisUnit, IsNothingWhereUnitsCannotBeConverted) {
  const OGRSpatialReference utm = Srs("EPSG:32632");
  const OGRSpatialReference geographic = Srs("EPSG:4326");
  for (const char* unit : {"furlong", "radian", "degrees_east"}) EXPECT_EQ(FindFactor(unit, &utm), -1) << unit;
  for (const char* unit : {"furlong", "m", "km"}) EXPECT_EQ(FindFactor(unit, &geographic), -1) << unit;
}

TEST(AxisUnit, IsTheLengthInUnitsOfTheSrs) {
  const OGRSpatialReference utm = Srs("EPSG:32632");
  EXPECT_EQ(FindFactor("m", &utm), 1);
  EXPECT_EQ(FindFactor("km", &utm), 1000);
  const OGRSpatialReference in_kilometres = Srs("+proj=utm +zone=32 +datum=WGS84 +units=km +type=crs");
  EXPECT_EQ(FindFactor("km", &in_kilometres), 1);
  EXPECT_DOUBLE_EQ(FindFactor("m", &in_kilometres), 0.001);
  const OGRSpatialReference in_feet = Srs("+proj=utm +zone=32 +datum=WGS84 +units=ft +type=crs");
  EXPECT_NEAR(FindFactor("m", &in_feet), 1 / 0.3048, 1e-9);
}

TEST(AxisUnit, IsTheHeightOfTheSatelliteForRadians) {
  const OGRSpatialReference srs = Srs("+proj=geos +lon_0=0 +h=35785831 +datum=WGS84 +units=m +type=crs");
  for (const char* unit : {"rad", "radian", "Radians"}) EXPECT_EQ(FindFactor(unit, &srs), 35785831) << unit;
  EXPECT_EQ(FindFactor("", &srs, 0.15), 35785831);
  EXPECT_EQ(FindFactor("m", &srs), 1);
  EXPECT_EQ(FindFactor("km", &srs), 1000);
  EXPECT_TRUE(FindAxisUnitFactor("m", 0.15, &srs)->contradicts_unit);
  EXPECT_FALSE(FindAxisUnitFactor("rad", 0.15, &srs)->contradicts_unit);
}

}  // namespace
}  // namespace gdal_zarr
