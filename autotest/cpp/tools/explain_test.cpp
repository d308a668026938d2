// SPDX-License-Identifier: MIT
#include "autotest/cpp/support/zarrkit_test_util.h"
#include "zarrlib/hierarchy/editable_hierarchy.h"

namespace zarr::tools {
namespace {

using test::Result;

class Explain : public test::FolderTest {
 protected:
  Result Run(const std::vector<std::string>& options = {}, const std::string& array = "a") const {
    std::vector<std::string> arguments = {"explain", folder_, "--array", array};
    arguments.insert(arguments.end(), options.begin(), options.end());
    return test::Zarrkit(arguments);
  }
  JsonNode RunJson(std::vector<std::string> options, const std::string& array = "a") const {
    options.emplace_back("--json");
    const Result result = Run(options, array);
    EXPECT_EQ(result.code, kSuccess) << result.err;
    return test::Json(result.out);
  }
  static std::string GetMember(const JsonNode& object, const std::string& name) {
    const auto member = object.Find(name);
    return member ? member->Dump() : "(absent)";
  }
  void MakeShards(const std::string& shape = "[40, 40]", const std::string& shard = "[20, 20]") const {
    Set("s/zarr.json", R"({"zarr_format": 3, "node_type": "array", "data_type": "int16", "fill_value": -1,
      "chunk_key_encoding": {"name": "default"}, "shape": )" +
                           shape + R"(, "chunk_grid": {"name": "regular", "configuration": {"chunk_shape": )" + shard +
                           R"(}}, "codecs": [{"name": "sharding_indexed", "configuration": {"chunk_shape": [10, 10],
      "codecs": [{"name": "bytes", "configuration": {"endian": "little"}}],
      "index_codecs": [{"name": "bytes", "configuration": {"endian": "little"}}]}}]})");
  }
  void Fill(const std::string& path, const Box& box) const {
    const auto writer =
        ArrayWriter::Make(EditableHierarchy::Open(std::make_shared<FilesystemStore>(folder_))->OpenArray(path));
    const std::vector<std::int16_t> values(static_cast<std::size_t>(ComputeProduct(box.shape)), 5);
    writer->Write(Selection::FromBox(box),
                  {reinterpret_cast<const std::byte*>(values.data()), GetContiguousStrides(box.shape, 2), nullptr});
    writer->Flush();
  }
};

TEST_F(Explain, CountsTheChunksOfAWindow) {
  MakeArray("a", {40, 60}, {10, 20});
  const JsonNode all = RunJson({"--window", "15,8,10,4"});
  EXPECT_EQ(GetMember(all, "region"), R"({"start":[8,15],"count":[4,10]})");
  EXPECT_EQ(GetMember(all, "chunks"), R"({"touched":4,"stored":4})");
  EXPECT_EQ(GetMember(all, "requests_at_least"), "4");
  EXPECT_EQ(GetMember(all, "round_trips_at_least"), "1");
  EXPECT_EQ(GetMember(all, "stored_bytes"), "1600");
  EXPECT_EQ(GetMember(all, "decoded_bytes"), "1600");
  EXPECT_EQ(GetMember(all, "used_share"), "0.05");
}

TEST_F(Explain, PrintsText) {
  MakeArray("a", {40, 60}, {10, 20});
  EXPECT_EQ(Run({"--region", "0:10,:"}).out,
            "/a, region 0:10,0:60\n"
            "chunks          3\n"
            "requests        at least 3, in at least 1 round trip\n"
            "bytes stored    1200\n"
            "bytes decoded   1200\n"
            "values used     100 % of 600 decoded ones\n"
            "The chunks suit this region.\n");
}

TEST_F(Explain, FewBytesMayBeLeftUnused) {
  MakeArray("a", {40, 60}, {10, 20});
  EXPECT_TRUE(Run({"--region", "0:2,0:20"})
                  .out.ends_with("values used     20 % of 200 decoded ones\nFew of the values that arrive are used, "
                                 "but so few bytes, up to 131072, "
                                 "take less time than one more request: the chunks suit this region.\n"));
}

TEST_F(Explain, AbsentChunksTakeRequests) {
  MakeArray("a", {40, 40}, {10, 10});
  std::filesystem::remove(folder_ + "/a/0.0");
  const JsonNode all = RunJson({"--window", "0,0,20,10"});
  EXPECT_EQ(GetMember(all, "chunks"), R"({"touched":2,"stored":1})");
  EXPECT_EQ(GetMember(all, "requests_at_least"), "2");
  EXPECT_EQ(GetMember(all, "stored_bytes"), "200");
  EXPECT_NE(Run({"--window", "0,0,5,5"}).out.find("Nothing is stored here, but each chunk or shard takes a request"),
            std::string::npos);
}

TEST_F(Explain, ReadsTheIndicesOfShards) {
  MakeShards();
  Fill("s", {{0, 0}, {30, 20}});
  const JsonNode all = RunJson({"--region", "5:25,0:40"}, "s");
  EXPECT_EQ(GetMember(all, "shards"), R"({"touched":4,"stored":2})");
  EXPECT_EQ(GetMember(all, "inner_chunks"), R"({"touched":6,"stored":6})");
  EXPECT_EQ(GetMember(all, "requests_at_least"), "4") << "inner chunks of small shards come with the index";
  EXPECT_EQ(GetMember(all, "round_trips_at_least"), "1");
  EXPECT_EQ(GetMember(all, "index_bytes"), "128");
  EXPECT_EQ(GetMember(all, "stored_bytes"), "1200");
}

TEST_F(Explain, InnerChunksFarFromTheIndexTakeARequest) {
  MakeShards("[400, 400]", "[400, 400]");
  Fill("s", {{0, 0}, {400, 400}});
  const JsonNode first = RunJson({"--window", "0,0,10,10"}, "s");
  EXPECT_EQ(GetMember(first, "requests_at_least"), "2");
  EXPECT_EQ(GetMember(first, "round_trips_at_least"), "2");
  const JsonNode last = RunJson({"--window", "390,390,10,10"}, "s");
  EXPECT_EQ(GetMember(last, "requests_at_least"), "1");
  EXPECT_EQ(GetMember(last, "round_trips_at_least"), "1");
  EXPECT_EQ(GetMember(last, "index_bytes"), "25600");
}

TEST_F(Explain, AnAbsentInnerChunkTakesTheIndexOnly) {
  MakeShards();
  Fill("s", {{0, 0}, {10, 10}});
  const JsonNode all = RunJson({"--window", "10,10,10,10"}, "s");
  EXPECT_EQ(GetMember(all, "inner_chunks"), R"({"touched":1,"stored":0})");
  EXPECT_EQ(GetMember(all, "requests_at_least"), "1");
  EXPECT_EQ(GetMember(all, "round_trips_at_least"), "1");
}

TEST_F(Explain, SaysThatChunksAreLarge) {
  MakeArray("a", {1000, 1000}, {1000, 1000});
  EXPECT_NE(Run({"--window", "0,0,10,10"}).out.find("chunks of 1000 x 1000 are large for such regions"),
            std::string::npos);
}

TEST_F(Explain, SaysThatThereAreManyRequests) {
  MakeArray("a", {100, 100}, {10, 10});
  EXPECT_NE(Run().out.find("Larger chunks, or shards of many chunks, would take fewer requests."), std::string::npos);
}

TEST_F(Explain, SaysThatShardsAreReadWhole) {
  MakeShards();
  const std::string document = Get("s/zarr.json");
  const std::string end = "]}}]}";
  Set("s/zarr.json",
      document.substr(0, document.rfind(end)) + R"(]}}, {"name": "gzip", "configuration": {"level": 1}}]})");
  Fill("s", {{0, 0}, {40, 40}});
  const Result result = Run({"--window", "0,0,5,5"}, "s");
  EXPECT_NE(result.out.find("A codec encodes each shard as a whole"), std::string::npos) << result.err << result.out;
  EXPECT_NE(result.out.find("at least 1, in at least 1 round trip"), std::string::npos);
}

TEST_F(Explain, NestedShardsHaveNestedIndices) {
  constexpr const char* kBytes = R"({"name": "bytes", "configuration": {"endian": "little"}})";
  const auto shards = [&](const std::string& edges, const std::string& codec) {
    return R"({"name": "sharding_indexed", "configuration": {"chunk_shape": )" + edges + R"(, "codecs": [)" + codec +
           R"(], "index_codecs": [)" + kBytes + "]}}";
  };
  Set("n/zarr.json", R"({"zarr_format": 3, "node_type": "array", "data_type": "int16", "fill_value": -1,
    "chunk_key_encoding": {"name": "default"}, "shape": [40, 40],
    "chunk_grid": {"name": "regular", "configuration": {"chunk_shape": [40, 40]}}, "codecs": [)" +
                         shards("[20, 20]", shards("[10, 10]", kBytes)) + "]}");
  Fill("n", {{0, 0}, {40, 40}});
  const JsonNode all = RunJson({}, "n");
  EXPECT_EQ(GetMember(all, "inner_chunks"), R"({"touched":16,"stored":16})");
  EXPECT_EQ(GetMember(all, "requests_at_least"), "1");
  EXPECT_EQ(GetMember(all, "round_trips_at_least"), "1");
  EXPECT_EQ(GetMember(all, "index_bytes"), "320");
}

TEST_F(Explain, SaysThatIndicesAreLarge) {
  MakeShards("[1000, 1000]", "[1000, 1000]");
  Fill("s", {{0, 0}, {10, 10}});
  EXPECT_NE(Run({"--window", "0,0,5,5"}, "s").out.find("The indices of the shards are larger"), std::string::npos);
}

TEST_F(Explain, SaysThatAChunkIsLarge) {
  MakeArray("a", {3000, 3000}, {3000, 3000});
  EXPECT_NE(Run().out.find("The largest chunk arrives over one connection"), std::string::npos);
}

TEST_F(Explain, TakesTheFirstIndexAlongOtherAxes) {
  MakeArray("a", {3, 40, 40}, {1, 10, 10});
  EXPECT_EQ(GetMember(RunJson({"--window", "0,0,40,40"}), "region"), R"({"start":[0,0,0],"count":[1,40,40]})");
}

TEST_F(Explain, RefusesWhatIsNoWindow) {
  MakeArray("a", {40, 60}, {10, 20});
  const std::string begin = "zarrkit: " + folder_ + "/a: --window: expected ";
  const std::string end = "\nTry zarrkit explain --help.\n";
  for (const std::string text : {"1,2,3", "1,2,3,4,5", "1,2,3,x", "-1,0,1,1", "a"}) {
    const Result result = Run({"--window", text});
    EXPECT_EQ(result.code, kUsage);
    EXPECT_EQ(result.err, std::string(begin).append("COLUMN,ROW,WIDTH,HEIGHT, got ").append(text).append(end));
  }
  EXPECT_EQ(Run({"--window", "50,0,11,1"}).err, begin + "a window inside 60 columns and 40 rows, got 50,0,11,1" + end);
  EXPECT_EQ(Run({"--window", "0,0,1,1", "--region", ":,:"}).code, kUsage);
}

TEST_F(Explain, NeedsAnArray) {
  const Result result = test::Zarrkit({"explain", folder_});
  EXPECT_EQ(result.code, kUsage);
  EXPECT_EQ(result.err, "zarrkit: --array is needed\nTry zarrkit explain --help.\n");
}

}  // namespace
}  // namespace zarr::tools
