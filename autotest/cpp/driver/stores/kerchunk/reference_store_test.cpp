// SPDX-License-Identifier: MIT
#include "driver/stores/kerchunk/reference_store.h"

#include <gtest/gtest.h>

#include <map>
#include <memory>
#include <string>

#include "autotest/cpp/support/conformance/store_conformance.h"
#include "driver/stores/kerchunk/reference_file.h"
#include "driver/stores/kerchunk/reference_name.h"
#include "driver/stores/vsi/vsi_store.h"
#include "zarrlib/base/base64.h"

namespace gdal_zarr {
namespace {

std::string MakeUniqueFolder() {
  static int count = 0;
  return "/vsimem/references-" + std::to_string(count++);
}

std::string EscapeName(std::string_view key) {
  std::string text;
  for (const char c : key) text += (c == '"' || c == '\\' ? "\\" : "") + std::string(1, c);
  return text;
}

/// References whose values are files of their own. They are written again after each change, since references
/// themselves are read-only.
class WritableReferences final : public zarr::Store {
 public:
  explicit WritableReferences(bool is_inline) : Store(MakeUniqueFolder() + "/refs.json"), is_inline_(is_inline) {
    PutReferences();
  }
  ~WritableReferences() override { VSIRmdirRecursive(files_.name().c_str()); }

  zarr::StoreInfo info() const override {
    zarr::StoreInfo result = present()->info();
    result.writes = true;
    return result;
  }
  bool Read(const zarr::ReadRequest& request) const override { return present()->Read(request); }
  std::optional<zarr::Listing> List(std::string_view prefix, const zarr::ListOptions& options = {}) const override {
    return present()->List(prefix, options);
  }
  const zarr::StoreRequests* requests() const override { return present()->requests(); }
  bool Write(std::string_view key, zarr::ByteSpan value, zarr::WriteIf condition) override {
    if (condition == zarr::WriteIf::kAbsent && Exists(key)) return false;
    zarr::CheckKey(key);
    const std::lock_guard lock(mutex_);
    std::string& reference = references_[std::string(key)];
    if (is_inline_) {
      reference = "\"base64:" + zarr::EncodeBase64(value) + "\"";
    } else {
      const std::string file = "value-" + std::to_string(count_++);
      const std::string padded = "before" + std::string(zarr::AsText(value)) + "behind";
      files_.Set(file, zarr::AsBytes(padded));
      reference = "[\"" + file + "\", 6, " + std::to_string(value.size()) + "]";
    }
    PutReferences();
    return true;
  }
  void EraseAll(std::span<const std::string> keys) override {
    const std::lock_guard lock(mutex_);
    for (const std::string& key : keys) {
      if (!zarr::IsFolderKey(key)) references_.erase(key);
    }
    PutReferences();
  }

 private:
  std::shared_ptr<const ReferenceStore> present() const {
    const std::lock_guard lock(store_mutex_);
    return store_;
  }
  void PutReferences() {
    // No two files are equal, so that no two stamps are.
    std::string text = "{\"version\": 1, \"metadata\": " + std::to_string(count_++) + ", \"refs\": {";
    for (const auto& [key, reference] : references_) {
      text += (text.ends_with('{') ? "\"" : ", \"") + EscapeName(key) + "\": " + reference;
    }
    files_.Set("refs.json", zarr::AsBytes(text + "}}"));
    auto store = std::make_shared<const ReferenceStore>(name());
    const std::lock_guard lock(store_mutex_);
    store_ = std::move(store);
  }

  const bool is_inline_;
  VsiStore files_{name().substr(0, name().rfind('/'))};
  std::mutex mutex_;
  int count_ = 0;
  std::map<std::string, std::string> references_;
  mutable std::mutex store_mutex_;
  std::shared_ptr<const ReferenceStore> store_;
};

template <bool is_inline>
class ReferenceFixture {
 public:
  static constexpr std::string_view kFacets = "requests";
  zarr::Store& store() { return store_; }

 private:
  WritableReferences store_{is_inline};
};

}  // namespace
}  // namespace gdal_zarr

namespace zarr {
INSTANTIATE_TYPED_TEST_SUITE_P(References, StoreConformance, gdal_zarr::ReferenceFixture<false>);
INSTANTIATE_TYPED_TEST_SUITE_P(InlineReferences, StoreConformance, gdal_zarr::ReferenceFixture<true>);
}  // namespace zarr

namespace gdal_zarr {
namespace {

ReferenceFile Parse(std::string_view text) {
  return ReferenceFile(zarr::ToBytes(text), "refs.json");
}

std::string GetError(std::string_view text) {
  try {
    Parse(text);
  } catch (const zarr::Error& error) {
    return error.what();
  }
  return "";
}

std::string MakePath(const std::string& file, const std::string& url) {
  try {
    return ReferenceTargets(file).GetPath(url);
  } catch (const zarr::Error& error) {
    return error.message();
  }
}

TEST(ReferenceFile, TellsWhereValuesAre) {
  const ReferenceFile file = Parse(R"({"a/0": ["u", 3, 4], "a/1": ["v"], "b": "x\u0001", "c": {"d": NaN}})");
  EXPECT_EQ(file.size(), 4u);
  EXPECT_EQ(file.Find("a/0")->url, "u");
  EXPECT_EQ(file.Find("a/0")->offset, 3u);
  EXPECT_EQ(file.Find("a/0")->length, 4u);
  EXPECT_EQ(file.Find("a/1")->url, "v");
  EXPECT_EQ(file.Find("a/1")->length, std::nullopt);
  EXPECT_EQ(file.Find("b")->inline_value, "x\1");
  EXPECT_EQ(file.Find("c")->inline_value, R"({"d": NaN})");
  EXPECT_FALSE(file.Find("a"));
  EXPECT_FALSE(file.Find("a/00"));
}

TEST(ReferenceFile, TakesTheLastOfEqualKeys) {
  const ReferenceFile file =
      Parse(R"({"gen": [{"key": "{{i}}", "url": "made", "dimensions": {"i": ["a", "c", "c"]}}], "version": 1,)"
            R"( "refs": {"b": ["1"], "c": ["2"], "b": ["3"], "b\u002fd": ["4"], "a": ["5"], "b/d": ["6"]}})");
  EXPECT_EQ(file.size(), 4u);
  EXPECT_EQ(file.Find("a")->url, "made");
  EXPECT_EQ(file.Find("b")->url, "3");
  EXPECT_EQ(file.Find("b/d")->url, "6");
  EXPECT_EQ(file.Find("c")->url, "made");
}

TEST(ReferenceFile, LeavesOutWhatIsNoKey) {
  const ReferenceFile file = Parse(R"({"../a": "1", "/b": "2", "c//d": "3", "": "4", "e\u0000": "5", "f": "6"})");
  EXPECT_EQ(file.size(), 1u);
  EXPECT_EQ(file.List("").keys, std::vector<std::string>{"f"});
}

TEST(ReferenceFile, KnowsWhetherOtherHostsAreNamed) {
  EXPECT_FALSE(Parse(R"({"a": ["b"], "c": ["file:///d"], "e": ["/vsimem/f"], "g": "s3://h"})").names_hosts());
  EXPECT_TRUE(Parse(R"({"a": ["b"], "c": [ "s3://d/e"]})").names_hosts());
  EXPECT_TRUE(Parse(R"({"a": ["/vsicurl/http://b"]})").names_hosts());
  EXPECT_TRUE(Parse(R"({"version": 1, "templates": {"u": "https://b"}, "refs": {"a": ["{{u}}"]}})").names_hosts());
}

TEST(ReferenceFile, SaysWhatIsWrong) {
  EXPECT_EQ(GetError(R"({"version": "1", "refs": {}})"), "refs.json: /version: expected 1, got \"1\"");
  EXPECT_NE(GetError(R"({"a": [1})").find("refs.json: expected kerchunk references"), std::string::npos);
  EXPECT_NE(GetError(R"({"version": 1, "gen": {}})").find("refs.json: /gen: expected"), std::string::npos);
  EXPECT_NE(GetError(std::string(300, '[')).find("refs.json: expected kerchunk references"), std::string::npos);
  EXPECT_NE(
      GetError(R"({"version": 1, "templates": {"a": ")" + std::string(2000000, 'x') + "\"}}").find("/templates: more"),
      std::string::npos);
}

TEST(ReferenceTargets, AreGdalsPaths) {
  const std::map<std::string, std::string> paths = {
      {"s3://b/k", "/vsis3/b/k"},
      {"gs://b/k", "/vsigs/b/k"},
      {"gcs://b/k", "/vsigs/b/k"},
      {"az://c/k", "/vsiaz/c/k"},
      {"abfs://c/k", "/vsiaz/c/k"},
      {"https://h/k?t=/x", "/vsicurl/https://h/k?t=/x"},
      {"http://h/k", "/vsicurl/http://h/k"},
      {"file:///k", "/k"},
      {"/k", "/k"},
      {"k", "/folder/k"},
      {"../k", "/folder/../k"},
      {"/vsis3/b/k", "/vsis3/b/k"},
  };
  for (const auto& [url, path] : paths) EXPECT_EQ(MakePath("/folder/refs.json", url), path);
  EXPECT_EQ(MakePath("refs.json", "k"), "k");
  EXPECT_EQ(MakePath("/vsis3/b/c/refs.json", "../k"), "/vsis3/b/k");
  EXPECT_EQ(MakePath("/vsicurl/https://h/a/refs.json?token", "k"), "/vsicurl/https://h/a/k?token");
  EXPECT_EQ(MakePath("/vsizip//vsis3/b/x.zip/refs.json", "k"), "/vsizip//vsis3/b/x.zip/k");
}

TEST(ReferenceTargets, OfANetworkAreOnANetwork) {
  for (const std::string file :
       {"/vsis3/b/refs.json", "/vsicurl/https://h/refs.json", "/vsizip//vsis3/b/x.zip/refs.json"}) {
    EXPECT_EQ(MakePath(file, "s3://c/k"), "/vsis3/c/k");
    for (const std::string url :
         {"/etc/passwd", "file:///etc/passwd", "/vsizip//etc/x.zip/k", "/vsimem/k", "/vsistdin/",
          "/vsicurl/file:///etc/passwd", "/vsicurl?url=file:///etc/passwd", "../../../../../../../../../etc/passwd"}) {
      EXPECT_NE(MakePath(file, url).find("references on a network name the local file"), std::string::npos) << url;
    }
  }
  EXPECT_EQ(MakePath("/vsimem/refs.json", "/etc/passwd"), "/etc/passwd");
}

TEST(ReferenceTargets, SplitIntoFolderAndName) {
  const auto split = [](const std::string& path) {
    const FolderAndName place = SplitPath(path);
    return place.folder + " " + place.name;
  };
  EXPECT_EQ(split("/a/b/c"), "/a/b c");
  EXPECT_EQ(split("/a"), "/ a");
  EXPECT_EQ(split("a"), ". a");
  EXPECT_EQ(split("a?b/c"), "a?b c");
  EXPECT_EQ(split("/vsicurl/https://h/a/b?c/d"), "/vsicurl/https://h/a?c/d b");
}

TEST(ReferenceStore, GivesLocations) {
  VsiStore files(MakeUniqueFolder());
  const std::string text =
      R"({"g/a": ["x", 1, 2], "g/b": ["s3://b/k"], "g/c": "base64:QUI=", "g/d": ["x", 18446744073709551615, 1]})";
  files.Set("refs.json", zarr::AsBytes(text));
  const ReferenceStore store("/vsikerchunk_json_ref/{" + files.name() + "/refs.json}/g");
  EXPECT_EQ(store.requests()->Locate("a")->path, files.name() + "/x");
  EXPECT_EQ(store.requests()->Locate("a")->offset, 1u);
  EXPECT_EQ(store.requests()->Locate("a")->length, 2u);
  EXPECT_EQ(store.requests()->Locate("b")->path, "/vsis3/b/k");
  EXPECT_EQ(store.requests()->Locate("b")->length, std::nullopt);
  EXPECT_EQ(store.requests()->Locate("c")->bytes, "AB");
  EXPECT_EQ(store.requests()->Locate("c")->path, "");
  EXPECT_THROW(store.requests()->Locate("d"), zarr::Error);
  EXPECT_FALSE(store.requests()->Locate("e"));
  EXPECT_EQ(store.List("")->keys, (std::vector<std::string>{"a", "b", "c", "d"}));
  EXPECT_EQ(store.info().concurrency, kNetworkConcurrency);
  VSIRmdirRecursive(files.name().c_str());
}

TEST(ReferenceName, OfTheBuiltInDriver) {
  const auto parse = [](std::string_view path) {
    const auto name = ParseReferenceName(path);
    return name ? name->file + " " + name->prefix : "none";
  };
  EXPECT_EQ(parse("/vsikerchunk_json_ref/{/a/r.json}"), "/a/r.json ");
  EXPECT_EQ(parse("/vsikerchunk_json_ref/{/vsizip/{/a.zip}/r}/g/h/"), "/vsizip/{/a.zip}/r g/h/");
  EXPECT_EQ(parse("/vsikerchunk_json_ref_cached/{a}"), "a ");
  EXPECT_EQ(parse("/vsikerchunk_json_ref//a.jsonl/r.json/g"), "/a.jsonl/r.json g/");
  EXPECT_EQ(parse("/vsikerchunk_json_ref/a"), "a ");
  EXPECT_EQ(parse("/a/r.json"), "none");
  EXPECT_EQ(parse(MakeReferenceName("/a/r")), "/a/r ");
}

TEST(ReferenceName, HeadersNeedProof) {
  EXPECT_EQ(LookAtHeader("\xEF\xBB\xBF {\".zgroup\" : "), ReferenceHeader::kYes);
  EXPECT_EQ(LookAtHeader(R"({"version":1,"refs":{"a/zarr.json":)"), ReferenceHeader::kYes);
  EXPECT_EQ(LookAtHeader(R"({"a/0.0":["s3://b/k",1,2],"x)"), ReferenceHeader::kYes);
  EXPECT_EQ(LookAtHeader(R"({"a/0.0":["s3://b/k",1)"), ReferenceHeader::kNo);
  EXPECT_EQ(LookAtHeader(R"({"version":1,"templates":{"u":")"), ReferenceHeader::kNeedsMore);
  EXPECT_EQ(LookAtHeader(R"({"version":1,"refs":{"a/0.0":["s3://)"), ReferenceHeader::kNeedsMore);
  EXPECT_EQ(LookAtHeader(R"({"version":1})"), ReferenceHeader::kNo);
  EXPECT_EQ(LookAtHeader(R"({"a":1,)"), ReferenceHeader::kNo);
  EXPECT_EQ(LookAtHeader("[\".zgroup\"]"), ReferenceHeader::kNo);
  EXPECT_EQ(LookAtHeader(""), ReferenceHeader::kNo);
}

}  // namespace
}  // namespace gdal_zarr
