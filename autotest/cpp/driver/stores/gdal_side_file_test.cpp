// SPDX-License-Identifier: MIT
#include "driver/stores/gdal_side_file.h"

#include <gtest/gtest.h>

#include "autotest/cpp/support/array_test_util.h"

namespace gdal_zarr {
namespace {

using namespace std::string_literals;
using zarr::test::CountingStore;

constexpr std::string_view kPam = "<PAMDataset>\n</PAMDataset>\n";

bool IsSideFile(const std::string& key, std::string_view content) {
  CountingStore store;
  store.SetText(key, content);
  return IsGdalSideFile(store, key);
}

TEST(GdalSideFile, IsOneBesideADocument) {
  for (const char* document : {"zarr.json", ".zarray", ".zgroup", ".zmetadata", "meta", "__zmeta__"}) {
    EXPECT_TRUE(IsSideFile(document + ".aux.xml"s, kPam)) << document;
    EXPECT_TRUE(IsSideFile("a/b/"s + document + ".aux.xml", kPam)) << document;
    EXPECT_TRUE(IsSideFile("a/"s + document + ".name.ovr", "II*\0more"s)) << document;
    EXPECT_TRUE(IsSideFile("a/"s + document + ".name.ovr.aux.xml", kPam)) << document;
  }
  EXPECT_TRUE(IsSideFile("a/pam.aux.xml", kPam));
}

TEST(GdalSideFile, HasTheNameOfOne) {
  for (const char* name :
       {"zarr.json", "zarr.jsonx.aux.xml", "other.aux.xml", "a.zarr.json.aux.xml", "pam.aux.xml.bak",
        "zarr.json.aux.xml.txt", "zarr.json.xml", ".zattrs.aux.xml", "xpam.aux.xml", "c/0.aux.xml"}) {
    EXPECT_FALSE(IsSideFile(name, kPam)) << name;
  }
}

TEST(GdalSideFile, BeginsAsGdalWritesIt) {
  for (const std::string& start : {"II*\0"s, "MM\0*"s, "II+\0"s, "MM\0+"s}) {
    EXPECT_TRUE(IsSideFile("zarr.json.ovr", start));
    EXPECT_FALSE(IsSideFile("zarr.json.aux.xml", start + std::string(100, ' ')));
    EXPECT_FALSE(IsSideFile("zarr.json.ovr", start.substr(0, 3))) << "shorter than that";
  }
  for (const std::string& start : {"CDF\1"s, "CDF\2"s, "CDF\5"s, "\x89HDF\r\n\x1a\n"s}) {
    EXPECT_TRUE(IsSideFile("a/zarr.json.gmac", start + "more")) << start;
    EXPECT_FALSE(IsSideFile("a/zarr.json.ovr", start + "more")) << start;
  }
  for (const std::string& other : {""s, "<PAM"s, "<pamdataset>"s, " <PAMDataset>"s, "{\"my\": \"notes\"}"s}) {
    EXPECT_FALSE(IsSideFile("zarr.json.aux.xml", other)) << other;
    EXPECT_FALSE(IsSideFile("zarr.json.ovr", other)) << other;
  }
  EXPECT_FALSE(IsSideFile("zarr.json.ovr", kPam));
  EXPECT_FALSE(IsSideFile("zarr.json.ovr", "MM*\0"s));
}

TEST(GdalSideFile, IsNoneThatIsAbsent) {
  const CountingStore store;
  EXPECT_FALSE(IsGdalSideFile(store, "zarr.json.aux.xml"));
}

TEST(GdalSideFile, FailsIfItCannotBeRead) {
  CountingStore store;
  store.SetText("zarr.json.aux.xml", kPam);
  store.FailAt("zarr.json.aux.xml");
  zarr::test::ExpectError([&] { IsGdalSideFile(store, "zarr.json.aux.xml"); }, zarr::ErrorKind::kIo, "", "HTTP 500");
}

TEST(GdalSideFile, IsNotReadForAnotherName) {
  CountingStore store;
  store.SetText("notes.txt", kPam);
  EXPECT_FALSE(IsGdalSideFile(store, "notes.txt"));
  EXPECT_EQ(store.TakeReads(), 0);
}

}  // namespace
}  // namespace gdal_zarr
