// SPDX-License-Identifier: MIT
#include "zarrlib/grid/chunk_axis.h"

#include <random>

#include "autotest/cpp/support/test_util.h"

namespace zarr {
namespace {

using test::ExpectError;
using test::Json;

ChunkAxis Axis(std::uint64_t extent, std::string_view json) {
  return ChunkAxis::FromJson(extent, Json(json));
}

void ExpectRuns(const ChunkAxis& axis, const std::vector<ChunkRun>& expected) {
  EXPECT_EQ(std::vector<ChunkRun>(axis.runs().begin(), axis.runs().end()), expected);
}

/// Returns "start+live/encoded" for each chunk.
std::string ChunksOf(const ChunkAxis& axis) {
  std::string text;
  for (std::uint64_t i = 0; i < axis.chunk_count(); ++i) {
    const ChunkSpan span = axis.At(i);
    EXPECT_EQ(span.index, i);
    text += (i > 0 ? " " : "") + std::to_string(span.start) + "+" + std::to_string(span.live) + "/" +
            std::to_string(span.encoded);
  }
  return text;
}

void ExpectSpan(const ChunkSpan& span, std::uint64_t index, std::uint64_t start, std::uint64_t live,
                std::uint64_t encoded) {
  EXPECT_EQ(span.index, index);
  EXPECT_EQ(span.start, start);
  EXPECT_EQ(span.live, live);
  EXPECT_EQ(span.encoded, encoded);
}

// --- regular -----------------------------------------------------------------------------------------------------

TEST(ChunkAxis, RegularStepsCoverTheExtent) {
  EXPECT_EQ(ChunksOf(ChunkAxis::MakeRegular(10, 3)), "0+3/3 3+3/3 6+3/3 9+1/3");
  EXPECT_EQ(ChunksOf(ChunkAxis::MakeRegular(6, 3)), "0+3/3 3+3/3");
  EXPECT_EQ(ChunksOf(ChunkAxis::MakeRegular(2, 10)), "0+2/10");
  EXPECT_TRUE(ChunkAxis::MakeRegular(10, 3).uniform());
  EXPECT_EQ(ChunkAxis::MakeRegular(10, 3).max_edge(), 3u);
}

TEST(ChunkAxis, RegularOfNothingHasNoChunks) {
  const ChunkAxis axis = ChunkAxis::MakeRegular(0, 3);
  EXPECT_EQ(axis.chunk_count(), 0u);
  EXPECT_EQ(axis.max_edge(), 3u);
  EXPECT_TRUE(axis.uniform());
}

TEST(ChunkAxis, RegularRefusesEdgeZero) {
  ExpectError([] { ChunkAxis::MakeRegular(6, 0); }, ErrorKind::kCorrupt, "", "at least 1");
}

TEST(ChunkAxis, RegularOfTheLargestExtents) {
  const ChunkAxis axis = ChunkAxis::MakeRegular(UINT64_MAX, std::uint64_t{1} << 63);
  EXPECT_EQ(axis.chunk_count(), 2u);
  ExpectSpan(axis.Locate(UINT64_MAX - 1), 1, std::uint64_t{1} << 63, (std::uint64_t{1} << 63) - 1,
             std::uint64_t{1} << 63);
  EXPECT_EQ(ChunkAxis::MakeRegular(UINT64_MAX, 1).chunk_count(), UINT64_MAX);
  ExpectSpan(ChunkAxis::MakeRegular(UINT64_MAX, 1).Locate(UINT64_MAX - 1), UINT64_MAX - 1, UINT64_MAX - 1, 1, 1);
  ExpectSpan(ChunkAxis::MakeRegular(6, UINT64_MAX).Locate(5), 0, 0, 6, UINT64_MAX);
}

// --- the forms of the rectilinear grid ---------------------------------------------------------------------------

/// The example of the specification, each form on an axis of length 6.
TEST(ChunkAxis, ExampleInteger) {
  EXPECT_EQ(ChunksOf(Axis(6, "4")), "0+4/4 4+2/4");
}

TEST(ChunkAxis, ExampleExplicitList) {
  EXPECT_EQ(ChunksOf(Axis(6, "[1, 2, 3]")), "0+1/1 1+2/2 3+3/3");
  ExpectRuns(Axis(6, "[1, 2, 3]"), {{1, 1}, {2, 1}, {3, 1}});
}

TEST(ChunkAxis, ExampleRunLengths) {
  EXPECT_EQ(ChunksOf(Axis(6, "[[4, 2]]")), "0+4/4 4+2/4");
  ExpectRuns(Axis(6, "[[4, 2]]"), {{4, 2}});
}

TEST(ChunkAxis, ExampleRunLengthsAndEdges) {
  EXPECT_EQ(ChunksOf(Axis(6, "[[1, 3], 3]")), "0+1/1 1+1/1 2+1/1 3+3/3");
  ExpectRuns(Axis(6, "[[1, 3], 3]"), {{1, 3}, {3, 1}});
}

TEST(ChunkAxis, ExampleOverflowChunks) {
  const ChunkAxis axis = Axis(6, "[4, 4, 4]");
  EXPECT_EQ(ChunksOf(axis), "0+4/4 4+2/4");  // the third chunk is declared, but holds nothing
  ExpectRuns(axis, {{4, 3}});
}

TEST(ChunkAxis, TwoIntegersAreTwoEdgesAndNotARun) {
  EXPECT_EQ(ChunksOf(Axis(6, "[4, 2]")), "0+4/4 4+2/2");
}

TEST(ChunkAxis, OneEdgeMayBeLongerThanTheExtent) {
  EXPECT_EQ(ChunksOf(Axis(6, "[10]")), "0+6/10");
  EXPECT_EQ(ChunksOf(Axis(6, "10")), "0+6/10");
}

TEST(ChunkAxis, OverflowChunksOfOtherEdgesDoNotCount) {
  const ChunkAxis axis = Axis(6, "[3, 3, 100, [7, 5]]");
  EXPECT_EQ(axis.chunk_count(), 2u);
  EXPECT_TRUE(axis.uniform());
  EXPECT_EQ(axis.max_edge(), 3u);
  ExpectRuns(axis, {{3, 2}, {100, 1}, {7, 5}});
}

TEST(ChunkAxis, NoExtentHasNoChunks) {
  const ChunkAxis axis = Axis(0, "[3, 5]");
  EXPECT_EQ(axis.chunk_count(), 0u);
  EXPECT_TRUE(axis.uniform());
  EXPECT_EQ(axis.max_edge(), 5u);
}

TEST(ChunkAxis, EqualNeighboursAreOneRun) {
  ExpectRuns(Axis(12, "[2, 2, [2, 3], 1, 1]"), {{2, 5}, {1, 2}});
}

TEST(ChunkAxis, UniformMeansThatLiveChunksAreEqual) {
  EXPECT_TRUE(Axis(6, "[[2, 3]]").uniform());
  EXPECT_TRUE(Axis(6, "[10, 3]").uniform());
  EXPECT_TRUE(Axis(4, "[2, 2, 3]").uniform());
  EXPECT_FALSE(Axis(5, "[2, 2, 3]").uniform());
  EXPECT_EQ(Axis(5, "[2, 2, 3]").max_edge(), 3u);
}

// --- boundaries --------------------------------------------------------------------------------------------------

TEST(ChunkAxis, AnIndexOnABoundaryBelongsToTheNextChunk) {
  const ChunkAxis rows = Axis(26, "[16, 10]");
  ExpectSpan(rows.Locate(15), 0, 0, 16, 16);
  ExpectSpan(rows.Locate(16), 1, 16, 10, 10);
  ExpectSpan(rows.Locate(25), 1, 16, 10, 10);
  const ChunkAxis columns = Axis(38, "[24, 14]");
  ExpectSpan(columns.Locate(23), 0, 0, 24, 24);
  ExpectSpan(columns.Locate(24), 1, 24, 14, 14);
  ExpectSpan(columns.Locate(37), 1, 24, 14, 14);
}

/// Random runs, compared with the edges written out.
TEST(ChunkAxis, AgreesWithTheExpandedEdges) {
  std::mt19937 random(7);
  for (int round = 0; round < 300; ++round) {
    std::vector<ChunkRun> runs;
    std::vector<std::uint64_t> edges;
    std::uint64_t sum = 0;
    for (std::size_t n = 1 + random() % 5; n > 0; --n) {
      const ChunkRun run{1 + random() % 6, 1 + random() % 4};
      runs.push_back(run);
      edges.insert(edges.end(), run.count, run.edge);
      sum += run.edge * run.count;
    }
    const std::uint64_t extent = random() % (sum + 1);
    const ChunkAxis axis = ChunkAxis::FromRuns(extent, runs);
    std::uint64_t start = 0;
    std::uint64_t chunk = 0;
    for (; start < extent; start += edges[chunk++]) {
      const std::uint64_t live = std::min(edges[chunk], extent - start);
      ExpectSpan(axis.At(chunk), chunk, start, live, edges[chunk]);
      for (std::uint64_t i = start; i < start + live; ++i) ExpectSpan(axis.Locate(i), chunk, start, live, edges[chunk]);
    }
    EXPECT_EQ(axis.chunk_count(), chunk);
  }
}

// --- huge runs ---------------------------------------------------------------------------------------------------

TEST(ChunkAxis, HugeRunsAreNotExpanded) {
  const ChunkAxis axis = Axis(1000000000000, "[[1, 1000000000000]]");
  EXPECT_EQ(axis.runs().size(), 1u);
  EXPECT_EQ(axis.chunk_count(), 1000000000000u);
  ExpectSpan(axis.Locate(999999999999), 999999999999, 999999999999, 1, 1);
  ExpectSpan(axis.At(123456789012), 123456789012, 123456789012, 1, 1);
}

TEST(ChunkAxis, RunsOfTheLargestNumbers) {
  const ChunkAxis axis = Axis(10, "[[1, 9], [2, 9223372036854775802]]");
  EXPECT_EQ(axis.chunk_count(), 10u);
  ExpectRuns(axis, {{1, 9}, {2, 9223372036854775802}});
  EXPECT_EQ(ChunkAxis::FromRuns(UINT64_MAX, {{UINT64_MAX, 1}}).chunk_count(), 1u);
  EXPECT_EQ(ChunkAxis::FromRuns(UINT64_MAX, {{1, UINT64_MAX}}).chunk_count(), UINT64_MAX);
}

TEST(ChunkAxis, RefusesSumsBeyond64Bits) {
  for (const char* json : {"[[2, 9223372036854775808]]", "[[4294967296, 4294967296]]", "[18446744073709551615, 1]",
                           "[[1, 18446744073709551615], [1, 1]]", "[[1, 18446744073709551615], 2]",
                           "[[18446744073709551615, 18446744073709551615]]"}) {
    SCOPED_TRACE(json);
    ExpectError([&] { Axis(6, json); }, ErrorKind::kCorrupt, "", "fits into 64 bits");
  }
}

// --- errors ------------------------------------------------------------------------------------------------------

TEST(ChunkAxis, RefusesSumsBelowTheExtent) {
  ExpectError([] { Axis(6, "[1, 2, 2]"); }, ErrorKind::kCorrupt, "", "at least 6, got a sum of 5");
  ExpectError([] { Axis(6, "[[2, 2]]"); }, ErrorKind::kCorrupt, "", "at least 6, got a sum of 4");
  EXPECT_NO_THROW(Axis(5, "[1, 2, 2]"));
}

TEST(ChunkAxis, RefusesAnEmptyList) {
  ExpectError([] { Axis(6, "[]"); }, ErrorKind::kCorrupt, "", "at least one chunk edge, got none");
  ExpectError([] { Axis(0, "[]"); }, ErrorKind::kCorrupt, "", "at least one chunk edge, got none");
}

TEST(ChunkAxis, RefusesWhatIsNoEdge) {
  const std::pair<const char*, const char*> wrong[] = {{"0", ""},
                                                       {"-4", ""},
                                                       {"4.0", ""},
                                                       {"\"4\"", ""},
                                                       {"null", ""},
                                                       {"true", ""},
                                                       {"{}", ""},
                                                       {"[6, 0]", "/1"},
                                                       {"[-5, 11]", "/0"},
                                                       {"[6.0]", "/0"},
                                                       {"[null]", "/0"},
                                                       {"[\"6\"]", "/0"},
                                                       {"[true]", "/0"},
                                                       {"[{}]", "/0"},
                                                       {"1e1", ""},
                                                       {"[1e1]", "/0"},
                                                       {"[NaN]", "/0"},
                                                       {"NaN", ""},
                                                       {"18446744073709551616", ""},
                                                       {"[18446744073709551616]", "/0"}};
  for (const auto& [json, pointer] : wrong) {
    SCOPED_TRACE(json);
    ExpectError([&, &json = json] { Axis(6, json); }, ErrorKind::kCorrupt, pointer, "expected a positive integer");
  }
}

TEST(ChunkAxis, RefusesWrongPairs) {
  const std::pair<const char*, const char*> wrong[] = {
      {"[[6]]", "/0"},         {"[[]]", "/0"},          {"[1, [5, 1, 1]]", "/1"}, {"[[6, 0]]", "/0/1"},
      {"[[0, 6]]", "/0/0"},    {"[[6, -1]]", "/0/1"},   {"[[-6, 1]]", "/0/0"},    {"[[6.0, 1]]", "/0/0"},
      {"[[6, 1.0]]", "/0/1"},  {"[[6, null]]", "/0/1"}, {"[[6, \"1\"]]", "/0/1"}, {"[[[3, 2], 1]]", "/0/0"},
      {"[[6, true]]", "/0/1"}, {"[[6, [1]]]", "/0/1"},  {"[[6, 1e30]]", "/0/1"}};
  for (const auto& [json, pointer] : wrong) {
    SCOPED_TRACE(json);
    ExpectError([&, &json = json] { Axis(6, json); }, ErrorKind::kCorrupt, pointer, "expected a p");
  }
}

TEST(ChunkAxis, RefusesRunsOfNothing) {
  ExpectError([] { ChunkAxis::FromRuns(6, {{0, 3}}); }, ErrorKind::kCorrupt, "", "positive");
  ExpectError([] { ChunkAxis::FromRuns(6, {{6, 1}, {1, 0}}); }, ErrorKind::kCorrupt, "", "positive");
  ExpectError([] { ChunkAxis::FromRuns(0, {}); }, ErrorKind::kCorrupt, "", "at least one");
}

}  // namespace
}  // namespace zarr
