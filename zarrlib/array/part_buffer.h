#pragma once

#include <cstddef>
#include <optional>
#include <string_view>
#include <vector>

#include "zarrlib/array/element_mask.h"
#include "zarrlib/array/part_codec.h"

namespace zarr {

/// The elements of a part of a chunk that were written, and which ones those are. What is beyond the array's end counts
/// as written, with the fill value.
class PartBuffer {
 public:
  /// Nothing is written yet. `live` is the shape of what the array has of the part.
  PartBuffer(const PartCodec& codec, const Shape& live);
  /// All is written: what `encoded` holds, or the fill value.
  PartBuffer(const PartCodec& codec, std::optional<ByteSpan> encoded);

  /// Copies elements, and the text of those of variable length.
  void Put(const PartSource& source);
  bool complete() const { return mask_.all(); }
  /// Takes what was not written from what is stored, or from the fill value.
  void Complete(std::optional<ByteSpan> stored);
  const std::byte* elements() const;
  /// In bytes, the text of elements included.
  std::size_t memory_size() const;

 private:
  std::byte* data();
  /// Takes the elements that `which` names from `elements`.
  void TakeTexts(const std::vector<std::string_view>& elements, const ElementMask& which);

  const PartCodec& codec_;
  ElementMask mask_;
  Bytes bytes_;                          // of types of fixed size
  std::vector<std::string_view> views_;  // of the others, into `texts_` or the codec's fill value
  std::vector<Bytes> texts_;             // only added to: what is overwritten stays until the part is stored
  std::size_t text_size_ = 0;
};

}  // namespace zarr
