// SPDX-License-Identifier: MIT
#include "driver/cf/degree_units.h"

#include <gtest/gtest.h>

namespace gdal_zarr {
namespace {

TEST(DegreeUnits, AreThoseOfCf) {
  EXPECT_EQ(ListDegreeUnits("east"), (std::array<std::string, 6>{"degrees_east", "degree_east", "degree_E", "degrees_E",
                                                                 "degreeE", "degreesE"}));
  EXPECT_EQ(ListDegreeUnits("north"), (std::array<std::string, 6>{"degrees_north", "degree_north", "degree_N",
                                                                  "degrees_N", "degreeN", "degreesN"}));
}

}  // namespace
}  // namespace gdal_zarr
