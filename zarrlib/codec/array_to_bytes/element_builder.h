// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
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
  std::size_t size() const { return lengths_.size(); }

  /// Makes the chunk, and leaves this object empty.
  void MoveTo(VariableChunk* chunk) {
    chunk->arena = std::exchange(arena_, {});
    chunk->elements.clear();
    chunk->elements.reserve(lengths_.size());
    std::string_view rest = AsText(chunk->arena);
    for (const std::size_t length : std::exchange(lengths_, {})) {
      chunk->elements.push_back(rest.substr(0, length));
      rest.remove_prefix(length);
    }
  }

 private:
  Bytes arena_;
  std::vector<std::size_t> lengths_;
};

}  // namespace zarr
