// SPDX-License-Identifier: MIT
#include <sys/stat.h>

#include <chrono>
#include <fstream>

#include "autotest/cpp/support/links.h"
#include "autotest/cpp/support/zarrkit_test_util.h"

namespace zarr::tools {
namespace {

namespace fs = std::filesystem;
using test::Result;
using test::Zarrkit;

constexpr std::string_view kGroup = R"({"zarr_format": 2})";
constexpr std::string_view kV3Group = R"({"zarr_format": 3, "node_type": "group"})";

std::string ArrayOfV3(std::string_view shape, std::string_view chunks, std::string_view codecs,
                      std::string_view more = "") {
  return R"({"zarr_format": 3, "node_type": "array", "data_type": "int16", "fill_value": 0, "shape": )" +
         std::string(shape) + R"(, "chunk_grid": {"name": "regular", "configuration": {"chunk_shape": )" +
         std::string(chunks) + R"(}}, "chunk_key_encoding": {"name": "default"}, "codecs": )" + std::string(codecs) +
         std::string(more) + "}";
}

constexpr std::string_view kBytes = R"([{"name": "bytes", "configuration": {"endian": "little"}}])";

std::string Sharded(std::string_view inner) {
  return R"([{"name": "sharding_indexed", "configuration": {"chunk_shape": )" + std::string(inner) + R"(, "codecs": )" +
         std::string(kBytes) + R"(, "index_codecs": )" + std::string(kBytes) + "}}]";
}

class Check : public test::FolderTest {
 protected:
  Check() { Set(".zgroup", kGroup); }

  Result Run() const { return Zarrkit({"check", folder_}); }
  /// Expects a line of that kind about a key in the output of `check`, with `part` in it.
  void ExpectFinding(const std::string& kind, const std::string& key, std::string_view part) const {
    const Result result = Run();
    const std::size_t line = result.out.find(kind + ": " + folder_ + "/" + key + ": ");
    ASSERT_NE(line, std::string::npos) << kind << " " << key << " not in\n" << result.out;
    const std::string text = result.out.substr(line, result.out.find('\n', line) - line);
    EXPECT_NE(text.find(part), std::string::npos) << text;
    EXPECT_EQ(result.code, result.out.find("error: ") == std::string::npos ? kSuccess : kFailure);
  }
};

TEST_F(Check, ConsolidatedMetadataThatDisagree) {
  MakeArray("a", {4}, {2});
  MakeArray("b", {4}, {2});
  Set("b/.zattrs", R"({"scale_factor": 1})");
  Consolidate();
  EXPECT_EQ(Run().code, kSuccess) << test::FindingsIn(folder_);
  const std::string consolidated = Get(".zmetadata");
  Set("b/.zattrs", R"({"scale_factor": 2})");
  fs::remove(folder_ + "/.zmetadata");  // they would be in the way of a writer
  MakeArray("a", {4}, {4});
  Set(".zmetadata", consolidated);
  ExpectFinding("error", "a/.zarray", "chunks [2], [4]");
  ExpectFinding("error", "b/.zattrs", "attributes");
  fs::remove_all(folder_ + "/a");  // b and its documents stay
  ExpectFinding("error", "a/.zarray", "not there");
}

TEST_F(Check, ConsolidatedMetadataSpelledOtherwise) {
  MakeArray("a", {4}, {2});
  Consolidate();
  std::string text = Get("a/.zarray");
  text.insert(text.find('{') + 1, "\"dimension_separator\": \".\", ");
  Set("a/.zarray", text);
  EXPECT_EQ(Run().code, kSuccess) << test::FindingsIn(folder_);
}

TEST_F(Check, InlineConsolidatedMetadataThatDisagree) {
  fs::remove(folder_ + "/.zgroup");
  Set("zarr.json", kV3Group);
  Set("g/zarr.json", kV3Group);
  Set("g/a/zarr.json", ArrayOfV3("[4]", "[2]", kBytes));
  Consolidate();
  EXPECT_EQ(Run().code, kSuccess) << test::FindingsIn(folder_);
  Set("g/a/zarr.json", ArrayOfV3("[5]", "[2]", kBytes));
  ExpectFinding("error", "g/a/zarr.json", "shape [4], [5]");
  Set("g/a/zarr.json", ArrayOfV3("[4]", "[2]", Sharded("[1]")));
  ExpectFinding("error", "g/a/zarr.json", "sharding_indexed");
}

TEST_F(Check, NodesThatConsolidatedMetadataDoNotList) {
  MakeArray("a", {4}, {2});
  Consolidate();
  MakeArray("b", {4}, {2});
  ExpectFinding("warning", "b", "do not list");
  Set("b/0", "cut");  // the damaged chunk is checked nevertheless
  ExpectFinding("error", "b/0", "");
}

TEST_F(Check, NodesThatOnlyConsolidatedMetadataDescribe) {
  MakeArray("a", {4}, {2});
  Consolidate();
  for (const bool root : {false, true}) {
    fs::remove(folder_ + (root ? "/.zgroup" : "/a/.zarray"));
    ExpectFinding("warning", ".zmetadata", "all that describes the nodes");
    EXPECT_TRUE(Run().out.ends_with("\n1 groups, 1 arrays, 2 chunks, 0 errors, 1 warnings\n")) << Run().out;
  }
}

TEST_F(Check, AnArrayAndAGroupInOneFolder) {
  MakeArray("a", {4}, {2});
  Set("a/.zgroup", kGroup);
  ExpectFinding("error", "a/.zarray", "group");
  fs::remove(folder_ + "/a/.zgroup");
  Set("a/zarr.json", kV3Group);
  ExpectFinding("error", "a/.zarray", "group");
  fs::remove(folder_ + "/a/.zarray");
  Set("a/zarr.json", ArrayOfV3("[4]", "[2]", kBytes));
  Set("a/.zgroup", kGroup);
  ExpectFinding("error", "a/.zgroup", "array");
}

TEST_F(Check, FormatsThatDisagree) {
  MakeArray("a", {4}, {2});
  EXPECT_EQ(Zarrkit({"migrate", folder_, "--to", "v3"}).code, kSuccess);
  EXPECT_EQ(Run().code, kSuccess) << test::FindingsIn(folder_);
  MakeArray("b", {4}, {4});
  Set("a/.zarray", Get("b/.zarray"));
  ExpectFinding("error", "a/.zarray", "chunks [4], [2]");
}

TEST_F(Check, CoordinatesOfAnotherLength) {
  for (const std::string path : {"g/x", "g/data", "g/more"}) MakeArray(path, {path == "g/x" ? 5u : 4u}, {2});
  Set("g/.zgroup", kGroup);
  Set("g/x/.zattrs", R"({"_ARRAY_DIMENSIONS": ["x"]})");
  Set("g/data/.zattrs", R"({"_ARRAY_DIMENSIONS": ["x"]})");
  ExpectFinding("error", "g/data", R"(the dimension "x" has the length 4 here, and 5 in /g/x)");
  // Without coordinates, nothing says that both have the same dimension.
  fs::remove_all(folder_ + "/g/x");
  MakeArray("g/more", {7}, {2});
  Set("g/more/.zattrs", R"({"_ARRAY_DIMENSIONS": ["x"]})");
  ExpectFinding("warning", "g/more", "length 7 here, and 4 in /g/data");
  EXPECT_EQ(Run().code, kSuccess);
  Set("g/.zattrs", R"({"multiscales": []})");
  EXPECT_EQ(test::FindingsIn(folder_), "");
}

TEST_F(Check, CoordinatesOfAGroupAbove) {
  MakeArray("x", {5}, {5});
  Set("x/.zattrs", R"({"_ARRAY_DIMENSIONS": ["x"]})");
  Set("a/.zgroup", kGroup);
  MakeArray("a/data", {4}, {4});
  Set("a/data/.zattrs", R"({"_ARRAY_DIMENSIONS": ["x"]})");
  ExpectFinding("warning", "a/data", R"(the dimension "x" has the length 4 here, and 5 in /x)");
  Set(".zattrs", R"({"multiscales": []})");
  EXPECT_EQ(test::FindingsIn(folder_), "");
}

TEST_F(Check, Orphans) {
  MakeArray("a", {4}, {2});
  Set("a/7", std::string(4, 'x'));
  Set("a/notes.txt", "mine");
  std::ofstream(folder_ + "/a/.zarr-tmp-0000000000000002") << "cut";
  ExpectFinding("warning", "a/7", "outside");
  ExpectFinding("warning", "a/.zarr-tmp-0000000000000002", "temporary");
  fs::create_directories(folder_ + "/.zarr-tmp-reshard-a");
  ExpectFinding("warning", ".zarr-tmp-reshard-a", "zarrkit reshard of /a removes this first");
  fs::create_directories(folder_ + "/.zarr-tmp-reshard-b/array");
  ExpectFinding("error", ".zarr-tmp-reshard-b", "zarrkit reshard of /b puts it in its place");
  std::ofstream(folder_ + "/.zarr-tmp-removal-0123456789abcdef") << "{}";
  ExpectFinding("warning", ".zarr-tmp-removal-0123456789abcdef", "opening the store for update completes it");
  EXPECT_EQ(test::FindingsIn(folder_).find("notes"), std::string::npos);
}

TEST_F(Check, ChunksThatRectilinearGridsDeclareBeyondTheEndAreNoOrphans) {
  std::string text = ArrayOfV3("[4]", "[2]", kBytes);
  const std::string regular = R"({"name": "regular", "configuration": {"chunk_shape": [2]}})";
  text.replace(text.find(regular), regular.size(),
               R"({"name": "rectilinear", "configuration": {"kind": "inline", "chunk_shapes": [[2, 2, 2]]}})");
  fs::remove(folder_ + "/.zgroup");
  Set("zarr.json", kV3Group);
  Set("a/zarr.json", text);
  Set("a/c/2", "\1\1\1\1");
  EXPECT_EQ(test::FindingsIn(folder_), "");
  Set("a/c/3", "\1\1\1\1");
  ExpectFinding("warning", "a/c/3", "outside");
}

TEST_F(Check, RemovesTemporaryFilesThatAreOld) {
  if (!test::HasLinks()) GTEST_SKIP() << "this process can make no links";
  MakeArray("a", {4}, {2});
  const auto touch = [&](const std::string& key, int hours) {
    std::ofstream(folder_ + "/" + key) << "x";
    fs::last_write_time(folder_ + "/" + key, fs::file_time_type::clock::now() - std::chrono::hours(hours));
  };
  touch("a/.zarr-tmp-0000000000000001", 2);
  touch("a/.zarr-tmp-0000000000000002", 0);
  touch("a/old.txt", 200);
  touch("a/.zarr-tmp-notes.txt", 200);
  fs::create_directories(folder_ + "/theirs");
  touch("theirs/.zarr-tmp-", 200);
  const std::string outside = folder_ + "-outside";
  fs::create_directories(outside);
  std::ofstream(outside + "/.zarr-tmp-0000000000000001") << "x";
  fs::last_write_time(outside + "/.zarr-tmp-0000000000000001",
                      fs::file_time_type::clock::now() - std::chrono::hours(9));
  fs::create_directory_symlink(outside, folder_ + "/link");
  const Result result = Zarrkit({"check", folder_, "--remove-temporary"});
  EXPECT_EQ(result.code, kSuccess) << result.err;
  EXPECT_NE(result.out.find("removed a/.zarr-tmp-0000000000000001\n"), std::string::npos) << result.out;
  EXPECT_FALSE(Has("a/.zarr-tmp-0000000000000001"));
  EXPECT_TRUE(Has("a/.zarr-tmp-0000000000000002"));
  EXPECT_TRUE(Has("a/old.txt"));
  EXPECT_TRUE(Has("a/.zarr-tmp-notes.txt"));
  EXPECT_TRUE(fs::exists(outside + "/.zarr-tmp-0000000000000001"));
  fs::remove_all(outside);
}

/// The index of a shard of `count` inner chunks. The last one has 2 bytes, after a gap of `hole` bytes.
void WriteSparseShard(const std::string& path, std::uint64_t count, std::uint64_t hole, std::string_view last) {
  std::vector<std::uint64_t> index(static_cast<std::size_t>(2 * count), UINT64_MAX);
  index[index.size() - 2] = hole;
  index[index.size() - 1] = last.size();
  fs::create_directories(fs::path(path).parent_path());
  std::ofstream file(path, std::ios::binary);
  file.seekp(static_cast<std::streamoff>(hole));
  file << last;
  const Bytes bytes = test::LittleEndianOf(index);
  file << AsText(bytes);
}

/// A shard of 2^20 inner chunks of 2 MiB, which are 2 TiB together; only one is stored.
TEST_F(Check, ASparseShard) {
  fs::remove(folder_ + "/.zgroup");
  Set("zarr.json", kV3Group);
  Set("a/zarr.json", ArrayOfV3("[1048576, 1048576]", "[1048576, 1048576]", Sharded("[1024, 1024]")));
  WriteSparseShard(folder_ + "/a/c/0/0", 1 << 20, std::uint64_t{1} << 33, std::string(2 << 20, 'x'));
  const Result result = Run();
  EXPECT_EQ(result.code, kSuccess) << result.err;
  EXPECT_EQ(result.out, "1 groups, 1 arrays, 1 chunks, 0 errors\n");
  WriteSparseShard(folder_ + "/a/c/0/0", 1 << 20, std::uint64_t{1} << 33, std::string(100, 'x'));
  ExpectFinding("error", "a/c/0/0", "");
}

TEST_F(Check, AChunkThatIsTooLargeIsOneFinding) {
  fs::remove(folder_ + "/.zgroup");
  Set("zarr.json", kV3Group);
  Set("a/zarr.json", ArrayOfV3("[4294967296]", "[4294967296]", kBytes));
  Set("a/c/0", "x");
  Set("b/zarr.json", ArrayOfV3("[2]", "[2]", kBytes));
  Set("b/c/0", "abcd");
  const Result result = Run();
  EXPECT_EQ(result.code, kFailure);
  EXPECT_TRUE(result.out.ends_with("1 groups, 2 arrays, 2 chunks, 1 errors\n")) << result.out;
}

TEST_F(Check, ChunksUnderKeysOfAnotherForm) {
  MakeArray("a", {4, 4}, {2, 2});
  EXPECT_EQ(Run().code, kSuccess) << test::FindingsIn(folder_);
  Set("a/1/0", "a chunk");
  ExpectFinding("error", "a", "a/1.0, but there are some such as a/1/0");
  Zarrkit({"check", folder_, "--repair"});
  EXPECT_EQ(Get("a/1/0"), "a chunk");
  ExpectFinding("error", "a", "dimension separator \"/\"");
}

TEST_F(Check, MetadataThatAreNearlyRight) {
  MakeArray("a", {4}, {2});
  std::string text = Get("a/.zarray");
  text.replace(text.find("\"zarr_format\": 2"), 16, "\"zarr_format\": 2.0");
  Set("a/.zarray", text);
  ExpectFinding("warning", "a/.zarray", "/zarr_format: expected 2, got 2.0; taken as 2");
}

TEST_F(Check, AnArchiveOfAnyName) {
  MakeArray("a", {4}, {2});
  ASSERT_EQ(Zarrkit({"copy", folder_, folder_ + ".zip"}).code, kSuccess);
  const std::string archive = folder_ + ".dat";
  fs::rename(folder_ + ".zip", archive);
  EXPECT_EQ(Zarrkit({"check", archive}).code, kSuccess);
  fs::remove(archive);
}

}  // namespace
}  // namespace zarr::tools
