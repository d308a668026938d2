// SPDX-License-Identifier: MIT
#include <functional>
#include <ostream>
#include <streambuf>
#include <utility>

#include "autotest/cpp/support/zarrkit_test_util.h"

namespace zarr::tools {
namespace {

using test::Json;
using test::Result;
using test::Zarrkit;

/// A store of v2 with an array "a" of 3 x 5 elements, and the same in shards as "s" of v3, where it is asked for.
class Chunk : public test::FolderTest {
 protected:
  Chunk() {
    Set(".zgroup", R"({"zarr_format": 2})");
    MakeArray("a", {3, 5}, {2, 2});
  }
  void MakeShards() const {
    ASSERT_EQ(Zarrkit({"migrate", folder_, "--to", "v3", "--delete-old"}).code, kSuccess);
    ASSERT_EQ(Zarrkit({"reshard", folder_, "--array", "a", "--chunks", "2,2", "--shards", "4,4"}).code, kSuccess);
  }
  Result Run(std::vector<std::string> arguments) const {
    arguments.insert(arguments.begin() + 1, {folder_, "--array", "a"});
    return Zarrkit(arguments);
  }
  static std::string AsBytesOf(const std::vector<std::int16_t>& values) {
    const Bytes bytes = test::BytesOf(values);
    return std::string(AsText(bytes));
  }
};

TEST_F(Chunk, Stat) {
  EXPECT_EQ(Run({"stat", "--chunk", "0,2"}).out,
            "/a, chunk 0,2\nkey             a/0.2\npresent         yes\noffset          0\nbytes stored    8\n"
            "bytes decoded   8 (1.00 to 1)\nregion          0:2,4:5\nshape           2,2\ndata type       <i2\n"
            "codecs          none\n");
  const JsonNode stat = Json(Run({"stat", "--chunk", "1,2", "--json"}).out);
  EXPECT_EQ(stat.At("region").Dump(), R"({"start":[2,4],"count":[1,1]})");
  EXPECT_EQ(stat.At("stored_bytes").AsInt64(), 8);
}

TEST_F(Chunk, StatOfAnAbsentOne) {
  FilesystemStore(folder_).Erase("a/0.2");
  const Result result = Run({"stat", "--chunk", "0,2"});
  EXPECT_EQ(result.code, kSuccess);
  EXPECT_NE(result.out.find("present         no"), std::string::npos) << result.out;
  EXPECT_EQ(result.out.find("offset"), std::string::npos) << result.out;
  const JsonNode stat = Json(Run({"stat", "--chunk", "0,2", "--json"}).out);
  EXPECT_FALSE(stat.At("present").AsBoolean());
  EXPECT_FALSE(stat.Has("offset"));
}

TEST_F(Chunk, StatOfInnerChunks) {
  MakeShards();
  const JsonNode inner = Json(Run({"stat", "--chunk", "1,2", "--json"}).out);
  EXPECT_EQ(inner.At("key").AsString(), "a/0.1");
  EXPECT_EQ(inner.At("in_shard").Dump(), "[0,1]");
  EXPECT_EQ(inner.At("shape").Dump(), "[2,2]");
  EXPECT_EQ(inner.At("region").Dump(), R"({"start":[2,4],"count":[1,1]})");
  EXPECT_EQ(inner.At("stored_bytes").AsInt64(), 8);
  EXPECT_EQ(inner.At("codecs")[0].At("name").AsString(), "bytes");
  const JsonNode shard = Json(Run({"stat", "--shard", "0,1", "--json"}).out);
  EXPECT_EQ(shard.At("key").AsString(), "a/0.1");
  EXPECT_EQ(shard.At("shape").Dump(), "[4,4]");
  EXPECT_EQ(shard.At("region").Dump(), R"({"start":[0,4],"count":[3,1]})");
  EXPECT_EQ(shard.At("codecs")[0].At("name").AsString(), "sharding_indexed");
  // The bytes at the offset are those of the inner chunk.
  const std::string raw = Run({"cat", "--chunk", "1,2", "--raw"}).out;
  EXPECT_EQ(raw, Get("a/0.1").substr(static_cast<std::size_t>(inner.At("offset").AsInt64()), 8));
  EXPECT_EQ(raw.substr(0, 2), std::string("\x0e\0", 2));
  EXPECT_EQ(Run({"cat", "--shard", "0,1", "--raw"}).out, Get("a/0.1"));
  EXPECT_EQ(Run({"cat", "--shard", "0,1", "--text"}).out, "4\n9\n14\n");
}

TEST_F(Chunk, Values) {
  EXPECT_EQ(Run({"cat", "--chunk", "0,1"}).out, AsBytesOf({2, 3, 7, 8}));
  EXPECT_EQ(Run({"cat", "--chunk", "0,2"}).out, AsBytesOf({4, 9}));  // inside the array
  EXPECT_EQ(Run({"cat", "--chunk", "0,1", "--text"}).out, "2 3\n7 8\n");
  EXPECT_EQ(Run({"cat", "--chunk", "0,1", "--raw"}).out, Get("a/0.1"));
}

TEST_F(Chunk, ValuesOfAnAbsentOne) {
  FilesystemStore(folder_).Erase("a/0.2");
  EXPECT_EQ(Run({"cat", "--chunk", "0,2", "--text"}).out, "-1\n-1\n");
  const Result result = Run({"cat", "--chunk", "0,2", "--raw"});
  EXPECT_EQ(result.code, kFailure);
  EXPECT_NE(result.err.find("a/0.2: nothing is stored"), std::string::npos) << result.err;
}

TEST_F(Chunk, TextOfPlanesAndOtherTypes) {
  const auto print = [&](const std::string& dtype, const std::string& shape, const std::string& value,
                         const std::string& more = "") {
    std::filesystem::remove_all(folder_ + "/a");
    Set("a/.zarray", R"({"zarr_format": 2, "dtype": ")" + dtype + R"(", "fill_value": null, "order": "C", "shape": )" +
                         shape + R"(, "chunks": )" + shape + R"(, "compressor": null, "filters": )" +
                         (more.empty() ? "null" : more) + "}");
    if (shape == "[]") {
      Set("a/0", value);
      return Run({"cat", "--text"}).out;
    }
    Set(shape == "[2,1,2]" ? "a/0.0.0" : "a/0", value);
    return Run({"cat", "--chunk", shape == "[2,1,2]" ? "0,0,0" : "0", "--text"}).out;
  };
  using namespace std::string_literals;
  EXPECT_EQ(print("|u1", "[2,1,2]", "\1\2\3\4"), "1 2\n\n3 4\n");
  EXPECT_EQ(print("<f4", "[3]", "\xcd\xcc\xcc\x3d\0\0\xc0\x7f\0\0\x80\xff"s), "0.1 nan -inf\n");
  EXPECT_EQ(print("<f2", "[2]", "\0\x3c\0\x7e"s), "1.0 NaN\n");
  EXPECT_EQ(print("|b1", "[2]", "\0\1"s), "false true\n");
  EXPECT_EQ(print("<i4", "[]", "\7\0\0\0"s), "7\n");
  EXPECT_EQ(print("|O", "[2]", "\2\0\0\0\1\0\0\0a\2\0\0\0b\""s, R"([{"id": "vlen-utf8"}])"), "\"a\" \"b\\\"\"\n");
  EXPECT_EQ(print("<U2", "[2]", "\xe9\0\0\0\0\0\0\0\"\0\0\0\n\0\0\0"s), "\"é\" \"\\\"\\n\"\n");
  EXPECT_EQ(print("|S3", "[2]", "xx\0yyy"s), "\"eHgA\" \"eXl5\"\n");
  EXPECT_EQ(print("<M8[D]", "[2]", "\x0b\x4d\0\0\0\0\0\0\0\0\0\0\0\0\0\x80"s), "2024-01-01 NaT\n");
  EXPECT_EQ(print("|O", "[1]", "\1\0\0\0\1\0\0\0a"s, R"([{"id": "vlen-utf8"}])"), "\"a\"\n");
  const Result bytes = Run({"cat", "--chunk", "0"});
  EXPECT_EQ(bytes.code, kFailure);
  EXPECT_NE(bytes.err.find("--text"), std::string::npos) << bytes.err;
}

TEST_F(Chunk, PlacesBeyondTheGrid) {
  const auto error = [&](const std::vector<std::string>& arguments) {
    const Result result = Run(arguments);
    EXPECT_EQ(result.code, kUsage);
    return result.err;
  };
  EXPECT_NE(error({"stat", "--chunk", "0,3"}).find("--chunk: expected indices below [2,3], got [0,3]"),
            std::string::npos);
  EXPECT_NE(error({"cat", "--chunk", "0"}).find("--chunk: expected 2 indices, got [0]"), std::string::npos);
  EXPECT_NE(error({"stat"}).find("--chunk or --shard is needed, with 2 indices"), std::string::npos);
  EXPECT_NE(error({"stat", "--shard", "0,0"}).find("no shards"), std::string::npos);
  MakeShards();
  EXPECT_NE(error({"stat", "--chunk", "0,3"}).find("--chunk: expected indices below [2,3], got [0,3]"),
            std::string::npos);
  EXPECT_NE(error({"stat", "--shard", "1,0"}).find("--shard: expected indices below [1,2], got [1,0]"),
            std::string::npos);
}

TEST_F(Chunk, ADamagedOne) {
  Set("a/0.1", "x");
  EXPECT_EQ(Run({"cat", "--chunk", "0,1"}).code, kFailure);
  EXPECT_EQ(Run({"cat", "--chunk", "0,1", "--raw"}).out, "x");
  EXPECT_NE(Run({"stat", "--chunk", "0,1"}).out.find("bytes stored    1\n"), std::string::npos);
}

/// Does something when the first bytes are printed, and forgets them.
class Watching final : public std::streambuf {
 public:
  explicit Watching(std::function<void()> first) : first_(std::move(first)) {}

 protected:
  std::streamsize xsputn(const char*, std::streamsize count) override {
    if (first_) std::exchange(first_, nullptr)();
    return count;
  }

 private:
  std::function<void()> first_;
};

TEST_F(Chunk, AValueThatIsReplacedWhileItIsPrintedIsAnError) {
  constexpr std::uintmax_t kSize = 70'000'000;  // is printed in two pieces
  const std::string file = folder_ + "/large/0";
  Set("large/.zarray", R"({"zarr_format": 2, "dtype": "|u1", "fill_value": 0, "order": "C", "shape": [70000000],
                           "chunks": [70000000], "filters": null, "compressor": null})");
  Set("large/0", "x");
  std::filesystem::resize_file(file, kSize);
  CatOptions options;
  options.chunk.path = "large";
  options.chunk.index = {0};
  options.form = CatOptions::Form::kRaw;
  const auto print = [&](const std::function<void()>& meanwhile) {
    Watching watching(meanwhile);
    std::ostream out(&watching);
    PrintChunk(std::make_shared<FilesystemStore>(folder_), options, out);
  };
  print([] {});
  const auto replace = [&] {
    Set("large/1", "y");
    std::filesystem::resize_file(folder_ + "/large/1", kSize);
    std::filesystem::rename(folder_ + "/large/1", file);
  };
  EXPECT_THROW(print(replace), Error);
}

}  // namespace
}  // namespace zarr::tools
