// SPDX-License-Identifier: MIT
#include "driver/stores/icechunk/container_settings.h"

#include <gtest/gtest.h>

#include <cpl_conv.h>

#include <string>

#include "zarrlib/base/error.h"

namespace gdal_zarr {
namespace {

zarr::Container MakePublic(const std::string& url, const std::string& kind) {
  zarr::Container container{"", url, kind};
  container.is_anonymous = true;
  return container;
}

TEST(ContainedPath, OfAPublicBucketIsAUrl) {
  zarr::Container s3 = MakePublic("s3://bucket/", "s3");
  EXPECT_EQ(MakeContainedPath(s3, "/vsis3/bucket/a b", "s3://bucket/a%20b"),
            "/vsicurl/https://bucket.s3.amazonaws.com/a%20b");
  s3.region = "eu-west-1";
  EXPECT_EQ(MakeContainedPath(s3, "/vsis3/bucket/a/b", "s3://bucket/a/b"),
            "/vsicurl/https://bucket.s3.eu-west-1.amazonaws.com/a/b");
  EXPECT_EQ(MakeContainedPath(s3, "/vsis3/b.c/a", "s3://b.c/a"), "/vsicurl/https://s3.eu-west-1.amazonaws.com/b.c/a");
  s3.endpoint = "http://localhost:9000/";
  EXPECT_EQ(MakeContainedPath(s3, "/vsis3/bucket/a", "s3://bucket/a"), "/vsicurl/http://bucket.localhost:9000/a");
  s3.has_path_style = true;
  EXPECT_EQ(MakeContainedPath(s3, "/vsis3/bucket/a", "s3://bucket/a"), "/vsicurl/http://localhost:9000/bucket/a");
  EXPECT_EQ(MakeContainedPath(MakePublic("gs://bucket/", "gcs"), "/vsigs/bucket/a", "gs://bucket/a"),
            "/vsicurl/https://storage.googleapis.com/bucket/a");
  zarr::Container azure = MakePublic("az://c/", "azure");
  EXPECT_EQ(MakeContainedPath(azure, "/vsiaz/c/a", "az://c/a"), "/vsiaz/c/a");
  azure.account = "me";
  EXPECT_EQ(MakeContainedPath(azure, "/vsiaz/c/a", "az://c/a"), "/vsicurl/https://me.blob.core.windows.net/c/a");
}

TEST(ContainedPath, OfOthersIsThatOfGdal) {
  zarr::Container s3{"", "s3://bucket/", "s3"};
  s3.endpoint = "http://elsewhere";
  EXPECT_EQ(MakeContainedPath(s3, "/vsis3/bucket/a", "s3://bucket/a"), "/vsis3/bucket/a");
  const zarr::Container file = MakePublic("file:///data/", "local_file_system");
  EXPECT_EQ(MakeContainedPath(file, "/data/a", "file:///data/a"), "/data/a");
}

TEST(ContainedPath, DoesNotLeadToLocalFiles) {
  zarr::Container s3 = MakePublic("s3://etc/", "s3_compatible");
  s3.has_path_style = true;
  for (const char* const endpoint : {"file://", "file:///", "ftp://host", "/vsizip/", "dict://localhost:1"}) {
    s3.endpoint = endpoint;
    EXPECT_EQ(MakeContainedPath(s3, "/vsis3/etc/passwd", "s3://etc/passwd"), "/vsis3/etc/passwd") << endpoint;
  }
}

TEST(ContainedPath, IsWhereTheUserSays) {
  const zarr::Container s3 = MakePublic("s3://bucket/", "s3");
  for (const char* const option : {"AWS_S3_ENDPOINT", "AWS_NO_SIGN_REQUEST"}) {
    const CPLConfigOptionSetter set(option, "YES", false);
    EXPECT_EQ(MakeContainedPath(s3, "/vsis3/bucket/a", "s3://bucket/a"), "/vsis3/bucket/a");
  }
  const CPLConfigOptionSetter of_another_store("GS_NO_SIGN_REQUEST", "YES", false);
  EXPECT_NE(MakeContainedPath(s3, "/vsis3/bucket/a", "s3://bucket/a"), "/vsis3/bucket/a");
}

TEST(MakeContainer, TellsTheSettingsThatAreNotSecret) {
  const CPLConfigOptionSetter key("AWS_SECRET_ACCESS_KEY", "secret", false);
  const CPLConfigOptionSetter region("AWS_REGION", "eu-west-1", false);
  const CPLConfigOptionSetter endpoint("AWS_S3_ENDPOINT", "host:1", false);
  const CPLConfigOptionSetter http("AWS_HTTPS", "NO", false);
  const CPLConfigOptionSetter hosting("AWS_VIRTUAL_HOSTING", "FALSE", false);
  const zarr::Container s3 = MakeContainer("/vsis3/bucket/a/b", "s3://bucket/a/b");
  EXPECT_EQ(s3.url, "s3://bucket/");
  EXPECT_EQ(s3.kind, "s3_compatible");
  EXPECT_EQ(s3.region, "eu-west-1");
  EXPECT_EQ(s3.endpoint, "http://host:1");
  EXPECT_TRUE(s3.has_path_style);
  EXPECT_FALSE(s3.is_anonymous);
  EXPECT_FALSE(s3.requester_pays);
}

TEST(MakeContainer, IsTheFolderTheBucketOrTheServer) {
  EXPECT_EQ(MakeContainer("/data/x y/z", "file:///data/x%20y/z").url, "file:///data/");
  EXPECT_EQ(MakeContainer("/data/x/z", "file:///data/x/z").url, "file:///data/x/");
  EXPECT_EQ(MakeContainer("/vsicurl/http://h:1/a/b", "http://h:1/a/b").url, "http://h:1/");
  EXPECT_EQ(MakeContainer("/vsigs/bucket/a", "gs://bucket/a").kind, "gcs");
  EXPECT_EQ(MakeContainer("/vsiaz/c/a", "az://c/a").kind, "azure");
  EXPECT_THROW(MakeContainer("/vsimem/a", "/vsimem/a"), zarr::Error);
  EXPECT_THROW(MakeContainer("/vsioss/b/a", "oss://b/a"), zarr::Error);
}

}  // namespace
}  // namespace gdal_zarr
