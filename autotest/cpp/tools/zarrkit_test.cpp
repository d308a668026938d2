// SPDX-License-Identifier: MIT
#include "autotest/cpp/support/links.h"
#include "autotest/cpp/support/zarrkit_test_util.h"

namespace zarr::tools {
namespace {

using test::Result;

Result Zarr(const std::vector<std::string>& arguments) {
  return test::Zarrkit(arguments);
}

/// A folder with a v2 group that holds an array of two chunks; removed at the end.
class Zarrkit : public test::FolderTest {
 protected:
  Zarrkit() {
    Set(".zgroup", R"({"zarr_format": 2})");
    Set("g/.zgroup", R"({"zarr_format": 2})");
    Set("g/a/.zarray", R"({"zarr_format": 2, "shape": [4], "chunks": [2], "dtype": "<i2", "fill_value": 0, "order": "C",
        "filters": null, "compressor": null})");
    Set("g/a/.zattrs", R"({"_ARRAY_DIMENSIONS": ["x"]})");
    Set("g/a/0", std::string(4, 'x'));
    Set("g/a/1", std::string(4, 'x'));
  }
};

TEST_F(Zarrkit, Info) {
  const Result result = Zarr({"info", folder_});
  EXPECT_EQ(result.code, kSuccess) << result.err;
  EXPECT_EQ(result.out, folder_ + ": Zarr v2\n/\n  g/\n    a  [4] <i2  dimensions [\"x\"]  chunks [2]  codecs none\n");
}

TEST_F(Zarrkit, InfoAsJson) {
  const Result result = Zarr({"info", "--json", folder_});
  EXPECT_EQ(result.code, kSuccess) << result.err;
  const JsonNode array = test::Json(result.out).At("children").At("g").At("children").At("a");
  EXPECT_EQ(array.At("shape").Dump(), "[4]");
  EXPECT_EQ(array.At("zarr_format").AsInt64(), 2);
}

TEST_F(Zarrkit, InfoTellsSizes) {
  MakeArray("z", {8}, {4}, R"("filters": null, "compressor": {"id": "zlib", "level": 1})");
  FilesystemStore(folder_).Erase("g/a/1");
  const Result result = Zarr({"info", "--sizes", folder_});
  EXPECT_EQ(result.code, kSuccess) << result.err;
  EXPECT_NE(result.out.find("codecs none\n      4 bytes in 1 of 2 chunks, 4 decoded (1.00 to 1)\n"), std::string::npos)
      << result.out;
  EXPECT_NE(result.out.find(" bytes in 2 of 2 chunks, 16 decoded ("), std::string::npos) << result.out;
  const JsonNode root = test::Json(Zarr({"info", "--sizes", "--json", folder_}).out);
  EXPECT_EQ(root.At("children").At("g").At("children").At("a").At("sizes").Dump(),
            R"({"chunks":2,"stored_chunks":1,"stored_bytes":4,"index_bytes":0,"decoded_bytes":4})");
}

TEST_F(Zarrkit, InfoAddsSizesUp) {
  FilesystemStore(folder_).Erase("g/a/1");
  MakeArray("z", {8}, {4});
  const Result result = Zarr({"info", "--sizes", folder_});
  EXPECT_TRUE(result.out.ends_with("all arrays: 20 bytes in 3 of 4 chunks, 20 decoded (1.00 to 1)\n")) << result.out;
}

TEST_F(Zarrkit, InfoShowsAttributes) {
  Set("g/.zattrs", R"({"title": "a \"test\""})");
  const Result result = Zarr({"info", "--attributes", folder_});
  EXPECT_EQ(result.out,
            folder_ + ": Zarr v2\n/\n  g/\n    :title = \"a \\\"test\\\"\"\n    a  [4] <i2  dimensions [\"x\"]  " +
                "chunks [2]  codecs none\n      :_ARRAY_DIMENSIONS = [\"x\"]\n");
}

TEST_F(Zarrkit, InfoOfOneNode) {
  for (const char* path : {"g/a", "/g/a", "/g/a/"}) {
    const Result result = Zarr({"info", folder_, "--array", path});
    EXPECT_EQ(result.out, folder_ + ": Zarr v2\ng/a  [4] <i2  dimensions [\"x\"]  chunks [2]  codecs none\n");
  }
  EXPECT_EQ(test::Json(Zarr({"info", folder_, "--array", "/g/a", "--json"}).out).At("shape").Dump(), "[4]");
  EXPECT_NE(Zarr({"info", folder_, "--array", "/g"}).out.find("\ng/\n  a  [4]"), std::string::npos);
  const Result missing = Zarr({"info", folder_, "--array", "g/b"});
  EXPECT_EQ(missing.code, kFailure);
  EXPECT_NE(missing.err.find("g/b"), std::string::npos) << missing.err;
}

TEST_F(Zarrkit, Version) {
  const Result result = Zarr({"--version"});
  EXPECT_EQ(result.code, kSuccess);
  EXPECT_TRUE(result.out.starts_with("zarrkit ")) << result.out;
  EXPECT_NE(result.out.find(" sharding_indexed"), std::string::npos) << result.out;
  EXPECT_TRUE(result.out.ends_with("\n")) << result.out;
}

/// Every command that takes the path of an array takes it with slashes around it.
TEST_F(Zarrkit, PathsMayBeginWithASlash) {
  const std::string map = folder_ + "/map.svg";
  const std::vector<std::vector<std::string>> commands = {{"info", folder_, "--array"},
                                                          {"plan", folder_, "--array"},
                                                          {"finish", folder_, "--array"},
                                                          {"explain", folder_, "--array"},
                                                          {"map", folder_, map, "--array"},
                                                          {"stat", folder_, "--chunk", "0", "--array"},
                                                          {"cat", folder_, "--chunk", "0", "--array"},
                                                          {"reshard", folder_, "--chunks", "2", "--array"}};
  for (std::vector<std::string> arguments : commands) {
    SCOPED_TRACE(arguments[0]);
    arguments.emplace_back("g/a");
    const Result without = Zarr(arguments);
    EXPECT_EQ(without.code, kSuccess) << without.err;
    arguments.back() = "/g/a/";
    EXPECT_EQ(Zarr(arguments).out, without.out);
  }
}

TEST_F(Zarrkit, InfoSaysThatElementsAreOptional) {
  Set("o/zarr.json", R"({"zarr_format": 3, "node_type": "array", "shape": [4], "data_type": {"name": "optional",
      "configuration": {"name": "uint8"}}, "chunk_grid": {"name": "regular", "configuration": {"chunk_shape": [2]}},
      "chunk_key_encoding": {"name": "default"}, "fill_value": null, "codecs": [{"name": "optional", "configuration":
      {"mask_codecs": [{"name": "packbits"}], "data_codecs": [{"name": "bytes"}]}}]})");
  const Result result = Zarr({"info", folder_ + "/o"});
  EXPECT_EQ(result.code, kSuccess) << result.err;
  EXPECT_NE(result.out.find("[4] optional uint8  chunks [2]  codecs optional"), std::string::npos) << result.out;
}

TEST_F(Zarrkit, InfoShowsWhatIsWrong) {
  Set("g/b/.zarray", R"({"zarr_format": 2})");
  const Result result = Zarr({"info", folder_});
  EXPECT_EQ(result.code, kSuccess);
  EXPECT_NE(result.out.find("b  (" + folder_ + "/g/b/.zarray: "), std::string::npos) << result.out;
}

TEST_F(Zarrkit, Check) {
  Result result = Zarr({"check", folder_});
  EXPECT_EQ(result.code, kSuccess) << result.err;
  EXPECT_EQ(result.out, "2 groups, 1 arrays, 2 chunks, 0 errors\n");
  Set("g/a/1", "cut");
  Set("g/b/.zarray", "{}");
  result = Zarr({"check", folder_});
  EXPECT_EQ(result.code, kFailure);
  EXPECT_EQ(result.err, "");
  EXPECT_TRUE(result.out.ends_with("\n2 groups, 2 arrays, 2 chunks, 2 errors\n")) << result.out;
  EXPECT_NE(result.out.find(folder_ + "/g/a/1: "), std::string::npos) << result.out;
  EXPECT_NE(result.out.find(folder_ + "/g/b/.zarray: "), std::string::npos) << result.out;
  const std::size_t place = result.out.find("(chunk [1]) [chunk-undecodable]\n");
  EXPECT_NE(place, std::string::npos) << result.out;
  EXPECT_EQ(result.out.find("(chunk [1])", place + 1), std::string::npos) << result.out;
}

TEST_F(Zarrkit, CheckReadsStrings) {
  Set("s/.zarray", R"({"zarr_format": 2, "shape": [2], "chunks": [2], "dtype": "|O", "fill_value": "", "order": "C",
      "filters": [{"id": "vlen-utf8"}], "compressor": null})");
  using namespace std::string_literals;
  Set("s/0", "\2\0\0\0\1\0\0\0a\1\0\0\0b"s);
  EXPECT_EQ(Zarr({"check", folder_}).code, kSuccess);
  Set("s/0", "\2\0\0\0\1\0\0\0a\1"s);
  EXPECT_EQ(Zarr({"check", folder_}).code, kFailure);
}

TEST_F(Zarrkit, Migrate) {
  Result result = Zarr({"migrate", folder_, "--to", "v3", "--dry-run"});
  EXPECT_EQ(result.code, kSuccess) << result.err;
  EXPECT_EQ(result.out, "would write g/a/zarr.json\nwould write g/zarr.json\nwould write zarr.json\n");
  EXPECT_FALSE(Has("zarr.json"));
  result = Zarr({"migrate", "--to=v3", folder_});
  EXPECT_EQ(result.code, kSuccess) << result.err;
  EXPECT_TRUE(Has("g/a/zarr.json"));
  EXPECT_TRUE(Has("g/a/.zarray"));
  result = Zarr({"migrate", "--to", "v3", "--delete-old", folder_});
  EXPECT_EQ(result.code, kSuccess) << result.err;
  EXPECT_FALSE(Has("g/a/.zarray"));
  EXPECT_EQ(Zarr({"check", folder_}).out, "2 groups, 1 arrays, 2 chunks, 0 errors\n");
}

TEST_F(Zarrkit, MigrateSaysWhyNot) {
  Set("g/s/.zarray", R"({"zarr_format": 2, "shape": [2], "chunks": [2], "dtype": "|O", "fill_value": "", "order": "C",
      "filters": [{"id": "json2"}], "compressor": null})");
  const Result result = Zarr({"migrate", folder_, "--to", "v3"});
  EXPECT_EQ(result.code, kFailure);
  EXPECT_NE(result.err.find("/g/s/.zarray: /filters/0: "), std::string::npos) << result.err;
  EXPECT_NE(result.err.find("nothing was written"), std::string::npos) << result.err;
  EXPECT_FALSE(Has("g/a/zarr.json"));
}

TEST_F(Zarrkit, Reshard) {
  Set("g/a/1", std::string(4, 'y'));
  EXPECT_EQ(Zarr({"migrate", folder_, "--to", "v3", "--delete-old"}).code, kSuccess);
  const auto reshard = [&](const std::vector<std::string>& options) {
    std::vector<std::string> arguments = {"reshard", folder_, "--array", "g/a"};
    arguments.insert(arguments.end(), options.begin(), options.end());
    return Zarr(arguments);
  };
  const auto value_of = [&](std::string_view key) {
    return FilesystemStore(folder_).GetText(key).value_or("(absent)");
  };
  Result result = reshard({"--chunks", "1", "--shards", "4"});
  EXPECT_EQ(result.code, kSuccess) << result.err;
  EXPECT_EQ(value_of("g/a/0").substr(0, 8), "xxxxyyyy");
  EXPECT_EQ(value_of("g/a/1"), "(absent)");
  EXPECT_EQ(Zarr({"check", folder_}).out, "2 groups, 1 arrays, 1 chunks, 0 errors\n");
  EXPECT_NE(Zarr({"info", folder_}).out.find("codecs sharding_indexed[1](bytes)"), std::string::npos);
  result = reshard({"--chunks", "3"});
  EXPECT_EQ(result.code, kSuccess) << result.err;
  EXPECT_EQ(value_of("g/a/0"), "xxxxyy");
  EXPECT_EQ(value_of("g/a/1").substr(0, 2), "yy");
  EXPECT_EQ(Zarr({"info", folder_}).out.find("resharded"), std::string::npos);
  EXPECT_EQ(reshard({"--chunks", "3", "--shards", "4"}).code, kUsage);  // no multiple
  EXPECT_EQ(reshard({"--chunks", "3,3"}).code, kUsage);
  EXPECT_EQ(reshard({"--chunks", "x"}).code, kUsage);
  EXPECT_EQ(reshard({}).code, kUsage);
}

TEST_F(Zarrkit, ReshardMovesStrings) {
  using namespace std::string_literals;
  Set("s/.zarray", R"({"zarr_format": 2, "shape": [2], "chunks": [1], "dtype": "|O", "fill_value": "", "order": "C",
      "filters": [{"id": "vlen-utf8"}], "compressor": null})");
  Set("s/0", "\1\0\0\0\1\0\0\0a"s);
  Set("s/1", "\1\0\0\0\1\0\0\0b"s);
  const Result result = Zarr({"reshard", folder_, "--array", "s", "--chunks", "2"});
  EXPECT_EQ(result.code, kSuccess) << result.err;
  EXPECT_EQ(FilesystemStore(folder_).GetText("s/0"), "\2\0\0\0\1\0\0\0a\1\0\0\0b"s);
}

TEST_F(Zarrkit, PathsMayBeginAtTheRoot) {
  for (const std::string path : {"/g/a", "g/a/", "//g/a"}) {
    EXPECT_EQ(Zarr({"reshard", folder_, "--array", path, "--chunks", "4"}).out, "rewrote g/a\n") << path;
  }
  EXPECT_EQ(Zarr({"reshard", folder_, "--array", "/", "--chunks", "4"}).code, kFailure);
}

TEST_F(Zarrkit, MigrateTakesStoresAlone) {
  if (!test::HasLinks()) GTEST_SKIP() << "this process can make no links";
  Set("g/old/meta", R"({"zarr_format": 1, "shape": [2], "chunks": [2], "dtype": "<i2", "compression": "none",
      "compression_opts": null, "fill_value": 0, "order": "C"})");
  std::filesystem::create_directories(folder_ + "-home/documents");
  std::filesystem::create_directory_symlink(folder_, folder_ + "-home/store");
  Result result = Zarr({"migrate", folder_ + "-home", "--to", "v3"});
  EXPECT_EQ(result.code, kFailure);
  EXPECT_NE(result.err.find("in it there are store"), std::string::npos) << result.err;
  EXPECT_FALSE(std::filesystem::exists(folder_ + "-home/zarr.json"));
  std::filesystem::remove_all(folder_ + "-home");
  EXPECT_FALSE(Has("zarr.json"));
  result = Zarr({"migrate", folder_, "--to", "v3", "--delete-old"});
  EXPECT_EQ(result.code, kSuccess) << result.err;
  EXPECT_NE(result.out.find("left as it is: g/old, an array of v1"), std::string::npos) << result.out;
  EXPECT_TRUE(Has("g/old/meta"));
  EXPECT_FALSE(Has("g/old/zarr.json"));
}

TEST_F(Zarrkit, WrongArguments) {
  const std::vector<std::vector<std::string>> wrong = {
      {},
      {"other"},
      {"info"},
      {"check"},
      {"info", "--other"},
      {"info", folder_, folder_},
      {"info", folder_, "--dry-run"},
      {"info", folder_, "--array", "../a"},
      {"check", folder_, "--rules"},
      {"stat", folder_, "--chunk", "0"},
      {"stat", folder_, "--array", "g/a", "--chunk", "x"},
      {"stat", folder_, "--array", "g/a", "--chunk", "0", "--shard", "0"},
      {"cat", folder_, "--array", "g/a", "--chunk", "0", "--raw", "--text"},
      {"migrate", folder_},
      {"migrate", folder_, "--to"},
      {"migrate", folder_, "--to", "v4"},
      {"migrate", folder_, "--to="},
      {"migrate", folder_, "--to", "v2", "--to", "v3"},
      {"check", folder_, "--dry-run"},
      {"reshard", folder_, "--chunks", "1"},
      {"reshard", folder_, "--array", "g/a"},
      {"reshard", folder_, "--array", "g//a", "--chunks", "1"},
      {"reshard", folder_, "--array", "../a", "--chunks", "1"},
      {"reshard", folder_, "--array", "g/a", "--chunks", "0"},
      {"reshard", folder_, "--array", "g/a", "--chunks", "-1"},
      {"reshard", folder_, "--array", "g/a", "--chunks", "1,"},
      {"reshard", folder_, "--array", "g/a", "--chunks", "99999999999999999999"},
      {"reshard", "--array", "g/a", "--chunks", "1"}};
  for (const auto& arguments : wrong) {
    SCOPED_TRACE(arguments.empty() ? "" : arguments.back());
    const Result result = Zarr(arguments);
    EXPECT_EQ(result.code, kUsage);
    EXPECT_NE(result.err.find("--help"), std::string::npos) << result.err;
  }
  EXPECT_EQ(Zarr({"info", folder_ + "/none"}).code, kFailure);
  EXPECT_EQ(Zarr({"info", folder_ + "/.zgroup"}).code, kFailure);
  EXPECT_EQ(Zarr({"--help"}).code, kSuccess);
  EXPECT_NE(Zarr({"migrate", "--help"}).out.find("--delete-old"), std::string::npos);
}

}  // namespace
}  // namespace zarr::tools
