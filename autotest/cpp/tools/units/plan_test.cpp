// SPDX-License-Identifier: MIT
#include <streambuf>

#include "autotest/cpp/support/zarrkit_test_util.h"
#include "zarrlib/base/system/file_names.h"

namespace zarr::tools {
namespace {

using test::Json;
using test::Result;
using test::Zarrkit;

constexpr std::string_view kGroup = R"({"zarr_format": 3, "node_type": "group"})";
constexpr std::string_view kPlain = R"([{"name": "bytes", "configuration": {"endian": "little"}}])";

std::string RegularGrid(const std::string& edges) {
  return R"({"name": "regular", "configuration": {"chunk_shape": )" + edges + "}}";
}

/// A store of v3, whose arrays have no chunks.
class Plan : public test::FolderTest {
 protected:
  Plan() {
    Set("zarr.json", kGroup);
    PutArray("a", "[5, 600]", RegularGrid("[2, 256]"));
  }

  void PutArray(const std::string& path, const std::string& shape, const std::string& grid,
                std::string_view codecs = kPlain) const {
    Set(path + "/zarr.json", R"({"zarr_format": 3, "node_type": "array", "data_type": "int16", "fill_value": 0,)"
                             R"("chunk_key_encoding": "default", "shape": )" +
                                 shape + R"(, "chunk_grid": )" + grid + R"(, "codecs": )" + std::string(codecs) + "}");
  }
  Result GetPlan(const std::string& array, const std::vector<std::string>& options = {}) const {
    std::vector<std::string> arguments = {"plan", folder_, "--array", array};
    arguments.insert(arguments.end(), options.begin(), options.end());
    return Zarrkit(arguments);
  }
  void ExpectRefused(const std::string& region, const std::string& message) const {
    const Result result = GetPlan("a", {"--region", region});
    EXPECT_EQ(result.code, kUsage) << region;
    EXPECT_EQ(result.out, "") << region;
    EXPECT_EQ(result.err, "zarrkit: " + folder_ + "/a: --region: " + message + "\nTry zarrkit plan --help.\n");
  }
};

TEST_F(Plan, HasALineForEachChunk) {
  const Result result = GetPlan("/a");
  EXPECT_EQ(result.code, kSuccess) << result.err;
  EXPECT_EQ(result.out,
            "0:2,0:256\n0:2,256:512\n0:2,512:600\n"
            "2:4,0:256\n2:4,256:512\n2:4,512:600\n"
            "4:5,0:256\n4:5,256:512\n4:5,512:600\n");
}

TEST_F(Plan, IsAJsonObject) {
  const Result result = GetPlan("a", {"--json", "--region", "0:3,512:"});
  EXPECT_EQ(result.code, kSuccess) << result.err;
  EXPECT_EQ(result.out,
            R"({"array":"/a","shape":[5,600],"region":{"start":[0,512],"count":[3,88]},"unit":"chunk","units":[)"
            "\n{\"start\":[0,512],\"count\":[2,88]},"
            "\n{\"start\":[2,512],\"count\":[1,88],\"partial\":true}]}\n");
  EXPECT_EQ(Json(result.out).At("units").size(), 2u);
}

TEST_F(Plan, NamesArraysWithQuotesInJson) {
  if (!FindNameFault("a\"b").empty()) GTEST_SKIP() << "this system forbids such names";
  PutArray("a\"b", "[1]", RegularGrid("[1]"));
  EXPECT_EQ(Json(GetPlan("a\"b", {"--json"}).out).At("array").AsString(), "/a\"b");
}

TEST_F(Plan, HasTheShardsOfAShardedArray) {
  PutArray("s", "[100]", RegularGrid("[64]"),
           R"([{"name": "sharding_indexed", "configuration": {"chunk_shape": [16], "codecs": )" + std::string(kPlain) +
               R"(, "index_codecs": )" + std::string(kPlain) + "}}]");
  const JsonNode plan = Json(GetPlan("s", {"--json"}).out);
  EXPECT_EQ(plan.At("unit").AsString(), "shard");
  EXPECT_EQ(plan.At("units").Dump(), R"([{"start":[0],"count":[64]},{"start":[64],"count":[36]}])");
}

TEST_F(Plan, HasTheEdgesOfARectilinearGrid) {
  PutArray("r", "[90]",
           R"({"name": "rectilinear", "configuration": {"kind": "inline", "chunk_shapes": [[31, 28, 31]]}})");
  EXPECT_EQ(GetPlan("r").out, "0:31\n31:59\n59:90\n");
  EXPECT_EQ(GetPlan("r", {"--region", "31:60"}).out, "31:59\n59:60 partial\n");
}

TEST_F(Plan, OfAnEmptyOrScalarArray) {
  PutArray("e", "[3, 0]", RegularGrid("[2, 2]"));
  EXPECT_EQ(GetPlan("e").out, "");
  EXPECT_EQ(GetPlan("e", {"--region", ":,:"}).out, "");
  EXPECT_EQ(Json(GetPlan("e", {"--json"}).out).At("units").size(), 0u);
  PutArray("scalar", "[]", RegularGrid("[]"));
  EXPECT_EQ(GetPlan("scalar").out, "...\n");
  EXPECT_EQ(Json(GetPlan("scalar", {"--json"}).out).At("units").Dump(), R"([{"start":[],"count":[]}])");
}

TEST_F(Plan, OfAnArrayThatIsTheRoot) {
  PutArray("root", "[2]", RegularGrid("[2]"));
  EXPECT_EQ(Zarrkit({"plan", folder_ + "/root", "--array", "/"}).out, "0:2\n");
  EXPECT_EQ(Json(Zarrkit({"plan", folder_ + "/root", "--array", "/", "--json"}).out).At("array").AsString(), "/");
}

TEST_F(Plan, NeedsNoCodecs) {
  PutArray("u", "[4]", RegularGrid("[2]"), R"([{"name": "nobody_knows_this"}])");
  EXPECT_EQ(GetPlan("u").out, "0:2\n2:4\n");
}

TEST_F(Plan, OfARegion) {
  EXPECT_EQ(GetPlan("a", {"--region", "-1:,:256"}).out, "4:5,0:256\n");
  EXPECT_EQ(GetPlan("a", {"--region=:-3,-88:"}).out, "0:2,512:600\n");
  EXPECT_EQ(GetPlan("a", {"--region", "1:2,0:600"}).out,
            "1:2,0:256 partial\n1:2,256:512 partial\n1:2,512:600 partial\n");
  EXPECT_EQ(GetPlan("a", {"--region", "3:3,:"}).out, "");
}

TEST_F(Plan, RefusesRegionsThatMakeNoSense) {
  ExpectRefused("0:5", "expected START:STOP for each of 2 dimensions, with commas between them, got 0:5");
  ExpectRefused("0:5,0:6,", "expected START:STOP for each of 2 dimensions, with commas between them, got 0:5,0:6,");
  ExpectRefused("0:5,7", "axis 1: expected START:STOP, got 7");
  ExpectRefused(",:", "axis 0: expected START:STOP, got nothing");
  ExpectRefused("0:x,:", "axis 0: expected an integer, got x");
  ExpectRefused("0:-,:", "axis 0: expected an integer, got -");
  ExpectRefused("0:5:2,:", "axis 0: expected an integer, got 5:2");
  ExpectRefused("0:+5,:", "axis 0: expected an integer, got +5");
  ExpectRefused("0:6,:", "axis 0: expected a number inside an axis of length 5, got 6");
  ExpectRefused("-6:,:", "axis 0: expected a number inside an axis of length 5, got -6");
  ExpectRefused(":,0:99999999999999999999",
                "axis 1: expected a number inside an axis of length 600, got 99999999999999999999");
  ExpectRefused(":,-1:5", "axis 1: expected a stop that is not before the start, got -1:5");
}

TEST_F(Plan, RefusesArgumentsThatMakeNoSense) {
  EXPECT_EQ(Zarrkit({"plan", folder_}).code, kUsage);
  EXPECT_EQ(Zarrkit({"plan", folder_, "--region", ":"}).code, kUsage);
  EXPECT_EQ(GetPlan("a", {"--region="}).code, kUsage);
  const Result result = GetPlan("b");
  EXPECT_EQ(result.code, kFailure);
  EXPECT_EQ(result.err, "zarrkit: " + folder_ + "/b: expected an array, got none; nodes that are there: a\n");
}

TEST_F(Plan, IsOfTheDocumentsAndNotOfStaleConsolidatedMetadata) {
  Consolidate();
  PutArray("a", "[1, 1]", RegularGrid("[1, 1]"));
  EXPECT_EQ(GetPlan("a").out, "0:1,0:1\n");
}

/// Takes some bytes, and then no more.
class FullDevice final : public std::streambuf {
 public:
  int_type overflow(int_type) override { return traits_type::eof(); }
  std::streamsize xsputn(const char*, std::streamsize count) override {
    left_ -= std::min(left_, count);
    return left_ > 0 ? count : 0;
  }

 private:
  std::streamsize left_ = 1 << 18;
};

TEST_F(Plan, OfAHugeArrayIsStreamed) {
  PutArray("h", "[1000000000000, 1000000000000]", RegularGrid("[1, 1]"));
  FullDevice device;
  std::ostream out(&device);
  std::ostringstream err;
  EXPECT_EQ(RunZarrkit({"plan", folder_, "--array", "h"}, out, err), kFailure);
  EXPECT_EQ(err.str(), "zarrkit: the output cannot be written\n");
}

}  // namespace
}  // namespace zarr::tools
