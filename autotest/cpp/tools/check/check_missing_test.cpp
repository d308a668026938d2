// SPDX-License-Identifier: MIT
#ifndef _WIN32
#include <sys/stat.h>
#endif

#include "autotest/cpp/support/links.h"
#include "autotest/cpp/support/zarrkit_test_util.h"

namespace zarr::tools {
namespace {

namespace fs = std::filesystem;
using test::Result;
using test::Zarrkit;

constexpr std::string_view kV1Meta = R"({"zarr_format": 1, "shape": [2], "chunks": [2], "dtype": "<i2",
    "compression": "none", "compression_opts": null, "fill_value": 0, "order": "C"})";

bool Contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

/// What `check` and other commands say about values that are not there, or not files.
class CheckMissing : public test::FolderTest {
 protected:
  CheckMissing() { Set(".zgroup", R"({"zarr_format": 2})"); }

  std::string Path(const std::string& key) const { return folder_ + "/" + key; }
  Result Run() const { return Zarrkit({"check", folder_}); }
  void ExpectError(const std::string& key, const std::string& message) const {
    const Result result = Run();
    EXPECT_EQ(result.code, kFailure);
    EXPECT_TRUE(Contains(result.out, "error: " + Path(key) + ": " + message)) << result.out;
  }
  /// A coordinate variable of v2, with values in all chunks.
  void MakeCoordinate(const std::string& path, std::uint64_t length, std::uint64_t chunk) const {
    MakeArray(path, {length}, {chunk});
    Set(path + "/.zattrs", R"({"_ARRAY_DIMENSIONS": ["lat"]})");
  }
};

// --- what is no file ---------------------------------------------------------------------------------------------

TEST_F(CheckMissing, AFolderIsNoChunk) {
  MakeArray("a", {4}, {2});
  FilesystemStore(folder_).Erase("a/1");
  fs::create_directory(Path("a/1"));
  ExpectError("a/1", "this is a folder in the place of a chunk [chunk-no-file]");
}

#ifdef _WIN32

TEST_F(CheckMissing, APipeIsNoChunkAndIsNotWaitedFor) {
  GTEST_SKIP() << "Windows has no named pipes in folders";
}

#else

TEST_F(CheckMissing, APipeIsNoChunkAndIsNotWaitedFor) {
  MakeArray("a", {4}, {2});
  FilesystemStore(folder_).Erase("a/1");
  ASSERT_EQ(::mkfifo(Path("a/1").c_str(), 0600), 0);
  ExpectError("a/1", "this is neither file nor folder in the place of a chunk [chunk-no-file]");
}

#endif

TEST_F(CheckMissing, ALinkThatLeadsNowhereIsNoChunk) {
  if (!test::HasLinks()) GTEST_SKIP() << "this process can make no links";
  MakeArray("a", {4}, {2});
  FilesystemStore(folder_).Erase("a/1");
  fs::create_symlink("none", Path("a/1"));
  ExpectError("a/1", "this is a link that leads to neither file nor folder in the place of a chunk [chunk-no-file]");
}

TEST_F(CheckMissing, AFileIsNoFolderOfChunks) {
  MakeArray("a", {4, 4}, {2, 2}, R"("filters": null, "compressor": null, "dimension_separator": "/")");
  EXPECT_EQ(Run().code, kSuccess);
  fs::remove_all(Path("a/1"));
  Set("a/1", "text");
  ExpectError("a/1", "this is a file in the place of a folder of chunks [chunk-no-file]");
}

TEST_F(CheckMissing, OtherEntriesAreLeftAlone) {
  if (!test::HasLinks()) GTEST_SKIP() << "this process can make no links";
  MakeArray("a", {4}, {2});
  fs::create_directory(Path("a/notes"));
  fs::create_directory(Path("a/7"));  // outside of the grid
  fs::create_symlink("none", Path("a/link"));
  fs::rename(Path("a/1"), Path("one"));
  fs::create_symlink("../one", Path("a/1"));
  EXPECT_EQ(Run().code, kSuccess) << Run().out;
}

// --- coordinates -------------------------------------------------------------------------------------------------

TEST_F(CheckMissing, ACoordinateThatIsNotStored) {
  MakeCoordinate("lat", 4, 2);
  EXPECT_FALSE(Contains(Run().out, "warning")) << Run().out;
  FilesystemStore(folder_).Erase("lat/0");
  const Result result = Run();
  EXPECT_EQ(result.code, kSuccess);
  EXPECT_TRUE(Contains(result.out, "warning: " + Path("lat") +
                                       ": of this coordinate variable, 1 of 2 chunks are not stored: 2 values read as "
                                       "the fill value [coordinate-missing]\n"))
      << result.out;
}

TEST_F(CheckMissing, OneValueOfACoordinateMayBeTheFillValue) {
  MakeCoordinate("lat", 3, 1);
  FilesystemStore(folder_).Erase("lat/0");
  EXPECT_FALSE(Contains(Run().out, "warning")) << Run().out;
  FilesystemStore(folder_).Erase("lat/2");
  EXPECT_TRUE(Contains(Run().out, "2 of 3 chunks are not stored: 2 values")) << Run().out;
}

TEST_F(CheckMissing, OtherArraysMayBeSparse) {
  MakeCoordinate("height", 4, 2);  // of the dimension lat
  FilesystemStore(folder_).Erase("height/0");
  EXPECT_FALSE(Contains(Run().out, "warning")) << Run().out;
}

// --- a part of a store -------------------------------------------------------------------------------------------

TEST_F(CheckMissing, OneNodeAlone) {
  MakeArray("g/a", {4}, {2});
  MakeArray("g/b", {4}, {2});
  Set("g/.zgroup", R"({"zarr_format": 2})");
  Set("g/b/0", "damaged");
  Set("gg/.zarr-tmp-123", "");
  EXPECT_EQ(Zarrkit({"check", folder_, "--array", "/g/a"}).out, "0 groups, 1 arrays, 2 chunks, 0 errors\n");
  const Result group = Zarrkit({"check", folder_, "--array", "g"});
  EXPECT_EQ(group.code, kFailure);
  EXPECT_TRUE(Contains(group.out, "\n1 groups, 2 arrays, 4 chunks, 1 errors\n")) << group.out;
  const Result none = Zarrkit({"check", folder_, "--array", "g/c"});
  EXPECT_EQ(none.code, kFailure);
  EXPECT_TRUE(Contains(none.err, "nodes that are there: a, b")) << none.err;
  EXPECT_EQ(Zarrkit({"check", folder_, "--array", "g", "--repair"}).code, kUsage);
}

// --- arrays of v1 below the root ---------------------------------------------------------------------------------

class V1BelowRoot : public CheckMissing {
 protected:
  V1BelowRoot() {
    MakeArray("a", {4}, {2});
    Set("old/meta", kV1Meta);
    Set("others/old/meta", kV1Meta);
    Set("others/meta", "of somebody else");
  }
};

TEST_F(V1BelowRoot, CheckNamesIt) {
  const Result result = Run();
  EXPECT_EQ(result.code, kSuccess);
  for (const std::string path : {"old", "others/old"}) {
    EXPECT_TRUE(Contains(result.out, "warning: " + Path(path) + ": an array of v1, which is a store of its own (" +
                                         Path(path) + "); it was not checked [v1-array-left-out]\n"))
        << result.out;
  }
}

TEST_F(V1BelowRoot, InfoNamesIt) {
  const std::string line = "left out: old, an array of v1, which is a store of its own (" + Path("old") + ")\n";
  EXPECT_TRUE(Contains(Zarrkit({"info", folder_}).out, line));
  EXPECT_FALSE(Contains(Zarrkit({"info", folder_, "--array", "a"}).out, "left out"));
  const JsonNode root = test::Json(Zarrkit({"info", folder_, "--json"}).out);
  EXPECT_EQ(root.At("left_out").Dump(), R"(["old","others/old"])");
}

TEST_F(V1BelowRoot, FinishNamesIt) {
  EXPECT_TRUE(Contains(Zarrkit({"finish", folder_, "--no-consolidate"}).out, "left out: old, an array of v1"));
  const JsonNode json = test::Json(Zarrkit({"finish", folder_, "--no-consolidate", "--json"}).out);
  EXPECT_EQ(json.At("left_out").Dump(), R"(["old","others/old"])");
}

// --- folders of stores -------------------------------------------------------------------------------------------

TEST_F(V1BelowRoot, AFolderOfStoresIsNamedAsOne) {
  FilesystemStore(folder_).Erase(".zgroup");
  Set("b/zarr.json", R"({"zarr_format": 3, "node_type": "group"})");
  const Result result = Zarrkit({"info", folder_});
  EXPECT_EQ(result.code, kSuccess) << result.err;
  EXPECT_TRUE(result.out.starts_with(folder_ + ": a folder of stores, and no store itself\n/\n")) << result.out;
  EXPECT_TRUE(Contains(result.out, "\n  a  Zarr v2  [4] <i2")) << result.out;
  EXPECT_TRUE(Contains(result.out, "\n  b/  Zarr v3\n")) << result.out;
}

}  // namespace
}  // namespace zarr::tools
