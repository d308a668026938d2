// SPDX-License-Identifier: MIT
#include "zarrlib/grid/chunk_axis.h"

#include <algorithm>

#include "zarrlib/base/shape.h"

namespace zarr {
namespace {

std::uint64_t DivideUp(std::uint64_t a, std::uint64_t b) {
  return a / b + (a % b != 0);
}

[[noreturn]] void Fail(std::string_view expected, const std::string& got) {
  throw Error(ErrorKind::kCorrupt, FormatExpectedGot(expected, got));
}

/// Parses an edge or a count: an integer of at least 1. zarr-python accepts floats with integral values, but the
/// specification allows only integers.
std::uint64_t ParsePositive(const JsonNode& node) {
  if (!node.IsInteger()) node.FailExpected("a positive integer");
  if (node.type() == JsonNode::Type::kInteger && node.AsInt64() < 1) node.FailExpected("a positive integer");
  if (node.AsUint64() == 0) node.FailExpected("a positive integer");
  return node.AsUint64();
}

ChunkRun ParseRun(const JsonNode& node) {
  if (!node.IsArray()) return {ParsePositive(node), 1};
  if (node.size() != 2) node.FailExpected("a pair [edge length, count]");
  return {ParsePositive(node[0]), ParsePositive(node[1])};
}

void Append(ChunkRun run, std::vector<ChunkRun>* runs) {
  if (!runs->empty() && runs->back().edge == run.edge && runs->back().count <= UINT64_MAX - run.count) {
    runs->back().count += run.count;
  } else {
    runs->push_back(run);
  }
}

}  // namespace

ChunkAxis ChunkAxis::MakeRegular(std::uint64_t extent, std::uint64_t edge) {
  if (edge == 0) Fail("a chunk edge of at least 1", "0");
  ChunkAxis axis;
  axis.extent_ = extent;
  axis.chunk_count_ = DivideUp(extent, edge);
  axis.runs_ = {{edge, axis.chunk_count_}};
  axis.starts_ = {{0, 0}};
  return axis;
}

ChunkAxis ChunkAxis::FromRuns(std::uint64_t extent, std::vector<ChunkRun> runs) {
  if (runs.empty()) Fail("at least one chunk edge", "none");
  ChunkAxis axis;
  axis.extent_ = extent;
  RunStart start;
  for (const ChunkRun& run : runs) {
    if (run.edge == 0 || run.count == 0) Fail("positive edges and counts", "0");
    axis.starts_.push_back(start);
    const auto length = MultiplyChecked(run.edge, run.count);
    const auto element = length ? AddChecked(start.element, *length) : std::nullopt;
    const auto chunk = AddChecked(start.chunk, run.count);
    if (!element || !chunk) Fail("edges whose sum fits into 64 bits", "a larger sum");
    if (start.element < extent) {
      axis.chunk_count_ = start.chunk + std::min(run.count, DivideUp(extent - start.element, run.edge));
    }
    start = {*element, *chunk};
  }
  if (start.element < extent) {
    Fail("edges whose sum is at least " + std::to_string(extent), "a sum of " + std::to_string(start.element));
  }
  axis.runs_ = std::move(runs);
  return axis;
}

ChunkAxis ChunkAxis::FromJson(std::uint64_t extent, const JsonNode& node) {
  if (!node.IsArray()) return MakeRegular(extent, ParsePositive(node));
  std::vector<ChunkRun> runs;
  for (const JsonNode& item : node.GetItems()) Append(ParseRun(item), &runs);
  try {
    return FromRuns(extent, std::move(runs));
  } catch (const Error& error) {
    node.Fail(error.kind(), error.message());
  }
}

bool ChunkAxis::uniform() const {
  return chunk_count_ <= 1 || chunk_count_ <= runs_[0].count;
}

std::uint64_t ChunkAxis::max_edge() const {
  std::uint64_t longest = 0;
  for (std::size_t run = 0; run < runs_.size(); ++run) {
    if (chunk_count_ == 0 || starts_[run].chunk < chunk_count_) longest = std::max(longest, runs_[run].edge);
  }
  return longest;
}

ChunkSpan ChunkAxis::Locate(std::uint64_t element) const {
  const auto next = std::upper_bound(starts_.begin(), starts_.end(), element,
                                     [](std::uint64_t e, const RunStart& start) { return e < start.element; });
  const auto run = static_cast<std::size_t>(next - starts_.begin()) - 1;
  return MakeSpan(run, (element - starts_[run].element) / runs_[run].edge);
}

ChunkSpan ChunkAxis::At(std::uint64_t index) const {
  const auto next = std::upper_bound(starts_.begin(), starts_.end(), index,
                                     [](std::uint64_t i, const RunStart& start) { return i < start.chunk; });
  const auto run = static_cast<std::size_t>(next - starts_.begin()) - 1;
  return MakeSpan(run, index - starts_[run].chunk);
}

ChunkSpan ChunkAxis::MakeSpan(std::size_t run, std::uint64_t chunk_in_run) const {
  const std::uint64_t edge = runs_[run].edge;
  const std::uint64_t start = starts_[run].element + chunk_in_run * edge;
  return {starts_[run].chunk + chunk_in_run, start, std::min(edge, extent_ - start), edge};
}

}  // namespace zarr
