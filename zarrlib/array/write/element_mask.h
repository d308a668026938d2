#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "zarrlib/base/shape.h"

namespace zarr {

/// A set of the elements of a chunk, numbered by their place in its memory: one bit each.
class ElementMask {
 public:
  ElementMask() = default;
  /// All elements, or none.
  ElementMask(std::size_t size, bool all);

  bool all() const { return marked_ == size_; }
  std::size_t memory_size() const { return words_.size() * sizeof(std::uint64_t); }

  /// Adds `count` elements from `first` on, every `step`-th. `strides` are the numbers between neighbours.
  void Mark(const Shape& first, const Shape& count, const Shape& step, const Strides& strides);
  /// Adds the elements that the other one, of the same size, does not have.
  void MarkAllBut(const ElementMask& other);

  /// Calls `function(begin, end)` for each run of elements that are not in the set, in order.
  template <typename Function>
  void ForEachGap(const Function& function) const {
    ForEachRun(false, function);
  }
  /// The same for those that are.
  template <typename Function>
  void ForEachMarked(const Function& function) const {
    ForEachRun(true, function);
  }

 private:
  template <typename Function>
  void ForEachRun(bool marked, const Function& function) const {
    for (std::size_t begin = Next(0, marked); begin < size_;) {
      const std::size_t end = Next(begin, !marked);
      function(begin, end);
      begin = Next(end, marked);
    }
  }
  /// The first element from `from` on that is in the set, or is not; `size_` if there is none.
  std::size_t Next(std::size_t from, bool marked) const;
  void MarkRange(std::size_t begin, std::size_t end);

  std::size_t size_ = 0;
  std::size_t marked_ = 0;
  std::vector<std::uint64_t> words_;
};

}  // namespace zarr
