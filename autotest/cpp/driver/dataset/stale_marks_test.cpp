// SPDX-License-Identifier: MIT
#include "driver/dataset/parts/stale_marks.h"

#include <gtest/gtest.h>

#include <memory>

#include "autotest/cpp/support/array_test_util.h"
#include "zarrlib/hierarchy/stale_regions.h"
#include "zarrlib/store/memory_store.h"

namespace gdal_zarr {
namespace {

using Paths = std::vector<std::string>;

class StaleMarksTest : public testing::Test {
 protected:
  StaleMarksTest() {
    for (const char* path : {"a", "b", "c"}) hierarchy_->CreateArray(path, MakeRaster());
  }
  static zarr::ArrayMetadata MakeRaster() {
    zarr::ArrayMetadata array = zarr::test::MakeLineMetadata(zarr::ZarrFormat::kV3, 4);
    array.shape = {4, 4};
    array.chunk_grid = zarr::ChunkGrid::MakeRegular(array.shape, {2, 2});
    array.dimension_names = {"y", "x"};
    return array;
  }
  std::string GetStale(const std::string& path) {
    const auto array = hierarchy_->OpenArray(path);
    return zarr::StaleRegions(array->metadata().attributes, array->rank()).ToText();
  }

  std::shared_ptr<zarr::EditableHierarchy> hierarchy_ =
      zarr::EditableHierarchy::Create(std::make_shared<zarr::MemoryStore>("store"), zarr::ZarrFormat::kV3);
  StaleMarks marks_;
};

TEST_F(StaleMarksTest, NewOverviewsOfAllArraysAreSearchedForOnce) {
  std::vector<Paths> searches;
  const auto find = [&searches](const Paths& paths) {
    searches.push_back(paths);
    return std::set<std::string>{"b"};
  };
  const zarr::Box box{{1, 2}, {2, 1}};
  marks_.SetHasOverviews("c", false);
  for (const char* path : {"a", "b", "a", "c"}) marks_.NoteWithout(path, box, find);
  marks_.Settle(*hierarchy_);
  EXPECT_EQ(searches, (std::vector<Paths>{{"a", "b"}}));
  EXPECT_EQ(GetStale("a"), "");
  EXPECT_EQ(GetStale("b"), "1:3,2:3");
  EXPECT_EQ(GetStale("c"), "");
  EXPECT_EQ(marks_.TakeChanged(), Paths{"b"});
  marks_.Settle(*hierarchy_);
  EXPECT_EQ(searches.size(), 1u);
}

TEST_F(StaleMarksTest, ASearchThatFailsIsRepeated) {
  int searches = 0;
  const auto find = [&searches](const Paths& paths) -> std::set<std::string> {
    if (searches++ == 0) throw zarr::Error(zarr::ErrorKind::kIo, "no answer");
    return {paths.begin(), paths.end()};
  };
  marks_.NoteWithout("a", {{0, 0}, {1, 1}}, find);
  EXPECT_THROW(marks_.Settle(*hierarchy_), zarr::Error);
  marks_.Settle(*hierarchy_);
  EXPECT_EQ(GetStale("a"), "0:1,0:1");
}

}  // namespace
}  // namespace gdal_zarr
