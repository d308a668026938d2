#pragma once

#include <cstddef>

#include "zarrlib/base/bytes.h"
#include "zarrlib/base/shape.h"

namespace zarr {

/// Converts a row of elements while it is copied. Implementations are called from several threads at once.
class RowConverter {
 public:
  virtual ~RowConverter() = default;
  /// Converts `count` elements from `source`, `source_stride` bytes apart, to `destination`, `destination_stride`
  /// bytes apart. Strides may be negative or zero.
  virtual void ConvertRow(const std::byte* source, std::ptrdiff_t source_stride, std::byte* destination,
                          std::ptrdiff_t destination_stride, std::size_t count) const = 0;
  /// Whether the bytes of a converted element may be copied to make another one: false where elements own memory.
  virtual bool replicable() const { return true; }
};

/// Where elements are put: `data` is that of index 0 along every axis, `strides` are in bytes and may be negative.
/// With a `converter` the elements there are of its type, else they are copied as they are. Owns nothing.
struct Destination {
  std::byte* data = nullptr;
  Strides strides;
  const RowConverter* converter = nullptr;
  /// Whether long rows that are not converted are written past the processor's caches: for more than these hold.
  bool streamed = false;
};

/// Copies `shape` elements of `item_size` bytes, from `source` with `source_strides` (bytes, any sign or 0) to
/// `destination`. Source and destination must not overlap, nor two elements of the destination. Loops over memory in
/// the order that suits both sides; a converter is given rows as long as that allows.
void StridedCopy(const std::byte* source, const Strides& source_strides, const Shape& shape, std::size_t item_size,
                 const Destination& destination);

/// Puts the one element `value` at every place of `shape` in `destination`. The size of a destination element is
/// `destination_item_size` (that of `value` unless there is a converter). A converter that is replicable is called
/// once; one that is not, for rows whose source stride is 0.
void StridedFill(ByteSpan value, const Shape& shape, std::size_t destination_item_size, const Destination& destination);

}  // namespace zarr
