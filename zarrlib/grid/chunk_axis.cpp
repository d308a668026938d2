#include "zarrlib/grid/chunk_axis.h"

#include <algorithm>

#include "zarrlib/base/shape.h"

namespace zarr {
namespace {

std::uint64_t CeilDivide(std::uint64_t a, std::uint64_t b) {
  return a / b + (a % b != 0);
}

[[noreturn]] void Fail(std::string_view expected, const std::string& got) {
  throw Error(ErrorKind::kCorrupt, ExpectedGot(expected, got));
}

/// An edge or a count: an integer from 1 on. Floats of integral value are what zarr-python lets through; they are not
/// integers in the specification's sense.
std::uint64_t Positive(const JsonNode& node) {
  if (!node.IsInteger()) node.FailExpected("a positive integer");
  if (node.type() == JsonNode::Type::kInteger && node.AsInt64() < 1) node.FailExpected("a positive integer");
  if (node.AsUint64() == 0) node.FailExpected("a positive integer");
  return node.AsUint64();
}

ChunkRun RunFromJson(const JsonNode& node) {
  if (!node.IsArray()) return {Positive(node), 1};
  if (node.size() != 2) node.FailExpected("a pair [edge length, count]");
  return {Positive(node[0]), Positive(node[1])};
}

void Append(ChunkRun run, std::vector<ChunkRun>* runs) {
  if (!runs->empty() && runs->back().edge == run.edge && runs->back().count <= UINT64_MAX - run.count) {
    runs->back().count += run.count;
  } else {
    runs->push_back(run);
  }
}

}  // namespace

ChunkAxis ChunkAxis::Regular(std::uint64_t extent, std::uint64_t edge) {
  if (edge == 0) Fail("a chunk edge of at least 1", "0");
  ChunkAxis axis;
  axis.extent_ = extent;
  axis.chunk_count_ = CeilDivide(extent, edge);
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
    const auto length = CheckedMultiply(run.edge, run.count);
    const auto element = length ? CheckedAdd(start.element, *length) : std::nullopt;
    const auto chunk = CheckedAdd(start.chunk, run.count);
    if (!element || !chunk) Fail("edges whose sum fits into 64 bits", "a larger sum");
    if (start.element < extent) {
      axis.chunk_count_ = start.chunk + std::min(run.count, CeilDivide(extent - start.element, run.edge));
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
  if (!node.IsArray()) return Regular(extent, Positive(node));
  std::vector<ChunkRun> runs;
  for (const JsonNode& item : node.Items()) Append(RunFromJson(item), &runs);
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
  return Span(run, (element - starts_[run].element) / runs_[run].edge);
}

ChunkSpan ChunkAxis::At(std::uint64_t index) const {
  const auto next = std::upper_bound(starts_.begin(), starts_.end(), index,
                                     [](std::uint64_t i, const RunStart& start) { return i < start.chunk; });
  const auto run = static_cast<std::size_t>(next - starts_.begin()) - 1;
  return Span(run, index - starts_[run].chunk);
}

ChunkSpan ChunkAxis::Span(std::size_t run, std::uint64_t chunk_in_run) const {
  const std::uint64_t edge = runs_[run].edge;
  const std::uint64_t start = starts_[run].element + chunk_in_run * edge;
  return {starts_[run].chunk + chunk_in_run, start, std::min(edge, extent_ - start), edge};
}

}  // namespace zarr
