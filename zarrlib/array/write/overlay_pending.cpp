// SPDX-License-Identifier: MIT
#include "zarrlib/array/write/overlay_pending.h"

#include <exception>

namespace zarr {
namespace {

/// More keys than these are not looked for: storing what is pending is then the smaller part of the work.
constexpr std::uint64_t kMostChunks = 4096;

Destination MoveTo(const Destination& destination, const Shape& output) {
  Destination moved = destination;
  for (std::size_t i = 0; i < output.size(); ++i) {
    moved.data += static_cast<std::ptrdiff_t>(output[i]) * destination.strides[i];
  }
  return moved;
}

/// Copies from the inner chunks of a chunk, for the elements of `overlap`. Returns false if one of them is encoded.
bool CopyFromChunk(const PendingChunk& chunk, const ChunkOverlap& overlap, const Shape& step,
                   const Destination& destination) {
  const ChunkEncoder& codec = *chunk.codec;
  const ChunkRange inner_chunks(codec.grid(), {overlap.first, overlap.count, step});
  for (std::uint64_t i = 0; i < inner_chunks.count(); ++i) {
    const ChunkOverlap inner = inner_chunks.At(i);
    const PendingInnerChunk& pending = chunk.inner_chunks[codec.GetInnerChunkNumber(inner.grid_index)];
    if (pending.encoded) return false;
    if (pending.open) pending.open->CopyWritten(inner.first, inner.count, step, MoveTo(destination, inner.output));
  }
  return true;
}

}  // namespace

bool CanOverlay(const Array& array, const Selection& selection) {
  return !array.metadata().data_type.variable() &&
         ChunkRange(array.metadata().chunk_grid, selection).count() <= kMostChunks;
}

bool OverlayPending(const Array& array, PendingChunks* buffer, const Selection& selection,
                    const Destination& destination) {
  const ChunkRange range(array.metadata().chunk_grid, selection);
  bool is_done = true;
  for (std::uint64_t i = 0; is_done && i < range.count(); ++i) {
    const ChunkOverlap overlap = range.At(i);
    std::exception_ptr failure;
    {
      PendingChunks::Lease chunk = buffer->TakeToRead(array.MakeChunkKey(overlap.grid_index));
      if (!chunk) continue;
      try {
        is_done = chunk->inner_chunks.empty() ||
                  CopyFromChunk(*chunk, overlap, selection.step, MoveTo(destination, overlap.output));
      } catch (...) {
        failure = std::current_exception();  // a failure to read must not drop what is pending
      }
      chunk.KeepUnchanged();
    }
    if (failure) std::rethrow_exception(failure);
  }
  return is_done;
}

}  // namespace zarr
