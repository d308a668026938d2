// SPDX-License-Identifier: MIT
#include "zarrlib/array/read/read_operation.h"

#include <algorithm>
#include <utility>

#include "zarrlib/store/broken_value.h"
#include "zarrlib/store/store_folders.h"
#include "zarrlib/store/store_requests.h"

namespace zarr {
namespace {

/// Elements of larger windows do not stay in the processor's caches until the caller uses them.
constexpr std::uint64_t kStreamedWindow = 16 << 20;

Destination SetStreaming(Destination destination, const Array& array, const Selection& selection) {
  const auto count = ComputeCheckedProduct(selection.count);
  destination.streamed = !count || *count >= kStreamedWindow / std::max<std::size_t>(1, array.data_type().size);
  return destination;
}

}  // namespace

ReadOperation::ReadOperation(const Array& array, const Selection& selection, const Destination& destination,
                             const ReadOptions& options)
    : array_(array),
      selection_(selection),
      destination_(SetStreaming(destination, array, selection)),
      options_(options),
      range_(array.metadata().chunk_grid, selection),
      io_(array, options, ComputeCheckedProduct(selection.count).value_or(UINT64_MAX)),
      absent_(array, range_.count()) {}

Destination ReadOperation::GetDestination(const Shape& output) const {
  Destination destination = destination_;
  for (std::size_t i = 0; i < output.size(); ++i) {
    destination.data += static_cast<std::ptrdiff_t>(output[i]) * destination.strides[i];
  }
  return destination;
}

ChunkRegion ReadOperation::MakeRegion(const ChunkOverlap& overlap) const {
  return {overlap.first, overlap.count, selection_.step, overlap.whole, GetDestination(overlap.output)};
}

std::shared_ptr<const ResolvedPipeline> ReadOperation::GetPipeline(const ChunkOverlap& overlap) const {
  return array_.ResolveFor(overlap.encoded_shape);
}

ExecutorOptions ReadOperation::executor_options() const {
  return {io_.width(), options_.hook, options_.progress};
}

bool ReadOperation::ReadChunks() const {
  const StoreRequests* const requests = array_.store().requests();
  if (requests && range_.count() > 1 && requests->reads_together()) return ReadNeighbours(*requests);
  if (const auto plan = PlanChunks(array_, range_)) return ReadPlanned(*plan);
  return ParallelFor(range_.count(), executor_options(), [this](std::uint64_t number) { ReadChunk(number); });
}

bool ReadOperation::ReadPlanned(const ChunkPlan& plan) const {
  const std::uint64_t boxes = plan.box_count();
  return ParallelFor(boxes + plan.stored_count(), executor_options(), [&](std::uint64_t number) {
    number < boxes ? FillAbsent(plan, plan.GetBox(number)) : ReadChunk(plan.GetStored(number - boxes));
  });
}

void ReadOperation::FillAbsent(const ChunkPlan& plan, const Box& chunks) const {
  const Box output = plan.GetElements(range_, chunks);
  io_.Fill({Shape(), output.shape, Shape(), true, GetDestination(output.origin)});
  absent_count_ += ComputeProduct(chunks.shape);
}

void ReadOperation::ReadChunk(std::uint64_t number) const {
  const ChunkOverlap overlap = range_.At(number);
  const std::string key = array_.MakeChunkKey(overlap.grid_index);
  RunAtChunk(array_.store(), key, overlap.grid_index, [&] {
    const auto pipeline = GetPipeline(overlap);
    const ChunkRegion region = MakeRegion(overlap);
    const ChunkId id = io_.GetChunkId(overlap.grid_index);
    if (io_.CopyFromCache(id, key, *pipeline, region)) return;
    ReadFromStore(key, id, io_.GetRangeToRead(id, *pipeline, region), *pipeline, region, nullptr);
  });
}

void ReadOperation::ReadFromStore(const std::string& key, const ChunkId& id, const std::optional<ByteRange>& range,
                                  const ResolvedPipeline& pipeline, const ChunkRegion& region,
                                  NeighbouringChunks::Value* known) const {
  VersionStamp stamp;
  const auto read = [&] {
    if (known) return DecodeNeighbour(id, std::move(*std::exchange(known, nullptr)), pipeline, region, &stamp);
    if (range && pipeline.is_stored()) return ReadRange(key, id, *range, pipeline, region, &stamp);
    if (range && ReadPart(key, id, *range, pipeline, region, &stamp)) return;
    ReadWhole(key, id, pipeline, region, &stamp);
  };
  ReadUnbroken(array_.store(), key, read, &stamp);
}

bool ReadOperation::ReadPart(const std::string& key, const ChunkId& id, const ByteRange& range,
                             const ResolvedPipeline& pipeline, const ChunkRegion& region, VersionStamp* stamp) const {
  if (absent_.Contains(key)) return false;
  const StoreFolders* const folders = array_.store().folders();
  const auto value = folders ? folders->Open(key) : nullptr;
  if (!value) return false;
  *stamp = value->stamp();
  io_.CheckSize(pipeline, stamp->size);
  const EncodedValue encoded = {stamp->size,
                                [&](std::uint64_t offset, MutableByteSpan buffer) { value->Read(offset, buffer); }};
  return io_.DecodePart(id, io_.GetState(*stamp), encoded, range, pipeline, region);
}

void ReadOperation::ReadWhole(const std::string& key, const ChunkId& id, const ResolvedPipeline& pipeline,
                              const ChunkRegion& region, VersionStamp* stamp) const {
  const MemoryShare share = io_.ReserveMemory(pipeline);
  ScratchBuffer encoded;
  if (!GetIfThere(key, [&] { return GetValue(key, pipeline, &encoded.bytes(), stamp); })) return io_.Fill(region);
  io_.CheckSize(pipeline, encoded.bytes().size());
  io_.DecodeStored(id, io_.GetState(*stamp), encoded.span(), pipeline, region);
}

bool ReadOperation::GetValue(const std::string& key, const ResolvedPipeline& pipeline, Bytes* value,
                             VersionStamp* stamp) const {
  const std::uint64_t longest = GetLongestStored(pipeline);
  try {
    return array_.store().Get(key, value, stamp, std::min(longest, options_.max_chunk_bytes));
  } catch (const Error& error) {
    if (error.kind() != ErrorKind::kLimitExceeded) throw;
    if (longest > options_.max_chunk_bytes) throw error.With("ZARR_MAX_CHUNK_SIZE");
    // References of a wrong length are detected only when their end is read.
    Bytes last;
    array_.store().GetSuffix(key, 1, &last, stamp);
    CheckStoredSize(pipeline, stamp->size);
    throw;
  }
}

void ReadOperation::ReadRange(const std::string& key, const ChunkId& id, const ByteRange& range,
                              const ResolvedPipeline& pipeline, const ChunkRegion& region, VersionStamp* stamp) const {
  const std::uint64_t size = pipeline.decoded().byte_size();
  MemoryShare share;
  Bytes bytes;
  const auto get = [&] {
    // A chunk that is too large is an error only if it exists.
    if (size > options_.max_chunk_bytes && !array_.store().Exists(key)) return false;
    io_.CheckSize(pipeline, size);
    if (range.length > kLargeMemory) share = MemoryShare(range.length);
    bytes.resize(static_cast<std::size_t>(range.length));
    const MutableByteSpan buffer = bytes;
    return array_.store().GetRanges(key, {&range, 1}, {&buffer, 1}, stamp);
  };
  if (!GetIfThere(key, get)) return io_.Fill(region);
  if (stamp->size > 0 && stamp->size != size) {  // 0: unknown
    throw Error(ErrorKind::kCorrupt, FormatExpectedGot(std::to_string(size) + " bytes", std::to_string(stamp->size)));
  }
  io_.DecodeStoredRange(id, io_.GetState(*stamp), std::move(bytes), range, pipeline, region);
}

}  // namespace zarr
