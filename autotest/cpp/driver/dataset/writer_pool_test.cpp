// SPDX-License-Identifier: MIT
#include "driver/dataset/writer_pool.h"

#include <gdal.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "autotest/cpp/support/array_test_util.h"
#include "autotest/cpp/support/fault_store.h"

namespace gdal_zarr {
namespace {

using zarr::test::FaultStore;

constexpr std::uint64_t kChunk = 1u << 20;

/// Writes every second element of chunks of 4 MiB, so that they wait. 16 MiB may.
class WriterPoolTest : public testing::Test {
 protected:
  void SetUp() override { GDALSetCacheMax64(GIntBig{16} << 20); }
  void TearDown() override { GDALSetCacheMax64(cache_max_); }

  std::shared_ptr<const zarr::Array> Make(const std::shared_ptr<zarr::Store>& store, const std::string& path) const {
    std::string metadata = zarr::test::Metadata({8 * kChunk}, "[1048576]", zarr::test::kPlain, "3");
    return zarr::Array::Make(store, path, zarr::ParseArrayV3(zarr::test::Json(metadata)));
  }
  void Write(const std::shared_ptr<const zarr::Array>& array, std::uint64_t chunks) {
    const zarr::Selection half{{0}, {chunks * kChunk / 2}, {2}};
    const std::vector<std::int32_t> values(static_cast<std::size_t>(half.count[0]), 1);
    pool_.Write(array, half, {reinterpret_cast<const std::byte*>(values.data()), {4}, nullptr});
  }

  const GIntBig cache_max_ = GDALGetCacheMax64();
  const std::shared_ptr<zarr::test::CountingStore> store_ = std::make_shared<zarr::test::CountingStore>();
  WriterPool pool_;
};

TEST_F(WriterPoolTest, TellsOnceOfAFailureThatNoCallHasTold) {
  const auto failing = std::make_shared<FaultStore>(store_, zarr::test::Fault::kStaysBroken, 1);
  Write(Make(failing, "a"), 2);
  Write(Make(store_, "b"), 3);
  EXPECT_TRUE(failing->happened());
  EXPECT_THROW(pool_.Flush("a"), zarr::Error);
  pool_.Flush("a");
  EXPECT_THROW(pool_.Finish("a"), zarr::Error);
  EXPECT_THROW(pool_.FlushAll(), zarr::Error);
  pool_.Flush("b");
}

TEST_F(WriterPoolTest, FinishesWhatWasWritten) {
  const auto array = Make(store_, "a");
  Write(array, 2);
  pool_.Finish("a");
  pool_.Finish("b");
  EXPECT_EQ(zarr::test::Read(*array, zarr::Selection::FromBox({{0}, {3}})), (std::vector<std::int32_t>{1, 3, 1}));
}

}  // namespace
}  // namespace gdal_zarr
