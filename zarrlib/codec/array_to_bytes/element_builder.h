// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <utility>
#include <vector>

#include "zarrlib/codec/codec.h"

namespace zarr {

/// Collects consecutive variable-length elements, in memory that grows with them.
class ElementBuilder {
 public:
  void Append(std::string_view element) {
    const ByteSpan bytes = AsBytes(element);
    arena_.insert(arena_.end(), bytes.begin(), bytes.end());
    lengths_.push_back(element.size());
  }
  /// Appends an element that is stored as null.
  void AppendMissing() { lengths_.push_back(kMissing); }
  std::size_t size() const { return lengths_.size(); }

  /// Makes the chunk, and leaves this object empty.
  void MoveTo(VariableChunk* chunk) {
    chunk->arena = std::exchange(arena_, {});
    chunk->elements.clear();
    chunk->elements.reserve(lengths_.size());
    std::string_view rest = AsText(chunk->arena);
    for (const std::size_t length : std::exchange(lengths_, {})) {
      const bool is_missing = length == kMissing;
      chunk->elements.push_back(is_missing ? std::string_view(kMissingText, 0) : rest.substr(0, length));
      if (!is_missing) rest.remove_prefix(length);
    }
  }

 private:
  static constexpr std::size_t kMissing = SIZE_MAX;

  Bytes arena_;
  std::vector<std::size_t> lengths_;
};

}  // namespace zarr
