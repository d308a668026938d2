// SPDX-License-Identifier: MIT
#include "driver/dataset/parts/pam_entries.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <memory>
#include <string>

#include "autotest/cpp/support/array_test_util.h"
#include "autotest/cpp/support/temporary_folder.h"
#include "driver/dataset/shared_resource.h"
#include "zarrlib/store/filesystem_store.h"

namespace gdal_zarr {
namespace {

/// What GDAL has saved about the arrays /a and /g/a of a store: statistics and a CRS.
class PamEntriesTest : public testing::Test {
 protected:
  PamEntriesTest() {
    CPLSetConfigOption("GDAL_PAM_ENABLED", "YES");
    const auto hierarchy = zarr::EditableHierarchy::Create(MakeStore(), zarr::ZarrFormat::kV3);
    hierarchy->CreateGroup("g");
    for (const char* path : {"a", "g/a"}) {
      hierarchy->CreateArray(
          path, zarr::ParseArrayV3(zarr::test::Json(zarr::test::Metadata({4}, "[2]", zarr::test::kPlain))));
    }
    resource_ = std::make_shared<SharedResource>(zarr::EditableHierarchy::Open(MakeStore()), OpenOptions(), true);
    Set("/a", 1);
    Set("/g/a", 2);
  }
  ~PamEntriesTest() override {
    resource_.reset();
    CPLSetConfigOption("GDAL_PAM_ENABLED", nullptr);
  }

  std::shared_ptr<zarr::Store> MakeStore() const {
    return std::make_shared<zarr::FilesystemStore>(folder_.path().string());
  }
  void Set(const std::string& array, std::uint64_t count) {
    OGRSpatialReference srs;
    srs.importFromEPSG(4326);
    PamEntry<GDALPamMultiDim> entry(*resource_->pam(), array);
    entry.SetStatistics({false, 0, 1, 0.5, 0.1, count});
    entry.SetSpatialRef(&srs);
  }
  /// Returns the number of values that statistics are of; 0 if there are neither statistics nor a CRS.
  std::uint64_t Find(const std::string& array) {
    const PamEntry<GDALPamMultiDim> entry(*resource_->pam(), array);
    const auto statistics = entry.FindStatistics();
    EXPECT_EQ(statistics.has_value(), entry.GetSpatialRef() != nullptr) << array;
    return statistics ? statistics->count : 0;
  }

  const zarr::TemporaryFolder folder_;
  std::shared_ptr<SharedResource> resource_;
};

TEST_F(PamEntriesTest, FollowARenamedArray) {
  resource_->RenameNode("a", "b");
  EXPECT_EQ(Find("/a"), 0U);
  EXPECT_EQ(Find("/b"), 1U);
  EXPECT_EQ(Find("/g/a"), 2U);
}

TEST_F(PamEntriesTest, FollowARenamedGroup) {
  resource_->RenameNode("g", "h");
  EXPECT_EQ(Find("/g/a"), 0U);
  EXPECT_EQ(Find("/h/a"), 2U);
  EXPECT_EQ(Find("/a"), 1U);
}

TEST_F(PamEntriesTest, ReplaceThoseThatARemovedArrayHasLeft) {
  PamEntry<GDALPamMultiDim>(*resource_->pam(), "/b").SetStatistics({true, 0, 1, 0.5, 0.1, 7});
  resource_->RenameNode("a", "b");
  EXPECT_EQ(Find("/b"), 1U);
}

TEST_F(PamEntriesTest, AreRemovedWithTheirNode) {
  resource_->DeleteNode("g");
  EXPECT_EQ(Find("/g/a"), 0U);
  EXPECT_EQ(Find("/a"), 1U);
  resource_->DeleteNode("a");
  EXPECT_EQ(Find("/a"), 0U);
}

}  // namespace
}  // namespace gdal_zarr
