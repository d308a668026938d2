// SPDX-License-Identifier: MIT
#include "driver/stores/zip_archive_writer.h"

#include <cpl_string.h>
#include <cpl_vsi.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <string>

#include "autotest/cpp/support/conformance/store_conformance.h"
#include "autotest/cpp/support/temporary_folder.h"
#include "driver/stores/vsi/vsi_store.h"

namespace gdal_zarr {
namespace {

std::string MakeArchiveName() {
  return zarr::MakeUniqueName("zarr-zip-") + ".zip";
}

class ZipInMemoryFixture {
 public:
  static constexpr std::string_view kFacets = "";
  zarr::Store& store() { return *store_; }

 private:
  std::shared_ptr<zarr::Store> store_ = MakeZipStore("/vsizip//vsimem/" + MakeArchiveName() + "/a.zarr");
};

class LocalZipFixture {
 public:
  static constexpr std::string_view kFacets = "";
  zarr::Store& store() { return *store_; }

 private:
  std::shared_ptr<zarr::Store> store_ =
      MakeZipStore("/vsizip/" + (std::filesystem::temp_directory_path() / MakeArchiveName()).string());
};

}  // namespace
}  // namespace gdal_zarr

namespace zarr {
INSTANTIATE_TYPED_TEST_SUITE_P(ZipInMemory, StoreConformance, gdal_zarr::ZipInMemoryFixture);
INSTANTIATE_TYPED_TEST_SUITE_P(LocalZip, StoreConformance, gdal_zarr::LocalZipFixture);
}  // namespace zarr

namespace gdal_zarr {
namespace {

void ExpectSplit(std::string_view path, std::string_view archive, std::string_view folder) {
  const auto split = SplitZipPath(path);
  ASSERT_TRUE(split) << path;
  EXPECT_EQ(split->archive, archive) << path;
  EXPECT_EQ(split->folder, folder) << path;
}

TEST(SplitZipPath, FindsTheArchive) {
  ExpectSplit("/vsizip//tmp/a.zip", "/tmp/a.zip", "");
  ExpectSplit("/vsizip//tmp/a.ZIP/in/b.zarr", "/tmp/a.ZIP", "in/b.zarr");
  ExpectSplit("/vsizip/a.zarr.zip", "a.zarr.zip", "");
  ExpectSplit("/vsizip/vsimem/a.zip/b", "/vsimem/a.zip", "b");
  ExpectSplit("/vsizip//vsis3/bucket/a.zip/b", "/vsis3/bucket/a.zip", "b");
  ExpectSplit("/vsizip//tmp/a.zipped/b.zip/c", "/tmp/a.zipped/b.zip", "c");
  ExpectSplit("/vsizip/{/tmp/a.dat}/b.zarr", "/tmp/a.dat", "b.zarr");
  ExpectSplit("/vsizip/{/vsitar/{/tmp/a.tar}/b.zip}", "/vsitar/{/tmp/a.tar}/b.zip", "");
  EXPECT_FALSE(SplitZipPath("/tmp/a.zip"));
  EXPECT_FALSE(SplitZipPath("/vsimem/a.zip/b"));
}

TEST(SplitZipPath, RefusesWhatNamesNoArchive) {
  for (const std::string path : {"/vsizip//tmp/a.dat/b", "/vsizip/", "/vsizip/{/tmp/a.zip"}) {
    zarr::ExpectError(zarr::ErrorKind::kInvalidArgument, [&] { SplitZipPath(path); });
  }
}

TEST(NewZip, WhatWasFinishedIsReadFromTheArchive) {
  const std::string archive = "/vsimem/" + MakeArchiveName();
  const auto store = MakeZipStore("/vsizip/" + archive + "/a.zarr");
  store->Set("zarr.json", zarr::AsBytes("{}"));
  store->Set("zarr.json", zarr::AsBytes("[]"));
  store->Set("c/0", zarr::AsBytes("old"));
  store->Set("c/0", zarr::AsBytes("new"));
  store->Finish();
  const VsiStore read("/vsizip/" + archive + "/a.zarr");
  EXPECT_EQ(read.GetText("zarr.json"), "[]");
  EXPECT_EQ(read.GetText("c/0"), "new");
  EXPECT_EQ(read.List("")->keys, std::vector<std::string>{"zarr.json"});
  zarr::ExpectError(zarr::ErrorKind::kInvalidArgument, [&] { MakeZipStore("/vsizip/" + archive + "/b.zarr"); });
  VSIUnlink(archive.c_str());
}

TEST(NewZip, WithoutFinishNothingIsLeft) {
  const std::string folder = "/vsimem/" + MakeArchiveName();
  auto store = MakeZipStore("/vsizip/" + folder + ".folder/a.zip");
  store->Set("c/0", zarr::AsBytes("value"));
  EXPECT_EQ(CPLStringList(VSIReadDir((folder + ".folder").c_str())).size(), 1);
  store.reset();
  EXPECT_EQ(CPLStringList(VSIReadDir((folder + ".folder").c_str())).size(), 0);
}

}  // namespace
}  // namespace gdal_zarr
