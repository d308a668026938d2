// SPDX-License-Identifier: MIT
#include "zarrlib/metadata/implied_codecs.h"

#include "autotest/cpp/support/test_util.h"

namespace zarr {
namespace {

using test::Json;

std::string CodecsWithImplied(const std::string& codecs, std::size_t warnings, bool names_dimensions = true) {
  const std::string names = names_dimensions ? R"(, "dimension_names": null)" : "";
  const JsonNode document = Json(R"({"shape": [4], "codecs": )" + codecs + names + "}");
  std::vector<CodecSpec> specs = ParseCodecsV3(document.At("codecs"));
  std::vector<std::string> said;
  AddImpliedInnerCodecs(document, &specs, &said);
  EXPECT_EQ(said.size(), warnings) << codecs;
  return specs[0].configuration.Dump();
}

std::string Shard(const std::string& members) {
  return R"([{"name":"sharding_indexed","configuration":{)" + members + "}}]";
}

const std::string kImpliedBytes = R"({"name":"bytes","configuration":{"endian":"little"}})";
const std::string kIndex = R"("index_codecs":[)" + kImpliedBytes + R"(,{"name":"crc32c","configuration":{}}])";

TEST(ImpliedCodecs, BytesStandsBehindTransposeAndBeforeCompression) {
  EXPECT_EQ(CodecsWithImplied(Shard(R"("codecs":["transpose","gzip"],"index_codecs":["bytes"])"), 1),
            R"({"codecs":["transpose",)" + kImpliedBytes + R"(,"gzip"],"index_codecs":["bytes"]})");
  EXPECT_EQ(CodecsWithImplied(Shard(R"("codecs":[])"), 2), R"({"codecs":[)" + kImpliedBytes + "]," + kIndex + "}");
}

TEST(ImpliedCodecs, ShardsWithinShards) {
  const std::string inner = R"("codecs":["gzip"])";
  EXPECT_EQ(CodecsWithImplied(Shard(R"("codecs":)" + Shard(inner) + R"(,"index_codecs":["bytes"])"), 2),
            R"({"codecs":[{"name":"sharding_indexed","configuration":{"codecs":[)" + kImpliedBytes + R"(,"gzip"],)" +
                kIndex + R"(}}],"index_codecs":["bytes"]})");
}

TEST(ImpliedCodecs, OtherListsStayAsTheyAre) {
  for (const char* members : {R"("codecs":["bytes"])", R"("codecs":["zstd"])", R"("codecs":"gzip")", R"("a":1)"}) {
    EXPECT_EQ(CodecsWithImplied(Shard(members), 0), "{" + std::string(members) + "}");
  }
  EXPECT_EQ(CodecsWithImplied(Shard(R"("codecs":["gzip"])"), 0, false), R"({"codecs":["gzip"]})");
}

}  // namespace
}  // namespace zarr
