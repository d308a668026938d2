// SPDX-License-Identifier: MIT
#include "driver/gdal/dataset_name.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>

#include "zarrlib/base/error.h"

namespace gdal_zarr {
namespace {

using Indices = std::vector<std::uint64_t>;

struct Case {
  std::string_view name;
  std::string_view store;
  std::optional<std::string> array = std::nullopt;
  Indices indices = {};
  std::string selection = "";
};

/// The path of a local store as it is read: on Windows, "/" takes the place of "\\", but at its end.
std::string AsRead(std::string_view path) {
#ifdef _WIN32
  std::string read(path);
  std::ranges::replace(read, '\\', '/');
  while (read.size() > 1 && read.ends_with('/')) read.pop_back();
  return read;
#else
  return std::string(path);
#endif
}

void ExpectParsed(const Case& expected) {
  SCOPED_TRACE(expected.name);
  const DatasetName name = ParseDatasetName(expected.name);
  EXPECT_EQ(name.store, AsRead(expected.store));
  EXPECT_EQ(name.array, expected.array);
  EXPECT_EQ(name.indices, expected.indices);
  EXPECT_EQ(name.selection, expected.selection);
}

TEST(DatasetName, IsTheStoresPath) {
  for (const Case& expected :
       {Case{"/data/a.zarr", "/data/a.zarr"},
        {"a.zarr/", "a.zarr"},
        {"a.zarr///", "a.zarr"},
        {"/", "/"},
        {"C:/data/a.zarr", "C:/data/a.zarr"},
        {"/vsicurl/https://host:8080/a.zarr?token=x:y", "/vsicurl/https://host:8080/a.zarr?token=x:y"},
        {"/data/a.zarr:/x", "/data/a.zarr:/x"}}) {
    ExpectParsed(expected);
  }
}

TEST(DatasetName, StandsForTheFolderOfADocument) {
  for (const char* document : {"zarr.json", ".zarray", ".zgroup", ".zmetadata", "__zmeta__", "meta"}) {
    ExpectParsed({"/data/a.zarr/" + std::string(document), "/data/a.zarr"});
    ExpectParsed({"ZARR:/data/a.zarr/" + std::string(document), "/data/a.zarr"});
  }
  ExpectParsed({"zarr.json", "."});
  ExpectParsed({"/zarr.json", "/"});
  ExpectParsed({"/data/my_zarr.json", "/data/my_zarr.json"});
  ExpectParsed({"meta", "meta"});  // as good a name for a store as any
  ExpectParsed({"/data/.zattrs", "/data/.zattrs"});
}

TEST(DatasetName, ReadsArchivesThroughGdal) {
  ExpectParsed({"/data/a.zarr.zip", "/vsizip//data/a.zarr.zip"});
  ExpectParsed({"ZARR:\"a.ZIP\"", "/vsizip/a.ZIP"});
  ExpectParsed({"/vsizip//data/a.zarr.zip", "/vsizip//data/a.zarr.zip"});
  ExpectParsed({"a.zipped", "a.zipped"});
}

TEST(DatasetName, NamesAnArrayAndIndices) {
  for (const Case& expected : {Case{"ZARR:\"/data/a.zarr\"", "/data/a.zarr"},
                               {"ZARR:\"/data/a.zarr\":/x", "/data/a.zarr", "x"},
                               {"ZARR:\"/data/a.zarr\":x", "/data/a.zarr", "x"},
                               {"ZARR:\"/data/a.zarr\":/group/x/", "/data/a.zarr", "group/x"},
                               {"ZARR:\"/data/a.zarr\":/", "/data/a.zarr", ""},
                               {"ZARR:\"/data/a.zarr\":", "/data/a.zarr", ""},
                               {"ZARR:\"/data/a.zarr\":/x:0", "/data/a.zarr", "x", {0}},
                               {"ZARR:\"/data/a.zarr\":/x:12:0:7", "/data/a.zarr", "x", {12, 0, 7}},
                               {"ZARR:\"a\":/:3", "a", "", {3}},
                               {"ZARR:\"a\":5", "a", "5"},
                               {"zarr:\"a\":/x", "a", "x"},
                               {"ZARR:\"a/\":/x", "a", "x"}}) {
    ExpectParsed(expected);
  }
}

TEST(DatasetName, TakesOnlyNumbersForIndices) {
  for (const Case& expected : {Case{"ZARR:\"a\":/x:y", "a", "x:y"},
                               {"ZARR:\"a\":/x:", "a", "x:"},
                               {"ZARR:\"a\":/x:1:y", "a", "x:1:y"},
                               {"ZARR:\"a\":/x:y:1", "a", "x:y", {1}},
                               {"ZARR:\"a\":/x:18446744073709551615", "a", "x", {UINT64_MAX}}}) {
    ExpectParsed(expected);
  }
}

TEST(DatasetName, SelectsAtItsEnd) {
  for (const Case& expected :
       {Case{"ZARR:\"a\":/x:time=2024-07-01T12:00", "a", "x", {}, "time=2024-07-01T12:00"},
        {"ZARR:\"a\":/x:time==2024-07-01T12:00:30,level=#5", "a", "x", {}, "time==2024-07-01T12:00:30,level=#5"},
        {"ZARR:\"a\":/x:3:1:time=12:0", "a", "x", {3, 1}, "time=12:0"},
        {"ZARR:\"a\":/g/x:name=a/b", "a", "g/x", {}, "name=a/b"},
        {"ZARR:\"a\":\"/x:y=1\":2:t=3", "a", "x:y=1", {2}, "t=3"},
        {"ZARR:\"a\":\"/x\":\"t:u\"=3", "a", "x", {}, "\"t:u\"=3"},
        {"ZARR:\"a\":/:t=1", "a", "", {}, "t=1"},
        {"ZARR:a.zarr:/x:t=1", "a.zarr", "x", {}, "t=1"},
        {"ZARR:\"a\":/x:g=1/y", "a", "x", {}, "g=1/y"},
        {"ZARR:\"a\":/x:g/y=1", "a", "x:g/y=1"},
        {"ZARR:\"a\":x=1", "a", "x=1"}}) {
    ExpectParsed(expected);
  }
  EXPECT_EQ(ParseDatasetName("ZARR:\"a\":/x:3:t=1/").array_with_selection, "x:3:t=1");
  EXPECT_EQ(ParseDatasetName("ZARR:\"a\":/x:3:t=1").array_with_indices, "x:3");
  EXPECT_EQ(ParseDatasetName("ZARR:\"a\":\"/x\":3:t=1").array_with_selection, "");
}

TEST(DatasetName, MayBeWithoutQuotes) {
  for (const Case& expected :
       {Case{"ZARR:/data/a.zarr", "/data/a.zarr"},
        {"ZARR:/data/a.zarr:/x:3", "/data/a.zarr", "x", {3}},
        {"ZARR:/vsicurl/http://host:80/a.zarr:/x", "/vsicurl/http://host:80/a.zarr", "x"},
        {"ZARR:/vsicurl/https://host:8080/a.zarr?token=x:y:/g/x", "/vsicurl/https://host:8080/a.zarr?token=x:y", "g/x"},
        {"ZARR:/data/a:b.zarr", "/data/a:b.zarr"},
        {"ZARR:a.zarr:/", "a.zarr", ""}}) {
    ExpectParsed(expected);
  }
}

TEST(DatasetName, TakesColonsInQuotesForPartsOfThePath) {
  ExpectParsed({"ZARR:\"C:/data/a.zarr\":/x", "C:/data/a.zarr", "x"});
  ExpectParsed({"ZARR:\"/vsicurl?url=http://h:80/a:/b\":/x:1", "/vsicurl?url=http://h:80/a:/b", "x", {1}});
  ExpectParsed({"ZARR:\"a\":\"/x:0\"", "a", "x:0"});
  ExpectParsed({"ZARR:\"a\":\"/x:0\":4", "a", "x:0", {4}});
}

TEST(DatasetName, KnowsEscapedQuotes) {
  ExpectParsed({R"(ZARR:"a\"b":/x)", R"(a"b)", "x"});
  ExpectParsed({R"(ZARR:"a\\b")", R"(a\b)"});
  ExpectParsed({R"(ZARR:"a\b")", R"(a\b)"});
  ExpectParsed({R"(ZARR:"a\\":/x)", R"(a\)", "x"});
}

TEST(DatasetName, RefusesWhatHasNoSuchForm) {
  for (const std::string_view name :
       {"", "ZARR:", "ZARR:\"\"", "ZARR:\"\":/x", "ZARR:\"a", "ZARR:\"a\\\"", "ZARR:\"a\"x", "ZARR:\"a\"/x",
        "ZARR:\"a\":\"x", "ZARR:\"a\":\"x\"y", "ZARR:\"a\":/x//y", "ZARR:\"a\":/x/../y", "ZARR:\"a\":/./x",
        "http://host/a.zarr", "https://host/a.zarr", "ZARR:\"https://host/a.zarr\"", "ZARR:http://host/a.zarr:/x"}) {
    try {
      ParseDatasetName(name);
      ADD_FAILURE() << name;
    } catch (const zarr::Error& error) {
      EXPECT_EQ(error.kind(), zarr::ErrorKind::kInvalidArgument) << name;
      EXPECT_NE(std::string_view(error.what()).find(name), std::string_view::npos) << error.what();
    }
    EXPECT_FALSE(SplitDatasetName(name)) << name;
  }
}

TEST(DatasetName, KnowsItsPrefixInAnyCase) {
  EXPECT_TRUE(HasZarrPrefix("ZARR:"));
  EXPECT_TRUE(HasZarrPrefix("Zarr:a"));
  for (const std::string_view name : {"", "ZARR", "ZARR", "ZARRX:", " ZARR:", "/data/ZARR:a"}) {
    EXPECT_FALSE(HasZarrPrefix(name)) << name;
  }
}

TEST(DatasetName, SplitsANameIntoItsParts) {
  const auto split = [](std::string_view name) {
    const auto parts = SplitDatasetName(name);
    return parts ? parts->prefix + "|" + parts->store + "|" + parts->array : "nothing";
  };
  EXPECT_EQ(split("ZARR:\"/a b.zarr\":/x:3"), "ZARR|\"/a b.zarr\"|/x:3");
  EXPECT_EQ(split("zarr:/a.zarr:/x"), "ZARR|/a.zarr|/x");
  EXPECT_EQ(split("ZARR:\"a\":/x:3:t=12:00"), "ZARR|\"a\"|/x:3:t=12:00");
  EXPECT_EQ(split(R"(ZARR:"a\"b")"), R"(ZARR|"a\"b"|)");
  EXPECT_EQ(split("ZARR:\"a\":"), "ZARR|\"a\"|");
  EXPECT_EQ(split("/a.zarr"), "nothing");
}

/// All texts of up to four of some characters that are hard on quoting.
std::vector<std::string> HardTexts(std::string_view characters) {
  std::vector<std::string> texts = {""};
  for (std::size_t i = 0; texts[i].size() < 4; ++i) {
    for (const char c : characters) texts.push_back(texts[i] + c);
  }
  return texts;
}

TEST(DatasetName, IsReadAsItWasMade) {
  for (const std::string& text : HardTexts("\"\\:a")) {
    const std::string store = "/s" + text + ".zarr";
    const DatasetName name = ParseDatasetName(MakeArrayDatasetName(store, "g/x"));
    ASSERT_EQ(name.store, AsRead(store));
    ASSERT_EQ(name.array, "g/x");
    const DatasetName at_end = ParseDatasetName(MakeArrayDatasetName("/s" + text, "x") + ":3");
    ASSERT_EQ(at_end.store, AsRead("/s" + text));
    ASSERT_EQ(at_end.indices, Indices{3});
  }
  EXPECT_EQ(MakeArrayDatasetName("/a.zarr", "/x"), "ZARR:\"/a.zarr\":/x");
  EXPECT_EQ(MakeArrayDatasetName("/a.zarr", "x"), "ZARR:\"/a.zarr\":/x");
  EXPECT_EQ(MakeArrayDatasetName("/a.zarr", ""), "ZARR:\"/a.zarr\":/");
}

TEST(DatasetName, IsReadAsItWasMadeWhateverTheArrayIsCalled) {
  for (const std::string& text : HardTexts("\"\\:=0")) {
    const std::string array = "g/x" + text;
    const DatasetName name = ParseDatasetName(MakeArrayDatasetName("/s.zarr", array));
    ASSERT_EQ(name.array, array);
    ASSERT_EQ(name.indices, Indices());
    const DatasetName with_index = ParseDatasetName(MakeArrayDatasetName("/s.zarr", array) + ":7");
    ASSERT_EQ(with_index.array, array);
    ASSERT_EQ(with_index.indices, Indices{7});
  }
}

TEST(DatasetName, TellsTheDocumentInAPath) {
  EXPECT_EQ(FindMetadataDocument("/a/zarr.json"), "zarr.json");
  EXPECT_EQ(FindMetadataDocument(".zgroup"), ".zgroup");
  EXPECT_EQ(FindMetadataDocument("a/b.zarray"), "");
  EXPECT_EQ(FindMetadataDocument("/a/meta"), "");
  EXPECT_EQ(FindMetadataDocument("/zarr.json/a"), "");
  EXPECT_EQ(FindMetadataDocument(""), "");
}

TEST(DatasetName, TellsWhatARootArrayIsCalled) {
  const std::pair<std::string_view, std::string_view> names[] = {
      {"/data/a.zarr", "a"},
      {"/data/a.zarr/", "a"},
      {"a.zarr.zip", "a"},
      {"A.ZARR.ZIP", "A"},
      {"a.zip", "a"},
      {"/data/a", "a"},
      {"/data/a.b.zarr", "a.b"},
      {".hidden", ".hidden"},
      {"", "array"},
      {".", "array"},
      {"/", "array"},
      {"/vsicurl/http://h/a.zarr?x=/y.z", "a"},
      {"/d/a?b.zarr", "a?b"},
  };
  for (const auto& [path, name] : names) EXPECT_EQ(GetBaseName(path), name) << path;
}

TEST(DatasetName, RefusesWhatIsNoIndexAndNoSelection) {
  for (const std::string_view name : {"ZARR:a.zarr:/t:-1", "ZARR:\"a.zarr\":/t:=3", "ZARR:\"a.zarr\":/t:1.5",
                                      "ZARR:\"a.zarr\":/t:18446744073709551616", "ZARR:\"a.zarr\":/t:0:-1"}) {
    SCOPED_TRACE(name);
    try {
      ParseDatasetName(name);
      ADD_FAILURE();
    } catch (const zarr::Error& error) {
      EXPECT_NE(std::string_view(error.what()).find("expected an index that counts from 0"), std::string_view::npos);
    }
  }
  ExpectParsed({"ZARR:\"a.zarr\":\"/t:-1\"", "a.zarr", "t:-1"});
}

TEST(DatasetName, HasDrivesAndBackslashesOnWindows) {
  constexpr bool kIsWindows = std::filesystem::path::preferred_separator == '\\';
  if (!kIsWindows) {
    EXPECT_EQ(WithSlashes("a\\b"), "a\\b");
    return ExpectParsed({"ZARR:C:/x", "C", "x"});
  }
  ExpectParsed({"C:\\data\\a.zarr", "C:/data/a.zarr"});
  ExpectParsed({"ZARR:C:/data/a.zarr:/x", "C:/data/a.zarr", "x"});
  ExpectParsed({"ZARR:\"C:\\data\\a.zarr\":/x:3", "C:/data/a.zarr", "x", {3}});
}

}  // namespace
}  // namespace gdal_zarr
