#include "zarrlib/array/read/read_operation.h"

#include <algorithm>

#include "zarrlib/array/selection_check.h"

namespace zarr {
namespace {

/// Elements of larger windows do not stay in the processor's caches until they are looked at.
constexpr std::uint64_t kStreamedWindow = 32 << 20;

Destination WithStreaming(Destination destination, const Array& array, const Selection& selection) {
  const auto count = CheckedProduct(selection.count);
  destination.streamed = !count || *count >= kStreamedWindow / std::max<std::size_t>(1, array.data_type().size);
  return destination;
}

}  // namespace

ReadOperation::ReadOperation(const Array& array, const Selection& selection, const Destination& destination,
                             const ReadOptions& options)
    : array_(array),
      selection_(selection),
      destination_(WithStreaming(destination, array, selection)),
      options_(options),
      range_(array.metadata().chunk_grid, selection),
      io_(array, options, CheckedProduct(selection.count).value_or(UINT64_MAX)) {}

Destination ReadOperation::DestinationAt(const Shape& output) const {
  Destination destination = destination_;
  for (std::size_t i = 0; i < output.size(); ++i) {
    destination.data += static_cast<std::ptrdiff_t>(output[i]) * destination.strides[i];
  }
  return destination;
}

ChunkRegion ReadOperation::RegionOf(const ChunkOverlap& overlap) const {
  return {overlap.first, overlap.count, selection_.step, overlap.whole, DestinationAt(overlap.output)};
}

std::shared_ptr<const ResolvedPipeline> ReadOperation::PipelineFor(const ChunkOverlap& overlap) const {
  return array_.ResolveFor(overlap.encoded_shape);
}

ExecutorOptions ReadOperation::executor_options() const {
  return {io_.width(), options_.hook, options_.progress};
}

bool ReadOperation::ReadChunks() const {
  return ParallelFor(range_.count(), executor_options(), [this](std::uint64_t number) { ReadChunk(number); });
}

void ReadOperation::ReadChunk(std::uint64_t number) const {
  const ChunkOverlap overlap = range_.At(number);
  const std::string key = array_.ChunkKey(overlap.grid_index);
  AtChunk(array_.store(), key, overlap.grid_index, [&] {
    const auto pipeline = PipelineFor(overlap);
    const ChunkRegion region = RegionOf(overlap);
    const ChunkId inner_chunk = io_.KeyOf(overlap.grid_index);
    if (io_.FromCache(inner_chunk, key, *pipeline, region)) return;
    if (const auto range = io_.StoredRange(inner_chunk, *pipeline, region))
      return ReadRange(key, inner_chunk, *range, *pipeline, region);
    const MemoryShare share = io_.ShareOf(*pipeline);
    ScratchBuffer encoded;
    VersionStamp stamp;
    if (GetValue(key, *pipeline, &encoded.bytes(), &stamp)) {
      io_.CheckSize(*pipeline, encoded.bytes().size());
      io_.FromStored(inner_chunk, io_.StateOf(std::move(stamp)), encoded.span(), *pipeline, region);
    } else {
      io_.Fill(region);
    }
  });
}

bool ReadOperation::GetValue(const std::string& key, const ResolvedPipeline& pipeline, Bytes* value,
                             VersionStamp* stamp) const {
  const std::uint64_t longest = LongestStored(pipeline);
  try {
    return array_.store().Get(key, value, stamp, std::min(longest, options_.max_chunk_bytes));
  } catch (const Error& error) {
    if (error.kind() != ErrorKind::kLimitExceeded || longest > options_.max_chunk_bytes) throw;
    Bytes last;
    array_.store().GetSuffix(key, 1, &last, stamp);
    CheckStoredSize(pipeline, stamp->size);
    throw;
  }
}

void ReadOperation::ReadRange(const std::string& key, const ChunkId& inner_chunk, const ByteRange& range,
                              const ResolvedPipeline& pipeline, const ChunkRegion& region) const {
  Bytes bytes(static_cast<std::size_t>(range.length));
  const MutableByteSpan buffer = bytes;
  VersionStamp stamp;
  io_.CheckSize(pipeline, pipeline.decoded().byte_size());
  if (!array_.store().GetRanges(key, {&range, 1}, {&buffer, 1}, &stamp)) return io_.Fill(region);
  const std::uint64_t size = pipeline.decoded().byte_size();
  if (stamp.size > 0 && stamp.size != size) {  // 0: not told
    throw Error(ErrorKind::kCorrupt, ExpectedGot(std::to_string(size) + " bytes", std::to_string(stamp.size)));
  }
  io_.FromStoredRange(inner_chunk, io_.StateOf(std::move(stamp)), std::move(bytes), range, pipeline, region);
}

bool Array::Read(const Selection& selection, const Destination& destination, const ReadOptions& options) const {
  if (unsupported_) throw *unsupported_;
  CheckSelection(*this, selection, destination.strides);
  if (data_type().variable() && !destination.converter) {
    throw Error(ErrorKind::kInvalidArgument, store().name(), path(), "",
                "elements of variable length need a converter");
  }
  if (std::find(selection.count.begin(), selection.count.end(), 0u) != selection.count.end()) return true;
  const ReadOperation reader(*this, selection, destination, options);
  const auto resolved = uniform_ ? uniform_ : ResolveFor(metadata_.chunk_grid.max_chunk_shape());
  return resolved->inner_chunk_shape() ? reader.ReadShards() : reader.ReadChunks();
}

}  // namespace zarr
