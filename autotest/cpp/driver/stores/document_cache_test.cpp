// SPDX-License-Identifier: MIT
#include "driver/stores/document_cache.h"

#include <gtest/gtest.h>

#include <string>

namespace gdal_zarr {
namespace {

CachedDocument MakeDocument(const std::string& text) {
  const auto* begin = reinterpret_cast<const std::byte*>(text.data());
  return {std::make_shared<const CachedDocument::Answer>(zarr::Bytes(begin, begin + text.size())), "\"tag\"", 0, {}};
}

bool IsWhole(const std::string& text) {
  return IsWholeJson({reinterpret_cast<const std::byte*>(text.data()), text.size()});
}

TEST(DocumentCache, FindsTextsThatWereCutOff) {
  const std::string text = R"({"a\"}": [1, {"b": "]"}], "c": {}})";
  EXPECT_TRUE(IsWhole(text));
  EXPECT_TRUE(IsWhole(" " + text + "\n"));
  for (std::size_t length = 0; length < text.size(); ++length) {
    EXPECT_FALSE(IsWhole(text.substr(0, length))) << length;
  }
  EXPECT_FALSE(IsWhole(text + "}"));
  EXPECT_FALSE(IsWhole("}{"));
  EXPECT_FALSE(IsWhole("<html><script>{}</script></html>"));
}

TEST(DocumentCache, KeepsDocumentsAndThatThereIsNone) {
  DocumentCache& cache = DocumentCache::GetShared();
  EXPECT_FALSE(cache.Find("s/zarr.json"));
  cache.Keep("s/zarr.json", MakeDocument("{}"));
  cache.Keep("s/.zgroup", {std::make_shared<const CachedDocument::Answer>(), "", 3, {}});
  ASSERT_TRUE(cache.Find("s/zarr.json"));
  EXPECT_EQ(cache.Find("s/zarr.json")->known_tag, "\"tag\"");
  ASSERT_TRUE(cache.Find("s/.zgroup"));
  EXPECT_FALSE(cache.Find("s/.zgroup")->answer->has_value());
  EXPECT_EQ(cache.Find("s/.zgroup")->writes, 3u);
}

TEST(DocumentCache, ForgetsADocumentInPlaceOfWhichABrokenOneWasSent) {
  DocumentCache& cache = DocumentCache::GetShared();
  cache.Keep("t/zarr.json", MakeDocument("{}"));
  cache.Keep("t/zarr.json", MakeDocument("{"));
  EXPECT_FALSE(cache.Find("t/zarr.json"));
}

TEST(DocumentCache, DropsWhatWasUsedLeastRecently) {
  DocumentCache& cache = DocumentCache::GetShared();
  const std::string large = "[" + std::string(std::size_t{10} << 20, ' ') + "]";
  cache.Keep("first", MakeDocument("{}"));
  cache.Keep("second", MakeDocument("{}"));
  for (int i = 0; i < 20; ++i) {
    EXPECT_TRUE(cache.Find("first"));
    cache.Keep("large" + std::to_string(i), MakeDocument(large));
  }
  EXPECT_TRUE(cache.Find("first"));
  EXPECT_FALSE(cache.Find("second"));
  EXPECT_FALSE(cache.Find("large0"));
  EXPECT_TRUE(cache.Find("large19"));
  cache.Keep("huge", MakeDocument("[" + std::string(std::size_t{17} << 20, ' ') + "]"));
  EXPECT_FALSE(cache.Find("huge"));
}

TEST(DocumentCache, KeepsTheTrailOfAnOpening) {
  DocumentCache& cache = DocumentCache::GetShared();
  EXPECT_TRUE(cache.FindTrail("x").documents.empty());
  cache.SetTrail("x", {{"zarr.json"}, {"x/c/0"}});
  EXPECT_EQ(cache.FindTrail("x").documents, std::vector<std::string>{"zarr.json"});
  EXPECT_EQ(cache.FindTrail("x").values, std::vector<std::string>{"x/c/0"});
}

}  // namespace
}  // namespace gdal_zarr
