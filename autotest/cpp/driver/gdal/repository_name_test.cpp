// SPDX-License-Identifier: MIT
#include "driver/gdal/repository_name.h"

#include <gtest/gtest.h>

#include "driver/gdal/dataset_name.h"
#include "zarrlib/base/error.h"

namespace gdal_zarr {
namespace {

TEST(RepositoryName, HasSelectorsAtItsEnd) {
  const RepositoryName name = ParseRepositoryName("/vsiicechunk/{/a/b?tag=v1%262&ignore-timestamp-etag=yes}");
  EXPECT_EQ(name.path, "/a/b");
  EXPECT_EQ(name.version.tag, "v1&2");
  EXPECT_TRUE(name.ignore_timestamp_etag);
  EXPECT_EQ(ParseRepositoryName("/vsiicechunk/{/a/b}").path, "/a/b");
  EXPECT_EQ(MakeSelector("tag", "v1&2?"), "tag=v1%262%3F");
}

TEST(RepositoryName, KeepsTheQueryOfAUrl) {
  const auto parts = SplitSelectors("/vsicurl/https://host/a?token=1&branch=x");
  ASSERT_TRUE(parts);
  EXPECT_EQ(parts->path, "/vsicurl/https://host/a?token=1");
  EXPECT_EQ(parts->selectors, "branch=x");
  EXPECT_EQ(MakeRepositoryName(parts->path, parts->selectors),
            "/vsiicechunk/{/vsicurl/https://host/a?token=1&branch=x}");
  EXPECT_EQ(ParseRepositoryName(MakeRepositoryName(parts->path, parts->selectors)).path, parts->path);
}

TEST(RepositoryName, IsNoOtherName) {
  for (const char* name :
       {"/a/b", "/a/b?x=1", "/a?tag", "/a/b?tag=1&x=2", "?tag=1", "/vsicurl/https://host/a?token=1"}) {
    EXPECT_FALSE(SplitSelectors(name)) << name;
  }
}

TEST(RepositoryName, IsThatOfAStore) {
  const auto get_store = [](const char* name) { return ParseDatasetName(name).store; };
  EXPECT_EQ(get_store("/none/b?tag=x"), "/vsiicechunk/{/none/b?tag=x}");
  EXPECT_EQ(get_store("/none/b/?tag=x"), "/vsiicechunk/{/none/b?tag=x}");
  EXPECT_EQ(get_store("ICECHUNK:/none/b"), "/vsiicechunk/{/none/b}");
  EXPECT_EQ(get_store("ZARR:\"/none/b?branch=x\":/array"), "/vsiicechunk/{/none/b?branch=x}");
  EXPECT_EQ(get_store("/none/b?as-of=2026-05-01T12:00:00Z"), "/vsiicechunk/{/none/b?as-of=2026-05-01T12:00:00Z}");
  EXPECT_EQ(get_store("ICECHUNK:/none/a.zip?tag=x"), "/vsiicechunk/{/vsizip//none/a.zip?tag=x}");
  EXPECT_EQ(GetBaseName("/vsiicechunk/{/none/b.icechunk?tag=v1.0}"), "b");
  EXPECT_EQ(AddSelectors("/vsiicechunk/{/none/b?tag=x}", "branch=y"), "/vsiicechunk/{/none/b?tag=x&branch=y}");
}

TEST(RepositoryName, SelectsOneSnapshot) {
  for (const char* selectors : {"tag=a&branch=b", "tag=a&tag=b", "snapshot=a&as-of=2026-01-01", "tag=", "as-of=x",
                                "as-of=2026-01-01&as-of=2026-01-02", "ignore-timestamp-etag=x"}) {
    EXPECT_THROW(ParseRepositoryName(MakeRepositoryName("/a", selectors)), zarr::Error) << selectors;
  }
  for (const char* name : {"/vsiicechunk/", "/vsiicechunk/{}", "/vsiicechunk/a", "/vsiicechunk/{a}/b"}) {
    EXPECT_THROW(ParseRepositoryName(name), zarr::Error) << name;
  }
}

}  // namespace
}  // namespace gdal_zarr
