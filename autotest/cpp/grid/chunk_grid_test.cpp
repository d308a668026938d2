// SPDX-License-Identifier: MIT
#include "zarrlib/grid/chunk_grid.h"

#include <map>
#include <random>

#include "autotest/cpp/support/test_util.h"
#include "zarrlib/base/compiler/list_order.h"

namespace zarr {
namespace {

using Kind = ChunkGrid::Kind;
using test::ExpectError;
using test::Json;

ChunkGrid MakeRegular(const Shape& array_shape, std::string_view chunk_shape) {
  return ChunkGrid::FromV3(
      array_shape, Json(R"({"name": "regular", "configuration": {"chunk_shape": )" + std::string(chunk_shape) + "}}"));
}

ChunkGrid Rectilinear(const Shape& array_shape, std::string_view chunk_shapes) {
  return ChunkGrid::FromV3(array_shape,
                           Json(R"({"name": "rectilinear", "configuration": {"kind": "inline", "chunk_shapes": )" +
                                std::string(chunk_shapes) + "}}"));
}

// --- reading -----------------------------------------------------------------------------------------------------

TEST(ChunkGrid, ReadsRegularGrids) {
  const ChunkGrid grid = MakeRegular({10, 6}, "[4, 6]");
  EXPECT_EQ(grid.kind(), Kind::kRegular);
  EXPECT_EQ(grid.rank(), 2u);
  EXPECT_EQ(grid.grid_shape(), (Shape{3, 1}));
  EXPECT_EQ(grid.uniform_chunk_shape(), (Shape{4, 6}));
  EXPECT_EQ(grid.max_chunk_shape(), (Shape{4, 6}));
}

TEST(ChunkGrid, ReadsTheExampleOfTheSpecification) {
  const ChunkGrid grid = Rectilinear({6, 6, 6, 6, 6}, "[4, [1, 2, 3], [[4, 2]], [[1, 3], 3], [4, 4, 4]]");
  EXPECT_EQ(grid.kind(), Kind::kRectilinear);
  EXPECT_EQ(grid.grid_shape(), (Shape{2, 3, 2, 4, 2}));
  EXPECT_EQ(grid.max_chunk_shape(), (Shape{4, 3, 4, 3, 4}));
  EXPECT_FALSE(grid.uniform_chunk_shape());
}

TEST(ChunkGrid, ARectilinearGridOfEqualEdgesIsUniform) {
  EXPECT_EQ(Rectilinear({6, 6}, "[3, [2, 2, 2]]").uniform_chunk_shape(), (Shape{3, 2}));
}

TEST(ChunkGrid, RankZero) {
  for (const ChunkGrid& grid : {MakeRegular({}, "[]"), Rectilinear({}, "[]")}) {
    EXPECT_EQ(grid.rank(), 0u);
    EXPECT_EQ(grid.uniform_chunk_shape(), Shape{});
    const ChunkRange range(grid, Selection{});
    EXPECT_EQ(range.count(), 1u);
    EXPECT_TRUE(range.At(0).whole);
    EXPECT_EQ(range.At(0).grid_index, Shape{});
  }
}

TEST(ChunkGrid, ToleratesAMissingKind) {
  EXPECT_EQ(ChunkGrid::FromV3({6}, Json(R"({"name": "rectilinear", "configuration": {"chunk_shapes": [[2, 4]]}})"))
                .grid_shape(),
            (Shape{2}));
}

TEST(ChunkGrid, RefusesWhatIsWrong) {
  const std::pair<const char*, const char*> wrong[] = {
      {"5", ""},
      {"{}", ""},
      {R"({"name": 5})", "/name"},
      {R"({"name": "regular"})", ""},
      {R"({"name": "regular", "configuration": []})", "/configuration"},
      {R"({"name": "regular", "configuration": {}})", "/configuration"},
      {R"({"name": "regular", "configuration": {"chunk_shape": 3}})", "/configuration/chunk_shape"},
      {R"({"name": "regular", "configuration": {"chunk_shape": [3]}})", "/configuration/chunk_shape"},
      {R"({"name": "regular", "configuration": {"chunk_shape": [3, 0]}})", "/configuration/chunk_shape/1"},
      {R"({"name": "regular", "configuration": {"chunk_shape": [-3, 3]}})", "/configuration/chunk_shape/0"},
      {R"({"name": "regular", "configuration": {"chunk_shape": [3.0, 3]}})", "/configuration/chunk_shape/0"},
      {R"({"name": "regular", "configuration": {"chunk_shape": [[3, 3], 6]}})", "/configuration/chunk_shape/0"},
      {R"({"name": "rectilinear", "configuration": {"kind": "inline"}})", "/configuration"},
      {R"({"name": "rectilinear", "configuration": {"kind": 1, "chunk_shapes": [3, 3]}})", "/configuration/kind"},
      {R"({"name": "rectilinear", "configuration": {"kind": "inline", "chunk_shapes": {}}})",
       "/configuration/chunk_shapes"},
      {R"({"name": "rectilinear", "configuration": {"kind": "inline", "chunk_shapes": [3, 3, 3]}})",
       "/configuration/chunk_shapes"},
      {R"({"name": "rectilinear", "configuration": {"kind": "inline", "chunk_shapes": [3, [[3, 0]]]}})",
       "/configuration/chunk_shapes/1/0/1"},
      {R"({"name": "rectilinear", "configuration": {"kind": "inline", "chunk_shapes": [[5], 3]}})",
       "/configuration/chunk_shapes/0"},
  };
  for (const auto& [text, pointer] : wrong) {
    SCOPED_TRACE(text);
    ExpectError([&, &text = text] { ChunkGrid::FromV3({6, 6}, Json(text)); }, ErrorKind::kCorrupt, pointer, "expected");
  }
}

TEST(ChunkGrid, RefusesOtherGridsAndKinds) {
  ExpectError([] { ChunkGrid::FromV3({6}, Json(R"({"name": "hexagonal"})")); }, ErrorKind::kUnsupported, "/name",
              "got \"hexagonal\"");
  ExpectError(
      [] {
        ChunkGrid::FromV3({6}, Json(R"({"name": "rectilinear",
                                        "configuration": {"kind": "spline", "chunk_shapes": [3]}})"));
      },
      ErrorKind::kUnsupported, "/configuration/kind", "got \"spline\"");
}

// --- chunks of a selection ---------------------------------------------------------------------------------------

TEST(ChunkRange, BoundariesAreHalfOpen) {
  const ChunkGrid grid = Rectilinear({26, 38}, "[[16, 10], [24, 14]]");
  const std::pair<Shape, std::pair<Shape, Shape>> expected[] = {
      {{15, 23}, {{0, 0}, {15, 23}}}, {{15, 24}, {{0, 1}, {15, 0}}}, {{15, 37}, {{0, 1}, {15, 13}}},
      {{16, 23}, {{1, 0}, {0, 23}}},  {{16, 24}, {{1, 1}, {0, 0}}},  {{16, 37}, {{1, 1}, {0, 13}}},
      {{25, 23}, {{1, 0}, {9, 23}}},  {{25, 24}, {{1, 1}, {9, 0}}},  {{25, 37}, {{1, 1}, {9, 13}}},
      {{20, 15}, {{1, 0}, {4, 15}}}};
  for (const auto& [element, place] : expected) {
    const ChunkRange range(grid, {element, {1, 1}, {1, 1}});
    ASSERT_EQ(range.count(), 1u);
    EXPECT_EQ(range.At(0).grid_index, place.first) << ToString(element);
    EXPECT_EQ(range.At(0).first, place.second) << ToString(element);
  }
}

TEST(ChunkRange, TellsEncodedAndLiveShapes) {
  const ChunkGrid grid = MakeRegular({5, 7}, "[3, 4]");
  const ChunkRange range(grid, Selection::FromBox({{0, 0}, {5, 7}}));
  ASSERT_EQ(range.count(), 4u);
  const ChunkOverlap corner = range.At(3);
  EXPECT_EQ(corner.grid_index, (Shape{1, 1}));
  EXPECT_EQ(corner.encoded_shape, (Shape{3, 4}));
  EXPECT_EQ(corner.live, (Box{{3, 4}, {2, 3}}));
  EXPECT_EQ(corner.output, (Shape{3, 4}));
  EXPECT_TRUE(corner.whole);
  EXPECT_EQ(range.At(1).grid_index, (Shape{0, 1}));
}

TEST(ChunkRange, WholeMeansAllLiveElements) {
  const ChunkGrid grid = MakeRegular({5}, "[3]");
  EXPECT_FALSE(ChunkRange(grid, {{1}, {2}, {1}}).At(0).whole);
  EXPECT_TRUE(ChunkRange(grid, {{0}, {3}, {1}}).At(0).whole);
  EXPECT_FALSE(ChunkRange(grid, {{0}, {3}, {2}}).At(0).whole);
  EXPECT_TRUE(ChunkRange(grid, {{3}, {2}, {1}}).At(0).whole);
  EXPECT_FALSE(ChunkRange(grid, {{3}, {1}, {1}}).At(0).whole);
}

TEST(ChunkRange, EmptySelectionsMeetNoChunk) {
  const ChunkGrid grid = MakeRegular({5, 5}, "[3, 3]");
  EXPECT_EQ(ChunkRange(grid, {{0, 0}, {0, 5}, {1, 1}}).count(), 0u);
  const ChunkGrid empty = MakeRegular({0}, "[3]");
  EXPECT_EQ(ChunkRange(empty, {{0}, {0}, {1}}).count(), 0u);
}

TEST(ChunkRange, StepsPassOverChunks) {
  const ChunkGrid grid = MakeRegular({100}, "[10]");
  const ChunkRange range(grid, {{5}, {4}, {30}});  // 5 35 65 95
  ASSERT_EQ(range.count(), 4u);
  EXPECT_EQ(range.At(1).grid_index, (Shape{3}));
  EXPECT_EQ(range.At(1).first, (Shape{5}));
  EXPECT_EQ(range.At(1).count, (Shape{1}));
  EXPECT_EQ(range.At(1).output, (Shape{1}));
}

TEST(ChunkRange, HugeGridsAreNotExpanded) {
  const ChunkGrid grid = Rectilinear({1000000000000, 1000000000000}, "[[[1, 1000000000000]], [[1, 1000000000000]]]");
  const ChunkRange window(grid, Selection::FromBox({{999999999990, 5}, {10, 10}}));
  EXPECT_EQ(window.count(), 100u);
  EXPECT_EQ(window.At(99).grid_index, (Shape{999999999999, 14}));
  const ChunkRange row(grid, Selection::FromBox({{0, 0}, {1, 1000000000000}}));
  EXPECT_EQ(row.count(), 1000000000000u);
  EXPECT_EQ(row.At(999999999999).grid_index, (Shape{0, 999999999999}));
}

TEST(ChunkRange, RefusesMoreChunksThan64BitsCount) {
  const ChunkGrid grid = MakeRegular({std::uint64_t{1} << 40, std::uint64_t{1} << 40}, "[1, 1]");
  ExpectError(
      [&] {
        ChunkRange(grid, Selection::FromBox({{0, 0}, {std::uint64_t{1} << 40, std::uint64_t{1} << 40}}));
      },
      ErrorKind::kLimitExceeded, "", "2^64 chunks");
}

// --- against a model ---------------------------------------------------------------------------------------------

struct RandomCase {
  Shape shape;
  ChunkGrid grid;
  std::vector<std::vector<std::uint64_t>> chunk_of;  // for each axis, the chunk of each element
  Selection selection;
};

std::uint64_t Pick(std::mt19937* random, std::uint64_t low, std::uint64_t high) {
  return low + (*random)() % (high - low + 1);
}

RandomCase MakeCase(std::mt19937* random) {
  RandomCase result;
  std::vector<ChunkAxis> axes;
  const std::uint64_t rank = Pick(random, 1, 3);
  const bool rectilinear = Pick(random, 0, 1) == 1;
  for (std::uint64_t i = 0; i < rank; ++i) {
    const std::uint64_t extent = Pick(random, 1, 20);
    std::vector<ChunkRun> runs;
    std::vector<std::uint64_t> chunk_of;
    const std::uint64_t edge = Pick(random, 1, 7);
    for (std::uint64_t chunk = 0; chunk_of.size() < extent || Pick(random, 0, 3) == 0; ++chunk) {
      runs.push_back({rectilinear ? Pick(random, 1, 7) : edge, 1});
      chunk_of.insert(chunk_of.end(), runs.back().edge, chunk);
    }
    axes.push_back(rectilinear ? ChunkAxis::FromRuns(extent, runs) : ChunkAxis::MakeRegular(extent, edge));
    result.shape.push_back(extent);
    result.chunk_of.push_back(std::move(chunk_of));
    const std::uint64_t start = Pick(random, 0, extent - 1);
    const std::uint64_t step = Pick(random, 1, 9);
    result.selection.start.push_back(start);
    result.selection.step.push_back(step);
    result.selection.count.push_back(Pick(random, 1, (extent - 1 - start) / step + 1));
  }
  result.grid = ChunkGrid(rectilinear ? Kind::kRectilinear : Kind::kRegular, std::move(axes));
  return result;
}

/// Maps grid indices to positions in the selection and the elements there.
using Model = std::map<std::vector<std::uint64_t>, std::vector<std::pair<std::string, std::string>>, ListOrder>;

std::vector<std::uint64_t> VectorOf(const Shape& shape) {
  return {shape.begin(), shape.end()};
}

Model ExpectedModel(const RandomCase& c) {
  Model model;
  Shape position(c.shape.size(), 0);
  do {
    Shape element = position;
    Shape chunk = position;
    for (std::size_t i = 0; i < position.size(); ++i) {
      element[i] = c.selection.start[i] + position[i] * c.selection.step[i];
      chunk[i] = c.chunk_of[i][element[i]];
    }
    model[VectorOf(chunk)].emplace_back(ToString(position), ToString(element));
  } while (AdvanceIndex(c.selection.count, &position));
  return model;
}

Model ModelOf(const RandomCase& c, const ChunkRange& range) {
  Model model;
  for (std::uint64_t n = 0; n < range.count(); ++n) {
    const ChunkOverlap overlap = range.At(n);
    auto& elements = model[VectorOf(overlap.grid_index)];
    EXPECT_TRUE(elements.empty()) << "a chunk twice";
    Shape index(c.shape.size(), 0);
    do {
      Shape position = index;
      Shape element = index;
      for (std::size_t i = 0; i < index.size(); ++i) {
        position[i] = overlap.output[i] + index[i];
        element[i] = overlap.live.origin[i] + overlap.first[i] + index[i] * c.selection.step[i];
        EXPECT_LT(element[i], overlap.live.end(i));
      }
      elements.emplace_back(ToString(position), ToString(element));
    } while (AdvanceIndex(overlap.count, &index));
    EXPECT_EQ(overlap.whole, elements.size() == ComputeProduct(overlap.live.shape));
  }
  return model;
}

TEST(ChunkRange, AgreesWithAModelOfEveryElement) {
  std::mt19937 random(42);
  for (int round = 0; round < 500; ++round) {
    const RandomCase c = MakeCase(&random);
    const ChunkRange range(c.grid, c.selection);
    ASSERT_EQ(ModelOf(c, range), ExpectedModel(c))
        << "round " << round << ": shape " << ToString(c.shape) << ", start " << ToString(c.selection.start)
        << ", count " << ToString(c.selection.count) << ", step " << ToString(c.selection.step);
    for (std::uint64_t n = 1; n < range.count(); ++n) {
      EXPECT_TRUE(ListOrder()(range.At(n - 1).grid_index, range.At(n).grid_index)) << "not in C order";
    }
  }
}

}  // namespace
}  // namespace zarr
