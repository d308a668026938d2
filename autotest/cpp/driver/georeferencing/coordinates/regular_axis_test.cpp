// SPDX-License-Identifier: MIT
#include "driver/georeferencing/coordinates/regular_axis.h"

#include <gdal_frmts.h>
#include <gtest/gtest.h>

#include <cmath>
#include <numeric>

namespace gdal_zarr {
namespace {

using Values = std::vector<double>;

/// Arrays in GDAL's memory, which are a dataset's of its own.
class RegularAxisTest : public testing::Test {
 protected:
  RegularAxisTest() {
    GDALRegister_MEM();
    GDALDriver* const driver = GetGDALDriverManager()->GetDriverByName("MEM");
    dataset_.reset(driver->CreateMultiDimensional("", nullptr, nullptr));
    group_ = dataset_->GetRootGroup();
  }

  std::shared_ptr<GDALMDArray> Array(const Values& values, const std::vector<std::size_t>& shape,
                                     GDALDataType type = GDT_Float64) {
    std::vector<std::shared_ptr<GDALDimension>> dimensions;
    std::vector<GUInt64> start;
    std::vector<GPtrDiff_t> strides(shape.size(), 1);
    for (const std::size_t length : shape) {
      dimensions.push_back(group_->CreateDimension(NewName(), "", "", length));
      start.push_back(0);
    }
    for (std::size_t i = shape.size(); i > 1; --i) {
      strides[i - 2] = strides[i - 1] * static_cast<GPtrDiff_t>(shape[i - 1]);
    }
    auto array = group_->CreateMDArray(NewName(), dimensions, GDALExtendedDataType::Create(type));
    EXPECT_TRUE(array->Write(start.data(), shape.data(), nullptr, strides.data(),
                             GDALExtendedDataType::Create(GDT_Float64), values.data()));
    return array;
  }
  std::shared_ptr<GDALMDArray> Centres(const Values& values, GDALDataType type = GDT_Float64) {
    return Array(values, {values.size()}, type);
  }
  std::shared_ptr<GDALMDArray> Longitudes(const Values& values) {
    auto array = Centres(values);
    const auto attribute = array->CreateAttribute("standard_name", {}, GDALExtendedDataType::CreateString());
    EXPECT_TRUE(attribute->Write("longitude"));
    return array;
  }
  std::shared_ptr<GDALMDArray> Bounds(const Values& values) { return Array(values, {values.size() / 2, 2}); }
  std::string NewName() { return "n" + std::to_string(count_++); }

  std::unique_ptr<GDALDataset> dataset_;
  std::shared_ptr<GDALGroup> group_;
  int count_ = 0;
};

void ExpectAxis(const std::optional<RegularAxis>& axis, double first, double step, double tolerance = 1e-12) {
  ASSERT_TRUE(axis);
  EXPECT_NEAR(axis->first, first, tolerance);
  EXPECT_NEAR(axis->step, step, tolerance);
}

TEST_F(RegularAxisTest, HasEdgesHalfwayBetweenCentres) {
  ExpectAxis(ReadPixelEdges(Centres({10, 20, 30}).get(), nullptr), 5, 10);
  ExpectAxis(ReadPixelEdges(Centres({3, 1}).get(), nullptr), 4, -2);
  ExpectAxis(ReadPixelEdges(Centres({10, 20, 30}, GDT_Int32).get(), nullptr), 5, 10);
}

TEST_F(RegularAxisTest, IsNoneOfCentresThatSayNothing) {
  EXPECT_FALSE(ReadPixelEdges(nullptr, nullptr));
  EXPECT_FALSE(ReadPixelEdges(Centres({10}).get(), nullptr));
  EXPECT_FALSE(ReadPixelEdges(Centres({10, 10, 10}).get(), nullptr));
  EXPECT_FALSE(ReadPixelEdges(Centres({10, NAN, 30}).get(), nullptr));
  EXPECT_FALSE(ReadPixelEdges(Centres({0, INFINITY}).get(), nullptr));
  EXPECT_FALSE(ReadPixelEdges(Array({1, 2, 3, 4}, {2, 2}).get(), nullptr)) << "of two dimensions";
}

TEST_F(RegularAxisTest, TakesDifferencesOfAThousandth) {
  ExpectAxis(ReadPixelEdges(Centres({0, 1.0009, 2}).get(), nullptr), -0.5, 1, 1e-3);
  EXPECT_FALSE(ReadPixelEdges(Centres({0, 1.002, 2}).get(), nullptr));
  EXPECT_FALSE(ReadPixelEdges(Centres({0, 1, 2, 4}).get(), nullptr));
  EXPECT_FALSE(ReadPixelEdges(Centres({0, 1, 2, 1}).get(), nullptr));
}

TEST_F(RegularAxisTest, FindsTheNumbersThatWereRounded) {
  Values tenths(3600);
  for (std::size_t i = 0; i < tenths.size(); ++i) tenths[i] = -179.95 + 0.1 * static_cast<double>(i);
  ExpectAxis(ReadPixelEdges(Centres(tenths, GDT_Float32).get(), nullptr), -180, 0.1, 1e-9);
  Values thirds(360);
  for (std::size_t i = 0; i < thirds.size(); ++i) thirds[i] = (static_cast<double>(i) + 0.5) / 3;
  ExpectAxis(ReadPixelEdges(Centres(thirds, GDT_Float32).get(), nullptr), 0, 1.0 / 3, 1e-9);
}

TEST_F(RegularAxisTest, HasTheEdgesThatBoundsTell) {
  ExpectAxis(ReadPixelEdges(nullptr, Bounds({0, 10, 10, 20, 20, 30}).get()), 0, 10);
  ExpectAxis(ReadPixelEdges(nullptr, Bounds({10, 0, 20, 10, 30, 20}).get()), 0, 10);
  ExpectAxis(ReadPixelEdges(nullptr, Bounds({30, 20, 20, 10, 10, 0}).get()), 30, -10);
  ExpectAxis(ReadPixelEdges(nullptr, Bounds({20, 30, 10, 20, 0, 10}).get()), 30, -10);
  ExpectAxis(ReadPixelEdges(nullptr, Bounds({5, 9}).get()), 5, 4);
}

TEST_F(RegularAxisTest, BelievesBoundsMoreThanCentres) {
  // Centres that are no centres: those of cells' western edges.
  ExpectAxis(ReadPixelEdges(Centres({0, 10, 20}).get(), Bounds({0, 10, 10, 20, 20, 30}).get()), 0, 10);
  ExpectAxis(ReadPixelEdges(Centres({5}).get(), Bounds({0, 10}).get()), 0, 10);
  ExpectAxis(ReadPixelEdges(Centres({5, 15}).get(), Bounds({0, 10, 11, 20}).get()), 0, 10);
}

TEST_F(RegularAxisTest, RefusesBoundsWithGaps) {
  EXPECT_FALSE(ReadPixelEdges(nullptr, Bounds({0, 9, 10, 19}).get()));
  EXPECT_FALSE(ReadPixelEdges(nullptr, Bounds({0, 10, 10, 30}).get()));
  EXPECT_FALSE(ReadPixelEdges(nullptr, Array({0, 10, 20}, {3}).get()));
  EXPECT_FALSE(ReadPixelEdges(nullptr, Array({0, 5, 10, 10, 15, 20}, {2, 3}).get()));
}

TEST_F(RegularAxisTest, GoesOnWhereLongitudesJump) {
  ExpectAxis(ReadPixelEdges(Longitudes({170, 180, -170, -160}).get(), nullptr), -195, 10);
  ExpectAxis(ReadPixelEdges(Longitudes({340, 350, 0, 10}).get(), nullptr), -25, 10);
}

TEST_F(RegularAxisTest, GoesOnForLongitudesOnly) {
  EXPECT_FALSE(ReadPixelEdges(Centres({170, 180, -170, -160}).get(), nullptr));
  EXPECT_FALSE(ReadPixelEdges(Longitudes({170, 180, -171, -160}).get(), nullptr));
}

TEST_F(RegularAxisTest, KeepsLongitudesAsTheyAreWithoutAJump) {
  ExpectAxis(ReadPixelEdges(Longitudes({185, 195, 205}).get(), nullptr), 180, 10);
  Values turn(36);
  std::iota(turn.begin(), turn.end(), 0);
  for (double& value : turn) value = 10 * value + 5;
  ExpectAxis(ReadPixelEdges(Longitudes(turn).get(), nullptr), 0, 10);
}

TEST_F(RegularAxisTest, PutsBoundsIntoTheTurnOfTheCentres) {
  ExpectAxis(ReadPixelEdges(Longitudes({-175, -165}).get(), Bounds({180, 190, 190, 200}).get()), -180, 10);
  ExpectAxis(ReadPixelEdges(Longitudes({345, 355, 5}).get(), Bounds({340, 350, 350, 360, 0, 10}).get()), -20, 10);
}

}  // namespace
}  // namespace gdal_zarr
