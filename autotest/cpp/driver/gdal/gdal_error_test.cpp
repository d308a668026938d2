// SPDX-License-Identifier: MIT
#include "driver/gdal/gdal_error.h"

#include <gtest/gtest.h>

#include <new>
#include <string>

#include "autotest/cpp/support/failing_allocations.h"

namespace gdal_zarr {
namespace {

/// A function of GDAL's interface, which lets no exception pass.
int AskGuarded() {
  return Guard(-1, []() -> int { throw zarr::Error(zarr::ErrorKind::kIo, "a fault"); });
}

TEST(GdalError, AGuardReports) {
  const ErrorCollector errors;
  EXPECT_EQ(AskGuarded(), -1);
  EXPECT_TRUE(errors.failed());
  EXPECT_EQ(errors.GetText(), "a fault");
}

TEST(GdalError, AGuardedFunctionThatTheDriverCallsThrowsInstead) {
  const ErrorCollector errors;
  EXPECT_THROW(CallThrough([] { return AskGuarded(); }), zarr::Error);
  EXPECT_FALSE(errors.failed());
  EXPECT_EQ(CallThrough([] { return 5; }), 5);
  EXPECT_EQ(AskGuarded(), -1);
  EXPECT_TRUE(errors.failed());
}

TEST(GdalError, TheInnermostCallThrows) {
  const ErrorCollector errors;
  const auto tolerate = [] {
    try {
      return CallThrough([] { return AskGuarded(); });
    } catch (const zarr::Error&) {
      return 7;
    }
  };
  EXPECT_EQ(CallThrough(tolerate), 7);
}

TEST(GdalError, AnExceptionOfAnyKindIsCarried) {
  const auto guarded = [] { return Guard(-1, []() -> int { throw std::bad_alloc(); }); };
  EXPECT_THROW(CallThrough(guarded), std::bad_alloc);
}

TEST(GdalError, ACollectorNeedsNoMemory) {
  const std::string message(200, 'x');
  CPLErrorSetState(CE_Failure, CPLE_AppDefined, message.c_str());
  { const ErrorCollector errors; }
  EXPECT_EQ(CPLGetLastErrorMsg(), message);
  EXPECT_TRUE(zarr::test::SucceedsWithin(0, [] {
    const ErrorCollector errors;
    CPLError(CE_Failure, CPLE_FileIO, "a fault that takes more than the few bytes that a string has");
    EXPECT_TRUE(errors.failed());
  }));
  EXPECT_EQ(CPLGetLastErrorNo(), CPLE_AppDefined);
}

}  // namespace
}  // namespace gdal_zarr
