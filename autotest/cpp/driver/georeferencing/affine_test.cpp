// SPDX-License-Identifier: MIT
#include "driver/georeferencing/affine.h"

#include <gtest/gtest.h>

#include "autotest/cpp/support/test_util.h"

namespace gdal_zarr {
namespace {

using zarr::test::ExpectError;
using zarr::test::Json;

TEST(Affine, IsReadInTheOrderOfMatrices) {
  // x = 10 * column + 1 * row + 500, y = 2 * column - 20 * row + 900.
  EXPECT_EQ(ReadAffine(Json("[10, 1, 500, 2, -20, 900]")), (GeoTransform{500, 10, 1, 900, 2, -20}));
  EXPECT_EQ(ReadAffineOrMatrix(Json("[10, 1, 500, 2, -20, 900]")), (GeoTransform{500, 10, 1, 900, 2, -20}));
  EXPECT_EQ(ReadAffineOrMatrix(Json("[10, 1, 500, 2, -20, 900, 0, 0, 1]")), (GeoTransform{500, 10, 1, 900, 2, -20}));
}

TEST(Affine, MustBeInvertible) {
  for (const char* text : {"[0, 0, 5, 0, 1, 5]", "[1, 2, 0, 2, 4, 0]", "[0, 0, 0, 0, 0, 0]"}) {
    ExpectError([&] { ReadAffine(Json(text)); }, zarr::ErrorKind::kCorrupt, "", "inverted");
  }
  ExpectError([] { ReadAffineOrMatrix(Json("[1, 2, 0, 2, 4, 0, 0, 0, 1]")); }, zarr::ErrorKind::kCorrupt, "",
              "inverted");
  EXPECT_EQ(ReadAffine(Json("[0, 1, 0, 1, 0, 0]")), (GeoTransform{0, 0, 1, 0, 1, 0})) << "columns go north";
}

TEST(Affine, MustBeAListOfNumbers) {
  for (const char* text :
       {"[]", "[1, 0, 0, 0, 1]", "[1, 0, 0, 0, 1, 0, 0]", "{}", "1", "\"1 0 0 0 1\"", "[1, 0, \"a\", 0, 1, 0]"}) {
    ExpectError([&] { ReadAffine(Json(text)); }, zarr::ErrorKind::kCorrupt, "", "a list of 6 numbers");
  }
  ExpectError([] { ReadAffine(Json("[1, 0, \"nan\", 0, 1, 0]")); }, zarr::ErrorKind::kCorrupt, "/2", "a finite number");
  ExpectError([] { ReadAffine(Json("[1, 0, 0, 0, 1, 0, 0, 0, 1]")); }, zarr::ErrorKind::kCorrupt, "", "6 numbers");
  for (const char* text :
       {"[1, 0, 0, 0, 1, 0, 1, 0, 1]", "[1, 0, 0, 0, 1, 0, 0, 1, 1]", "[1, 0, 0, 0, 1, 0, 0, 0, 2]"}) {
    ExpectError([&] { ReadAffineOrMatrix(Json(text)); }, zarr::ErrorKind::kCorrupt, "", "0, 0, 1");
  }
}

TEST(Affine, TakesNumbersWrittenAsText) {
  for (const char* text :
       {"\"1 0 5 0 -1 7\"", "\"1,0,5,0,-1,7\"", "[1, \"0\", 5, 0, \"-1\", \"7\"]", "\"[1, 0, 5, 0, -1, 7]\""}) {
    EXPECT_EQ(ReadAffine(Json(text)), (GeoTransform{5, 1, 0, 7, 0, -1})) << text;
  }
}

TEST(Affine, IsReadFromABox) {
  EXPECT_EQ(ReadBox(Json("[10, 20, 50, 80]"), 4, 6, false), (GeoTransform{10, 10, 0, 80, 0, -10}));
  EXPECT_EQ(ReadBox(Json("[10, 20, 50, 80]"), 5, 7, true), (GeoTransform{10, 10, 0, 80, 0, -10}));
  EXPECT_EQ(ReadBox(Json("[10, 20, 50, 80]"), 1, 1, false), (GeoTransform{10, 40, 0, 80, 0, -60}));
  EXPECT_EQ(ReadBox(Json("[10, 20, 50, 80]"), 1, 7, true), std::nullopt);
  EXPECT_EQ(ReadBox(Json("[10, 20, 50, 80]"), 5, 1, true), std::nullopt);
  EXPECT_EQ(ReadBox(Json("[10, 20, 50, 80]"), 0, 7, false), std::nullopt);
  ExpectError([] { ReadBox(Json("[10, 20, 50]"), 4, 6, false); }, zarr::ErrorKind::kCorrupt, "", "4 numbers");
}

TEST(Affine, GoesFromCentresToCornersAndBack) {
  const GeoTransform centres = {100, 10, 2, 200, 4, -20};
  // The corner of the first pixel is half a column and half a row before its centre.
  EXPECT_EQ(ToCorners(centres), (GeoTransform{94, 10, 2, 208, 4, -20}));
  EXPECT_EQ(ToCentres(ToCorners(centres)), centres);
}

TEST(Affine, IsThatOfALevel) {
  const GeoTransform base = {100, 10, 2, 200, 4, -20};
  EXPECT_EQ(ComputeLevelTransform(base, {1, 0}, {1, 0}), base);
  EXPECT_EQ(ComputeLevelTransform(base, {2, 0}, {4, 0}), (GeoTransform{100, 20, 8, 200, 8, -80}));
  EXPECT_EQ(ComputeLevelTransform(base, {2, 3}, {1, -1}), (GeoTransform{128, 20, 2, 232, 8, -20}));
}

}  // namespace
}  // namespace gdal_zarr
