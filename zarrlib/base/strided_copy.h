// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>

#include "zarrlib/base/bytes.h"
#include "zarrlib/base/shape.h"

namespace zarr {

/// Converts rows of elements while they are copied. Must be thread-safe.
class RowConverter {
 public:
  virtual ~RowConverter() = default;
  /// Converts `count` elements. Elements in `source` are `source_stride` bytes apart, elements in `destination`
  /// `destination_stride` bytes. Strides may be negative or zero.
  virtual void ConvertRow(const std::byte* source, std::ptrdiff_t source_stride, std::byte* destination,
                          std::ptrdiff_t destination_stride, std::size_t count) const = 0;
  /// Returns true if a converted element may be copied byte by byte; false for elements that own memory.
  virtual bool replicable() const { return true; }
};

/// Where to write elements: `data` points to the element of index 0 along every axis; `strides` are in bytes and may be
/// negative. With a `converter`, the destination's elements are of another type; without one, elements are copied
/// unchanged. Does not own memory.
struct Destination {
  std::byte* data = nullptr;
  Strides strides;
  const RowConverter* converter = nullptr;
  /// True if long rows that are not converted bypass the processor's caches; for destinations larger than the caches.
  bool streamed = false;
};

/// Copies `shape` elements of `item_size` bytes from `source`, with `source_strides` in bytes (negative and 0 are
/// allowed), to `destination`. Source and destination must not overlap, nor may elements of the destination. The loops
/// are ordered to suit source and destination; a converter gets rows as long as that allows.
void StridedCopy(const std::byte* source, const Strides& source_strides, const Shape& shape, std::size_t item_size,
                 const Destination& destination);

/// Fills all elements of `shape` in `destination` with `value`. An element of the destination has
/// `destination_item_size` bytes (the size of `value` if there is no converter). A replicable converter is called once;
/// any other is called for rows with the source stride 0.
void StridedFill(ByteSpan value, const Shape& shape, std::size_t destination_item_size, const Destination& destination);

}  // namespace zarr
