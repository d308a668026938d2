// SPDX-License-Identifier: MIT
#include "zarrlib/base/strided_copy.h"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <cstring>

#include "zarrlib/base/compiler/streaming.h"
#include "zarrlib/base/strided_kernels.h"

namespace zarr {
namespace {

/// The axes of a copy, outermost loop first. After `Reduce`, no axis has length 1, the destination strides are positive
/// and decreasing, and no two adjacent axes can be merged.
struct Loops {
  const std::byte* source = nullptr;
  std::byte* destination = nullptr;
  bool streamed = false;
  std::size_t rank = 0;
  std::array<CopyAxis, kMaxRank> axes;  // only the first `rank` are read
};

/// Inserts an axis of more than one element in the order of destination strides, reversed if its stride is negative.
void AddAxis(CopyAxis axis, Loops* loops) {
  if (axis.destination < 0) {
    const auto last = static_cast<std::ptrdiff_t>(axis.length - 1);
    loops->source += last * axis.source;
    loops->destination += last * axis.destination;
    axis.source = -axis.source;
    axis.destination = -axis.destination;
  }
  std::size_t place = loops->rank++;
  for (; place > 0 && loops->axes[place - 1].destination < axis.destination; --place) {
    loops->axes[place] = loops->axes[place - 1];
  }
  loops->axes[place] = axis;
}

/// Returns true if a step along `outer` is the next step after the end of `inner`, in both source and destination.
bool Continues(const CopyAxis& outer, const CopyAxis& inner) {
  const auto length = static_cast<std::ptrdiff_t>(inner.length);
  return outer.source == inner.source * length && outer.destination == inner.destination * length;
}

void MergeAxes(Loops* loops) {
  std::size_t rank = 0;
  for (std::size_t i = 0; i < loops->rank; ++i) {
    CopyAxis axis = loops->axes[i];
    if (rank > 0 && Continues(loops->axes[rank - 1], axis)) {
      axis.length *= loops->axes[rank - 1].length;
      --rank;
    }
    loops->axes[rank++] = axis;
  }
  loops->rank = rank;
}

/// Makes the loops of a copy. No axis may have length 0. Without strides, the source is one element that is copied
/// everywhere.
Loops Reduce(const std::byte* source, const Strides* source_strides, const Shape& shape,
             const Destination& destination) {
  Loops loops;
  loops.source = source;
  loops.destination = destination.data;
  loops.streamed = destination.streamed;
  for (std::size_t i = 0; i < shape.size(); ++i) {
    if (shape[i] == 1) continue;
    AddAxis({static_cast<std::size_t>(shape[i]), source_strides ? (*source_strides)[i] : 0, destination.strides[i]},
            &loops);
  }
  MergeAxes(&loops);
  return loops;
}

/// If elements are adjacent along the innermost axis in both source and destination, treats a run of them as one large
/// element. Returns its size.
std::size_t AbsorbInnermost(std::size_t item_size, Loops* loops) {
  const auto stride = static_cast<std::ptrdiff_t>(item_size);
  if (loops->rank == 0) return item_size;
  const CopyAxis& innermost = loops->axes[loops->rank - 1];
  if (innermost.source != stride || innermost.destination != stride) return item_size;
  --loops->rank;
  return item_size * innermost.length;
}

/// Removes one axis from the loops; the others keep their order.
CopyAxis TakeAxis(std::size_t i, Loops* loops) {
  const CopyAxis axis = loops->axes[i];
  std::copy(loops->axes.begin() + i + 1, loops->axes.begin() + loops->rank, loops->axes.begin() + i);
  --loops->rank;
  return axis;
}

void MoveInnermost(std::size_t i, Loops* loops) {
  const CopyAxis axis = TakeAxis(i, loops);
  loops->axes[loops->rank++] = axis;
}

/// Returns the axis along which the source's elements are closest to each other, ignoring axes that repeat an element.
std::size_t FindFastestSourceAxis(const Loops& loops) {
  std::size_t fastest = loops.rank - 1;
  for (std::size_t i = loops.rank; i-- > 0;) {
    const std::ptrdiff_t stride = std::abs(loops.axes[i].source);
    const std::ptrdiff_t best = std::abs(loops.axes[fastest].source);
    if (stride != 0 && (best == 0 || stride < best)) fastest = i;
  }
  return fastest;
}

/// Calls `run(source, destination)` for each index of the loops.
template <typename Run>
void ForEach(const Loops& loops, const Run& run) {
  std::array<std::size_t, kMaxRank> index;
  std::fill_n(index.begin(), loops.rank, 0);
  const std::byte* source = loops.source;
  std::byte* destination = loops.destination;
  while (true) {
    run(source, destination);
    std::size_t i = loops.rank;
    while (i > 0 && ++index[i - 1] == loops.axes[i - 1].length) {
      --i;
      const auto back = static_cast<std::ptrdiff_t>(loops.axes[i].length - 1);
      source -= back * loops.axes[i].source;
      destination -= back * loops.axes[i].destination;
      index[i] = 0;
    }
    if (i == 0) return;
    source += loops.axes[i - 1].source;
    destination += loops.axes[i - 1].destination;
  }
}

// --- unconverted elements ---------------------------------------------------------------------------------------

/// Removes the two innermost loops, which must have the fastest axes of source and destination.
CopyPlane TakePlane(Loops* loops) {
  CopyPlane plane;
  if (loops->rank == 0) return plane;
  const std::size_t fastest = FindFastestSourceAxis(*loops);
  plane.column = TakeAxis(loops->rank - 1, loops);
  if (loops->rank == 0) return plane;
  plane.transposed = fastest != loops->rank && plane.column.source != 0;
  plane.row = TakeAxis(plane.transposed ? fastest : loops->rank - 1, loops);
  return plane;
}

/// Shorter rows have too few whole cache lines to be streamed.
constexpr std::size_t kStreamedRow = 256;

void CopyItems(Loops loops, std::size_t item_size) {
  const std::size_t run = AbsorbInnermost(item_size, &loops);
  if (loops.streamed && run >= kStreamedRow) {
    ForEach(loops, [&](const std::byte* source, std::byte* destination) { StreamCopy(destination, source, run); });
    return StreamFence();
  }
  const CopyPlane plane = TakePlane(&loops);
  const PlaneKernel kernel = SelectPlaneKernel(plane.transposed, run);
  ForEach(loops, [&](const std::byte* source, std::byte* destination) { kernel(plane, run, source, destination); });
}

// --- converted elements -----------------------------------------------------------------------------------------

/// For rows with fewer elements, calling the converter costs more than converting the elements.
constexpr std::size_t kShortRow = 32;
/// Longer rows of elements that are far apart would evict their neighbours from the cache.
constexpr std::size_t kScatteredRow = 256;

/// Returns the fastest axis of the destination that is not short; if all are short, the longest.
std::size_t FindConvertedAxis(const Loops& loops) {
  std::size_t longest = loops.rank - 1;
  for (std::size_t i = loops.rank; i-- > 0;) {
    if (loops.axes[i].length >= kShortRow) return i;
    if (loops.axes[i].length > loops.axes[longest].length) longest = i;
  }
  return longest;
}

void ConvertItems(Loops loops, const RowConverter& converter) {
  if (loops.rank == 0) return converter.ConvertRow(loops.source, 0, loops.destination, 0, 1);
  std::size_t chosen = FindConvertedAxis(loops);
  const std::size_t fastest = FindFastestSourceAxis(loops);
  std::size_t segment = loops.axes[chosen].length;
  if (fastest != chosen && loops.axes[chosen].source != 0) {
    segment = std::min(segment, kScatteredRow);
    MoveInnermost(fastest, &loops);
    if (chosen > fastest) --chosen;
  }
  const CopyAxis row = TakeAxis(chosen, &loops);
  for (std::size_t begin = 0; begin < row.length; begin += segment) {
    const std::size_t count = std::min(segment, row.length - begin);
    const auto offset = static_cast<std::ptrdiff_t>(begin);
    ForEach(loops, [&](const std::byte* source, std::byte* destination) {
      converter.ConvertRow(source + offset * row.source, row.source, destination + offset * row.destination,
                           row.destination, count);
    });
  }
}

// --- fills ------------------------------------------------------------------------------------------------------

void FillRun(ByteSpan pattern, std::size_t size, bool streamed, std::byte* destination) {
  for (std::size_t done = 0; done < size; done += pattern.size()) {
    const std::size_t count = std::min(pattern.size(), size - done);
    if (streamed) {
      StreamCopy(destination + done, pattern.data(), count);
    } else {
      std::memcpy(destination + done, pattern.data(), count);
    }
  }
}

void FillBytes(std::byte value, std::size_t size, bool streamed, std::byte* destination) {
  if (streamed) return StreamFill(destination, value, size);
  std::memset(destination, std::to_integer<int>(value), size);
}

/// Writes a run of `size` bytes at each index of `loops`.
void FillRuns(ByteSpan value, std::size_t size, const Loops& loops) {
  const bool streamed = loops.streamed && size >= kStreamedRow;
  const bool uniform = std::all_of(value.begin(), value.end(), [&](std::byte b) { return b == value[0]; });
  if (uniform) {
    return ForEach(loops, [&](const std::byte*, std::byte* to) { FillBytes(value[0], size, streamed, to); });
  }
  // Repeats the value in a buffer in the fastest cache, which is then copied in large pieces.
  std::array<std::byte, 4096> buffer;
  ByteSpan pattern = value;
  if (value.size() <= buffer.size()) {
    const std::size_t wanted = std::min(size, buffer.size());
    const MutableByteSpan repeated(buffer.data(), wanted - wanted % value.size());
    FillRun(value, repeated.size(), false, repeated.data());
    pattern = repeated;
  }
  ForEach(loops, [&](const std::byte*, std::byte* to) { FillRun(pattern, size, streamed, to); });
}

void FillItems(ByteSpan value, Loops loops) {
  const auto stride = static_cast<std::ptrdiff_t>(value.size());
  if (loops.rank > 0 && loops.axes[loops.rank - 1].destination != stride) return CopyItems(loops, value.size());
  const std::size_t count = loops.rank > 0 ? TakeAxis(loops.rank - 1, &loops).length : 1;
  FillRuns(value, count * value.size(), loops);
  if (loops.streamed) StreamFence();
}

bool IsEmpty(const Shape& shape) {
  return std::find(shape.begin(), shape.end(), 0u) != shape.end();
}

}  // namespace

void StridedCopy(const std::byte* source, const Strides& source_strides, const Shape& shape, std::size_t item_size,
                 const Destination& destination) {
  if (IsEmpty(shape)) return;
  const Loops loops = Reduce(source, &source_strides, shape, destination);
  if (destination.converter != nullptr) {
    ConvertItems(loops, *destination.converter);
  } else if (item_size > 0) {
    CopyItems(loops, item_size);
  }
}

void StridedFill(ByteSpan value, const Shape& shape, std::size_t destination_item_size,
                 const Destination& destination) {
  if (IsEmpty(shape)) return;
  const Loops loops = Reduce(value.data(), nullptr, shape, destination);
  const RowConverter* converter = destination.converter;
  if (converter == nullptr) {
    if (!value.empty()) FillItems(value, loops);
  } else if (converter->replicable() && destination_item_size > 0) {
    Bytes converted(destination_item_size);
    converter->ConvertRow(value.data(), 0, converted.data(), 0, 1);
    FillItems(converted, loops);
  } else {
    ConvertItems(loops, *converter);
  }
}

}  // namespace zarr
