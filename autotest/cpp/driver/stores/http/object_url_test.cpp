// SPDX-License-Identifier: MIT
#include "driver/stores/http/object_url.h"

#include <cpl_conv.h>
#include <gtest/gtest.h>

#include <initializer_list>
#include <memory>
#include <utility>
#include <vector>

#include "driver/gdal/gdal_error.h"

namespace gdal_zarr {
namespace {

/// Sets configuration options of the thread, as long as it lives.
class Options {
 public:
  Options(std::initializer_list<std::pair<const char*, const char*>> options) {
    for (const auto& [name, value] : options) setters_.emplace_back(new CPLConfigOptionSetter(name, value, false));
  }

 private:
  std::vector<std::unique_ptr<CPLConfigOptionSetter>> setters_;
};

TEST(ObjectUrl, PathsOnTheWebAreKnownByTheirBeginning) {
  for (const char* path :
       {"/vsicurl/http://host/a", "/vsicurl/https://host/a", "/vsis3/b/a", "/vsigs/b/a", "/vsiaz/b/a"})
    EXPECT_TRUE(IsWebPath(path)) << path;
  for (const char* path :
       {"/vsicurl/ftp://host/a", "/vsicurl?url=http%3A%2F%2Fhost", "/vsicurl_streaming/http://host/a",
        "/vsizip//vsis3/b/a.zip", "/vsioss/b/a", "/vsimem/a", "/home/a", "http://host/a"})
    EXPECT_FALSE(IsWebPath(path)) << path;
}

TEST(ObjectUrl, KeysAreEscaped) {
  EXPECT_EQ(EscapeKey("a/c/0.0"), "a/c/0.0");
  EXPECT_EQ(EscapeKey("a b/?#+"), "a%20b/%3F%23%2B");
  EXPECT_EQ(EscapeKey("\xC3\xA4"), "%C3%A4");
  EXPECT_EQ(EscapeKey("100%/50%25"), "100%25/50%2525");
  EXPECT_EQ(EscapeKey("100%/50%25 ", KeyForm::kOfUrl), "100%25/50%25%20");
}

TEST(ObjectUrl, CodesAreDecoded) {
  EXPECT_EQ(DecodeUrl("a%20b%2fc+%C3%a4%"), "a b/c+\xC3\xA4%");
  EXPECT_EQ(DecodeUrl("%2520%2%zz%0"), "%20%2%zz%0");
}

TEST(ObjectUrl, PathsOfGdalHaveWhatItTakesForUrls) {
  EXPECT_EQ(MakeValuePath("/vsicurl/http://host/a%20b", "c#/%20", KeyForm::kPlain),
            "/vsicurl/http://host/a%20b/c%23/%2520");
  EXPECT_EQ(MakeValuePath("/vsicurl/http://host", "c#%20", KeyForm::kOfUrl), "/vsicurl/http://host/c%23%20");
  EXPECT_EQ(MakeValuePath("/vsicurl?url=http://host", "R&D#%20"), "/vsicurl?url=http://host/R%26D%2523%252520");
  EXPECT_EQ(MakeValuePath("/vsicurl?url=http://host", "c%2520", KeyForm::kOfUrl), "/vsicurl?url=http://host/c%2520");
  EXPECT_EQ(MakeValuePath("/vsis3/bucket/", "c#%20"), "/vsis3/bucket/c#%20");
}

TEST(ObjectUrl, TheQueryOfAUrlStaysAtItsEnd) {
  EXPECT_EQ(MakeValueUrl("/vsicurl/https://host/a b.zarr", "t x/zarr.json", "?token=1"),
            "https://host/a%20b.zarr/t%20x/zarr.json?token=1");
}

TEST(ObjectUrl, EachSpaceOfAUrlIsEscapedAndNothingElse) {
  EXPECT_EQ(MakeValueUrl("/vsicurl/http://host/ a  b ?x%20+", "k", ""), "http://host/%20a%20%20b%20?x%20+/k");
}

TEST(ObjectUrl, ObjectsOfS3HaveSignedUrls) {
  const Options options{{"AWS_ACCESS_KEY_ID", "id"},      {"AWS_SECRET_ACCESS_KEY", "secret"},
                        {"AWS_S3_ENDPOINT", "host:9000"}, {"AWS_HTTPS", "NO"},
                        {"AWS_VIRTUAL_HOSTING", "FALSE"}, {"AWS_REGION", "eu-west-1"}};
  const auto url = MakeValueUrl("/vsis3/bucket/a b.zarr", "c/0", "");
  ASSERT_TRUE(url);
  EXPECT_TRUE(url->starts_with("http://host:9000/bucket/a%20b.zarr/c/0?")) << *url;
  EXPECT_NE(url->find("X-Amz-Signature="), url->npos);
  EXPECT_NE(url->find("eu-west-1"), url->npos);
}

TEST(ObjectUrl, SignedUrlsHaveEscapedKeys) {
  const Options options{{"AWS_ACCESS_KEY_ID", "id"},
                        {"AWS_SECRET_ACCESS_KEY", "secret"},
                        {"AWS_REGION", "eu-west-1"},
                        {"GS_ACCESS_KEY_ID", "id"},
                        {"GS_SECRET_ACCESS_KEY", "secret"},
                        {"AZURE_STORAGE_ACCOUNT", "account"},
                        {"AZURE_STORAGE_ACCESS_KEY", "c2VjcmV0"}};
  for (const char* bucket : {"/vsis3/bucket", "/vsigs/bucket", "/vsiaz/bucket"}) {
    const auto url = MakeValueUrl(bucket, "a%20b/c#d?e", "");
    ASSERT_TRUE(url) << bucket;
    EXPECT_NE(url->find("/a%2520b/c%23d%3Fe?"), url->npos) << *url;
  }
}

TEST(ObjectUrl, PublicObjectsNeedNoSignature) {
  const Options options{{"AWS_NO_SIGN_REQUEST", "YES"}, {"GS_NO_SIGN_REQUEST", "YES"}};
  // Newer versions of GDAL name the region.
  const auto url = MakeValueUrl("/vsis3/bucket/a.zarr", "c/0", "");
  EXPECT_TRUE(url == "https://bucket.s3.amazonaws.com/a.zarr/c/0" ||
              url == "https://bucket.s3.us-east-1.amazonaws.com/a.zarr/c/0")
      << url.value_or("none");
  EXPECT_EQ(MakeValueUrl("/vsigs/bucket/a%20.zarr", "c/ 0", "", KeyForm::kOfUrl),
            "https://storage.googleapis.com/bucket/a%2520.zarr/c/%200");
}

TEST(ObjectUrl, RequestsThatNeedHeadersAreLeftToGdal) {
  const Options options{{"AWS_ACCESS_KEY_ID", "id"},
                        {"AWS_SECRET_ACCESS_KEY", "secret"},
                        {"AWS_REQUEST_PAYER", "requester"},
                        {"GS_NO_SIGN_REQUEST", "YES"},
                        {"GS_USER_PROJECT", "project"}};
  const ErrorCollector quiet;
  EXPECT_FALSE(MakeValueUrl("/vsis3/bucket/a.zarr", "c/0", ""));
  EXPECT_FALSE(MakeValueUrl("/vsigs/bucket/a.zarr", "c/0", ""));
}

TEST(ObjectUrl, AWrongRegionIsLeftToGdal) {
  EXPECT_TRUE(MayBeElsewhere("/vsis3/b/a", 301, ""));
  EXPECT_TRUE(MayBeElsewhere("/vsis3/b/a", 400, "<Code>AuthorizationQueryParametersError</Code>"));
  EXPECT_FALSE(MayBeElsewhere("/vsis3/b/a", 403, "<Code>AccessDenied</Code>"));
  EXPECT_FALSE(MayBeElsewhere("/vsicurl/http://host/a", 301, ""));
}

TEST(ObjectUrl, MessagesHideSecrets) {
  EXPECT_EQ(HidePrivateParts("https://me:secret@host/a@b/c?token=1"), "https://host/a@b/c");
  EXPECT_EQ(HidePrivateParts("https://host/a"), "https://host/a");
}

}  // namespace
}  // namespace gdal_zarr
