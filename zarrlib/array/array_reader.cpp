#include "zarrlib/array/array_reader.h"

namespace zarr {
namespace {

void CheckSelection(const Array& array, const Selection& selection, const Destination& destination) {
  const std::size_t rank = array.rank();
  const auto fail = [&](const std::string& message) {
    throw Error(ErrorKind::kInvalidArgument, message).At(array.store().name(), array.path());
  };
  if (selection.start.size() != rank || selection.count.size() != rank || selection.step.size() != rank ||
      destination.strides.size() != rank) {
    fail(ExpectedGot("a selection of " + std::to_string(rank) + " dimensions", std::to_string(selection.rank())));
  }
  for (std::size_t i = 0; i < rank; ++i) {
    if (selection.count[i] == 0) continue;
    if (selection.step[i] == 0) fail("expected steps of at least 1, got 0");
    const auto reach = CheckedMultiply(selection.count[i] - 1, selection.step[i]);
    const auto last = reach ? CheckedAdd(selection.start[i], *reach) : std::nullopt;
    if (!last || *last >= array.shape()[i]) {
      fail(ExpectedGot("elements below " + std::to_string(array.shape()[i]) + " along dimension " + std::to_string(i),
                       std::to_string(selection.start[i]) + " and " + std::to_string(selection.count[i]) +
                           " with step " + std::to_string(selection.step[i])));
    }
  }
  if (array.data_type().variable() && !destination.converter) fail("elements of variable length need a converter");
}

}  // namespace

ArrayReader::ArrayReader(const Array& array, const Selection& selection, const Destination& destination,
                         const ReadOptions& options)
    : array_(array),
      selection_(selection),
      destination_(destination),
      options_(options),
      range_(array.metadata().chunk_grid, selection),
      io_(array, options, CheckedProduct(selection.count).value_or(UINT64_MAX)) {}

Destination ArrayReader::DestinationAt(const Shape& output) const {
  Destination destination = destination_;
  for (std::size_t i = 0; i < output.size(); ++i) {
    destination.data += static_cast<std::ptrdiff_t>(output[i]) * destination.strides[i];
  }
  return destination;
}

LeafPart ArrayReader::PartOf(const ChunkOverlap& overlap) const {
  return {overlap.first, overlap.count, selection_.step, overlap.whole, DestinationAt(overlap.output)};
}

std::shared_ptr<const ResolvedPipeline> ArrayReader::PipelineFor(const ChunkOverlap& overlap) const {
  return array_.ResolveFor(overlap.encoded_shape);
}

ExecutorOptions ArrayReader::executor_options() const {
  return {io_.width(), options_.hook, options_.progress};
}

bool ArrayReader::ReadChunks() const {
  return ParallelFor(range_.count(), executor_options(), [this](std::uint64_t number) { ReadChunk(number); });
}

void ArrayReader::ReadChunk(std::uint64_t number) const {
  const ChunkOverlap overlap = range_.At(number);
  const std::string key = array_.ChunkKey(overlap.grid_index);
  try {
    const auto pipeline = PipelineFor(overlap);
    const LeafPart part = PartOf(overlap);
    const LeafKey leaf = io_.KeyOf(overlap.grid_index);
    if (io_.FromCache(leaf, *pipeline, part)) return;
    ScratchBuffer encoded;
    if (array_.store().Get(key, &encoded.bytes(), nullptr, options_.max_leaf_bytes)) {
      io_.CheckSize(*pipeline, encoded.bytes().size());
      io_.FromStored(leaf, encoded.span(), *pipeline, part);
    } else {
      io_.Fill(part);
    }
  } catch (const Error& error) {
    const Error placed = error.At(array_.store().name(), key);
    throw error.kind() == ErrorKind::kIo ? placed : placed.With(ChunkText(overlap.grid_index));
  }
}

bool Array::Read(const Selection& selection, const Destination& destination, const ReadOptions& options) const {
  if (unsupported_) throw *unsupported_;
  CheckSelection(*this, selection, destination);
  if (std::find(selection.count.begin(), selection.count.end(), 0u) != selection.count.end()) return true;
  const ArrayReader reader(*this, selection, destination, options);
  const auto resolved = uniform_ ? uniform_ : ResolveFor(metadata_.chunk_grid.max_chunk_shape());
  return resolved->leaf_shape() ? reader.ReadShards() : reader.ReadChunks();
}

}  // namespace zarr
