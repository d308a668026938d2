// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "zarrlib/base/shape.h"

namespace zarr {

/// A set of elements of a chunk, one bit each. The number of an element is its position in the chunk's memory.
class ElementMask {
 public:
  ElementMask() = default;
  /// Makes a set of all elements, or an empty set.
  ElementMask(std::size_t size, bool all);

  bool all() const { return marked_ == size_; }
  std::size_t memory_size() const { return words_.size() * sizeof(std::uint64_t); }

  /// Adds `count` elements along each axis, starting at `first`, every `step`-th. `strides` are in elements.
  void Mark(const Shape& first, const Shape& count, const Shape& step, const Strides& strides);
  /// Adds the elements that are not in `other`, a set of the same size.
  void MarkAllBut(const ElementMask& other);

  /// Removes the elements that are not in `other`, a set of the same size.
  void Intersect(const ElementMask& other);

  /// Calls `function(begin, end)` for each run of elements in [from, to) that are in the set, in order.
  template <typename Function>
  void ForEachMarkedIn(std::size_t from, std::size_t to, const Function& function) const {
    for (std::size_t begin = FindNext(from, true); begin < to;) {
      const std::size_t end = std::min(FindNext(begin, false), to);
      function(begin, end);
      begin = FindNext(end, true);
    }
  }
  /// Calls `function(begin, end)` for each run of elements that are not in the set, in order.
  template <typename Function>
  void ForEachGap(const Function& function) const {
    ForEachRun(false, function);
  }
  /// Calls `function(begin, end)` for each run of elements that are in the set, in order.
  template <typename Function>
  void ForEachMarked(const Function& function) const {
    ForEachRun(true, function);
  }

 private:
  template <typename Function>
  void ForEachRun(bool marked, const Function& function) const {
    for (std::size_t begin = FindNext(0, marked); begin < size_;) {
      const std::size_t end = FindNext(begin, !marked);
      function(begin, end);
      begin = FindNext(end, marked);
    }
  }
  /// Returns the first element at or after `from` that is in the set (or is not, if `marked` is false); `size_` if
  /// there is none.
  std::size_t FindNext(std::size_t from, bool marked) const;
  void MarkRange(std::size_t begin, std::size_t end);

  std::size_t size_ = 0;
  std::size_t marked_ = 0;
  std::vector<std::uint64_t> words_;
};

}  // namespace zarr
