// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <optional>
#include <span>
#include <string>

namespace zarr {

/// The rank limit of NumPy, and thus of every writer in use.
inline constexpr std::size_t kMaxRank = 64;

/// One value per dimension, the slowest varying dimension first. Holds at most kMaxRank values, without allocating.
template <typename T>
class PerAxis {
 public:
  using value_type = T;

  PerAxis() = default;
  explicit PerAxis(std::size_t rank, T value = T{}) {
    Resize(rank);
    std::fill(begin(), end(), value);
  }
  PerAxis(std::initializer_list<T> values) : PerAxis(std::span<const T>(values.begin(), values.size())) {}
  explicit PerAxis(std::span<const T> values) {
    Resize(values.size());
    std::copy(values.begin(), values.end(), begin());
  }
  PerAxis(const PerAxis& other) : rank_(other.rank_) { std::copy(other.begin(), other.end(), begin()); }
  PerAxis& operator=(const PerAxis& other) {
    rank_ = other.rank_;
    std::copy(other.begin(), other.end(), begin());
    return *this;
  }

  std::size_t size() const { return rank_; }
  bool empty() const { return rank_ == 0; }
  T& operator[](std::size_t axis) { return values_[axis]; }
  const T& operator[](std::size_t axis) const { return values_[axis]; }
  T* begin() { return values_.data(); }
  T* end() { return values_.data() + rank_; }
  const T* begin() const { return values_.data(); }
  const T* end() const { return values_.data() + rank_; }
  const T* data() const { return values_.data(); }
  /// Throws Error(limit_exceeded) above kMaxRank. New values are indeterminate.
  void Resize(std::size_t rank);
  void push_back(T value) {
    Resize(rank_ + 1);
    values_[rank_ - 1] = value;
  }

  friend bool operator==(const PerAxis& a, const PerAxis& b) {
    return std::equal(a.begin(), a.end(), b.begin(), b.end());
  }

 private:
  std::size_t rank_ = 0;
  std::array<T, kMaxRank> values_;  // only the first rank_ values are read
};

/// Lengths or indices, in elements.
using Shape = PerAxis<std::uint64_t>;
/// Distances in memory between adjacent elements along each axis, in bytes; may be negative.
using Strides = PerAxis<std::ptrdiff_t>;

extern template class PerAxis<std::uint64_t>;
extern template class PerAxis<std::ptrdiff_t>;

std::optional<std::uint64_t> AddChecked(std::uint64_t a, std::uint64_t b);
std::optional<std::uint64_t> MultiplyChecked(std::uint64_t a, std::uint64_t b);
/// Returns the product of all lengths (1 for rank 0), or nullopt if it exceeds 64 bits.
std::optional<std::uint64_t> ComputeCheckedProduct(const Shape& shape);
/// Returns the product of all lengths, which must fit into 64 bits.
std::uint64_t ComputeProduct(const Shape& shape);

/// Returns the strides of a packed array in C order, for elements of `item_size` bytes.
Strides GetContiguousStrides(const Shape& shape, std::size_t item_size);

/// Returns a string such as "[2,3,4]".
std::string ToString(const Shape& shape);

/// A hyperrectangle of array elements: `shape` elements starting at `origin`.
struct Box {
  Shape origin;
  Shape shape;

  std::size_t rank() const { return origin.size(); }
  std::uint64_t end(std::size_t axis) const { return origin[axis] + shape[axis]; }
  bool empty() const { return std::find(shape.begin(), shape.end(), 0u) != shape.end(); }
  friend bool operator==(const Box&, const Box&) = default;
};

/// Returns the elements that are in both boxes; if there are none, a box with a zero length.
Box Intersect(const Box& a, const Box& b);
/// Returns true if every element of `inner` is in `outer`.
bool Contains(const Box& outer, const Box& inner);

/// Every `step`-th element (at least 1) from `start` on, `count` of them along each axis.
struct Selection {
  Shape start;
  Shape count;
  Shape step;

  std::size_t rank() const { return start.size(); }
  static Selection FromBox(const Box& box);
};

/// Returns the smaller length along each axis.
Shape GetSmaller(const Shape& a, const Shape& b);

/// Moves `index` to the next index of `shape` in C order. Returns false after the last one.
bool AdvanceIndex(const Shape& shape, Shape* index);

}  // namespace zarr
