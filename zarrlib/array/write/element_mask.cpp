// SPDX-License-Identifier: MIT
#include "zarrlib/array/write/element_mask.h"

#include <algorithm>

namespace zarr {
namespace {

constexpr std::size_t kWordBits = 64;

/// Returns the bits [begin, end) of a word, 0 <= begin < end <= 64.
std::uint64_t MakeBits(std::size_t begin, std::size_t end) {
  return (~std::uint64_t{0} << begin) & (~std::uint64_t{0} >> (kWordBits - end));
}

}  // namespace

ElementMask::ElementMask(std::size_t size, bool all) : size_(size), words_((size + kWordBits - 1) / kWordBits, 0) {
  if (all && size > 0) MarkRange(0, size);
}

void ElementMask::MarkRange(std::size_t begin, std::size_t end) {
  for (std::size_t word = begin / kWordBits; word * kWordBits < end; ++word) {
    const std::size_t base = word * kWordBits;
    const std::uint64_t bits = MakeBits(std::max(begin, base) - base, std::min(end - base, kWordBits)) & ~words_[word];
    marked_ += static_cast<std::size_t>(std::popcount(bits));
    words_[word] |= bits;
  }
}

void ElementMask::Mark(const Shape& first, const Shape& count, const Shape& step, const Strides& strides) {
  const std::size_t rank = first.size();
  if (std::find(count.begin(), count.end(), 0u) != count.end()) return;
  // If every element is selected, runs go along the axis of neighbouring elements.
  std::size_t run_axis = rank;
  std::size_t begin = 0;
  for (std::size_t i = 0; i < rank; ++i) {
    begin += static_cast<std::size_t>(first[i]) * static_cast<std::size_t>(strides[i]);
    if (strides[i] == 1 && step[i] == 1 && (run_axis == rank || count[i] > count[run_axis])) run_axis = i;
  }
  Shape rows = count;
  if (run_axis < rank) rows[run_axis] = 1;
  const std::size_t length = run_axis < rank ? static_cast<std::size_t>(count[run_axis]) : 1;
  Shape index(rank, 0);
  do {
    std::size_t at = begin;
    for (std::size_t i = 0; i < rank; ++i) {
      at += static_cast<std::size_t>(index[i] * step[i]) * static_cast<std::size_t>(strides[i]);
    }
    MarkRange(at, at + length);
  } while (AdvanceIndex(rows, &index));
}

void ElementMask::MarkAllBut(const ElementMask& other) {
  other.ForEachGap([this](std::size_t begin, std::size_t end) { MarkRange(begin, end); });
}

void ElementMask::Intersect(const ElementMask& other) {
  marked_ = 0;
  for (std::size_t i = 0; i < words_.size(); ++i) {
    words_[i] &= other.words_[i];
    marked_ += static_cast<std::size_t>(std::popcount(words_[i]));
  }
}

std::size_t ElementMask::FindNext(std::size_t from, bool marked) const {
  if (from >= size_) return size_;
  const std::uint64_t flip = marked ? 0 : ~std::uint64_t{0};
  std::size_t word = from / kWordBits;
  std::uint64_t bits = (words_[word] ^ flip) & (~std::uint64_t{0} << from % kWordBits);
  while (bits == 0) {
    if (++word == words_.size()) return size_;
    bits = words_[word] ^ flip;
  }
  return std::min(size_, word * kWordBits + static_cast<std::size_t>(std::countr_zero(bits)));
}

}  // namespace zarr
