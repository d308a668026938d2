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
  for (const char* unit : {"", "degrees", "ft", "mm", "m s-1", " m"}) EXPECT_EQ(GetMetresOfUnit(unit), 0) << unit;
}

TEST(AxisUnit, IsOneWhereNothingIsKnown) {
  const OGRSpatialReference utm = Srs("EPSG:32632");
  const OGRSpatialReference geographic = Srs("EPSG:4326");
  EXPECT_EQ(ReadAxisUnitFactor("km", nullptr), 1);
  EXPECT_EQ(ReadAxisUnitFactor("km", &geographic), 1);
  EXPECT_EQ(ReadAxisUnitFactor("", &utm), 1);
  EXPECT_EQ(ReadAxisUnitFactor("furlong", &utm), 1);
  EXPECT_EQ(ReadAxisUnitFactor("radian", &utm), 1);
}

TEST(AxisUnit, IsTheLengthInUnitsOfTheSrs) {
  const OGRSpatialReference utm = Srs("EPSG:32632");
  EXPECT_EQ(ReadAxisUnitFactor("m", &utm), 1);
  EXPECT_EQ(ReadAxisUnitFactor("km", &utm), 1000);
  const OGRSpatialReference in_kilometres = Srs("+proj=utm +zone=32 +datum=WGS84 +units=km +type=crs");
  EXPECT_EQ(ReadAxisUnitFactor("km", &in_kilometres), 1);
  EXPECT_DOUBLE_EQ(ReadAxisUnitFactor("m", &in_kilometres), 0.001);
  const OGRSpatialReference in_feet = Srs("+proj=utm +zone=32 +datum=WGS84 +units=ft +type=crs");
  EXPECT_NEAR(ReadAxisUnitFactor("m", &in_feet), 1 / 0.3048, 1e-9);
}

TEST(AxisUnit, IsTheHeightOfTheSatelliteForRadians) {
  const OGRSpatialReference srs = Srs("+proj=geos +lon_0=0 +h=35785831 +datum=WGS84 +units=m +type=crs");
  for (const char* unit : {"rad", "radian", "Radians"}) EXPECT_EQ(ReadAxisUnitFactor(unit, &srs), 35785831) << unit;
  EXPECT_EQ(ReadAxisUnitFactor("m", &srs), 1);
  EXPECT_EQ(ReadAxisUnitFactor("km", &srs), 1000);
}

}  // namespace
}  // namespace gdal_zarr
