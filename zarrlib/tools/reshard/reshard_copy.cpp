// SPDX-License-Identifier: MIT
#include "zarrlib/tools/reshard/reshard_copy.h"

#include <algorithm>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "zarrlib/array/array_writer.h"
#include "zarrlib/base/executor.h"
#include "zarrlib/base/limits.h"
#include "zarrlib/base/string_elements.h"
#include "zarrlib/tools/interrupt.h"

namespace zarr::tools {
namespace {

class Copier {
 public:
  Copier(const Array& from, ArrayWriter* to, std::size_t threads) : from_(from), to_(to) {
    read_.threads = threads;
    read_.progress = [](double) { return !InterruptWatch::noted(); };
    write_.progress = read_.progress;
  }

  void Copy(const Selection& selection) {
    const auto count = static_cast<std::size_t>(ComputeProduct(selection.count));
    if (from_.data_type().variable()) {
      strings_.assign(count, "");
      const Strides strides = GetContiguousStrides(selection.count, sizeof(std::string));
      auto* const data = reinterpret_cast<std::byte*>(strings_.data());
      from_.Read(selection, {data, strides, &take_}, read_);
      InterruptWatch::Check();  // before an incomplete read is mistaken for a complete one
      to_->Write(selection, {data, strides, &give_}, write_);
    } else {
      elements_.resize(ToMemorySize(ComputeProduct(selection.count) * from_.data_type().size));
      const Strides strides = GetContiguousStrides(selection.count, from_.data_type().size);
      from_.Read(selection, {elements_.data(), strides, nullptr}, read_);
      InterruptWatch::Check();
      to_->Write(selection, {elements_.data(), strides, nullptr}, write_);
    }
    InterruptWatch::Check();
  }

 private:
  const Array& from_;
  ArrayWriter* to_;
  ReadOptions read_;
  WriteOptions write_;
  TakeStrings take_;
  GiveStrings give_;
  Bytes elements_;
  std::vector<std::string> strings_;
};

/// Returns the maximum shape of a box of new chunks that are copied at once; it grows along the last axis first, in the
/// order in which chunks are stored.
Shape GetPieceShape(const Array& to, std::uint64_t piece_bytes) {
  const ChunkGrid& grid = to.metadata().chunk_grid;
  Shape piece = grid.max_chunk_shape();
  for (std::size_t i = piece.size(); i-- > 0;) {
    const std::uint64_t bytes =
        std::max<std::uint64_t>(1, CountCopiedBytes(to.data_type(), piece).value_or(UINT64_MAX));
    const std::uint64_t chunks = std::max<std::uint64_t>(1, grid.axis(i).chunk_count());
    piece[i] *= std::clamp<std::uint64_t>(piece_bytes / bytes, 1, chunks);
  }
  return piece;
}

/// Joins chunks into pieces of at most `length`, or of one chunk.
ChunkAxis JoinChunks(const ChunkAxis& chunks, std::uint64_t length) {
  std::vector<ChunkRun> pieces;
  std::uint64_t open = 0;  // the length of a piece that may get more chunks
  for (auto [edge, count] : chunks.runs()) {
    if (open > 0) {
      const std::uint64_t taken = std::min(count, open < length ? (length - open) / edge : 0);
      open += taken * edge;
      count -= taken;
      if (count == 0) continue;
      pieces.push_back({open, 1});
    }
    const std::uint64_t joined = std::max<std::uint64_t>(1, length / edge);
    if (count >= joined) pieces.push_back({joined * edge, count / joined});
    open = count % joined * edge;
  }
  if (open > 0) pieces.push_back({open, 1});
  return ChunkAxis::FromRuns(chunks.extent(), std::move(pieces));
}

ChunkGrid MakePieces(const Array& to, std::uint64_t piece_bytes) {
  const ChunkGrid& chunks = to.metadata().chunk_grid;
  const Shape lengths = GetPieceShape(to, piece_bytes);
  std::vector<ChunkAxis> axes;
  for (std::size_t i = 0; i < lengths.size(); ++i) axes.push_back(JoinChunks(chunks.axis(i), lengths[i]));
  return {ChunkGrid::Kind::kRectilinear, std::move(axes)};
}

/// Returns how many threads decode at once, so that they do not take more memory than one new chunk may take.
std::size_t ChooseThreads(const Array& from) {
  const auto bytes = CountCopiedBytes(from.data_type(), GetSmallestChunkShape(from));
  const std::uint64_t fit = kMaxReshardBytes / std::max<std::uint64_t>(1, bytes.value_or(UINT64_MAX));
  return static_cast<std::size_t>(std::clamp<std::uint64_t>(fit, 1, GetCpuCount()));
}

/// Returns the elements of the chunk with a number.
Box GetLiveBox(const Array& array, std::uint64_t number) {
  const ChunkGrid& grid = array.metadata().chunk_grid;
  Box box{Shape(array.rank(), 0), Shape(array.rank(), 0)};
  for (std::size_t i = array.rank(); i-- > 0;) {
    const std::uint64_t count = grid.axis(i).chunk_count();
    const ChunkSpan span = grid.axis(i).At(number % count);
    box.origin[i] = span.start;
    box.shape[i] = span.live;
    number /= count;
  }
  return box;
}

/// Returns the part of a piece that a selection takes.
Selection GetPart(const ChunkOverlap& piece) {
  Box part{piece.live.origin, piece.count};
  for (std::size_t i = 0; i < part.origin.size(); ++i) part.origin[i] += piece.first[i];
  return Selection::FromBox(part);
}

}  // namespace

std::optional<std::uint64_t> CountCopiedBytes(const DataType& type, const Shape& shape) {
  Shape with_element = shape;
  with_element.push_back(type.variable() ? sizeof(std::string) : type.size);
  return ComputeCheckedProduct(with_element);
}

void CopyElements(const Array& from, const std::shared_ptr<const Array>& to, const CopySteps& steps) {
  if (ComputeProduct(to->shape()) == 0) return;
  const auto writer = ArrayWriter::Make(to);
  Copier copier(from, writer.get(), ChooseThreads(from));
  const ChunkGrid pieces = MakePieces(*to, steps.piece_bytes);
  const ChunkRange range(pieces, Selection::FromBox({Shape(to->rank(), 0), to->shape()}));
  for (std::uint64_t i = steps.first; i < range.count(); ++i) {
    copier.Copy(Selection::FromBox(range.At(i).live));
    if (steps.on_piece) steps.on_piece(i + 1, range.count());
  }
  writer->Flush();
}

void CopyChunks(const Array& from, const std::shared_ptr<const Array>& to, std::span<const std::uint64_t> chunks) {
  if (chunks.empty()) return;
  const auto writer = ArrayWriter::Make(to);
  Copier copier(from, writer.get(), ChooseThreads(from));
  const ChunkGrid pieces = MakePieces(*to, CopySteps().piece_bytes);
  for (const std::uint64_t chunk : chunks) {
    const ChunkRange range(pieces, Selection::FromBox(GetLiveBox(from, chunk)));
    for (std::uint64_t i = 0; i < range.count(); ++i) copier.Copy(GetPart(range.At(i)));
  }
  writer->Flush();
}

}  // namespace zarr::tools
