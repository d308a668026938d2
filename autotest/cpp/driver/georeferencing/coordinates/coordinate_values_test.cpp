// SPDX-License-Identifier: MIT
#include "driver/georeferencing/coordinates/coordinate_values.h"

#include <gdal_frmts.h>
#include <gtest/gtest.h>

#include <limits>
#include <memory>
#include <vector>

namespace gdal_zarr {
namespace {

/// Reads the values of an array in GDAL's memory, and adds turns to them.
std::vector<double> RemoveJumps(const std::vector<double>& values) {
  GDALRegister_MEM();
  GDALDriver* const driver = GetGDALDriverManager()->GetDriverByName("MEM");
  const std::unique_ptr<GDALDataset> dataset(driver->CreateMultiDimensional("", nullptr, nullptr));
  const auto group = dataset->GetRootGroup();
  const auto type = GDALExtendedDataType::Create(GDT_Float64);
  const auto array = group->CreateMDArray("lon", {group->CreateDimension("x", "", "", values.size())}, type);
  const GUInt64 start = 0;
  const std::size_t count = values.size();
  EXPECT_TRUE(array->Write(&start, &count, nullptr, nullptr, type, values.data()));
  const CoordinateValues without = CoordinateValues::Read(*array).WithoutJumps();
  std::vector<double> result;
  for (std::size_t i = 0; i < without.size(); ++i) result.push_back(without[i]);
  return result;
}

TEST(CoordinateValues, LongitudesGetWholeTurns) {
  EXPECT_EQ(RemoveJumps({170, 180, -170, -160}), (std::vector<double>{-190, -180, -170, -160}));
  EXPECT_EQ(RemoveJumps({720, 730, 740}), (std::vector<double>{0, 10, 20}));
}

TEST(CoordinateValues, ValuesThatAreNoLongitudesStay) {
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  const std::vector<std::vector<double>> lists = {{1e12, 1e12 + 1, 1e12 + 2}, {-1e300, -1e300}, {kInfinity}};
  for (const std::vector<double>& values : lists) EXPECT_EQ(RemoveJumps(values), values);
}

}  // namespace
}  // namespace gdal_zarr
