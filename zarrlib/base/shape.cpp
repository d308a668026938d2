// SPDX-License-Identifier: MIT
#include "zarrlib/base/shape.h"

#include <algorithm>

#include "zarrlib/base/compiler/checked_arithmetic.h"
#include "zarrlib/base/error.h"

namespace zarr {

template <typename T>
void PerAxis<T>::Resize(std::size_t rank) {
  if (rank > kMaxRank) {
    throw Error(ErrorKind::kLimitExceeded,
                FormatExpectedGot("at most " + std::to_string(kMaxRank) + " dimensions", std::to_string(rank)));
  }
  rank_ = rank;
}

template class PerAxis<std::uint64_t>;
template class PerAxis<std::ptrdiff_t>;

std::optional<std::uint64_t> AddChecked(std::uint64_t a, std::uint64_t b) {
  std::uint64_t sum;
  if (AddOverflows(a, b, &sum)) return std::nullopt;
  return sum;
}

std::optional<std::uint64_t> MultiplyChecked(std::uint64_t a, std::uint64_t b) {
  std::uint64_t product;
  if (MultiplyOverflows(a, b, &product)) return std::nullopt;
  return product;
}

std::optional<std::uint64_t> ComputeCheckedProduct(const Shape& shape) {
  if (std::find(shape.begin(), shape.end(), 0u) != shape.end()) return 0;
  std::uint64_t product = 1;
  for (const std::uint64_t length : shape) {
    const auto next = MultiplyChecked(product, length);
    if (!next) return std::nullopt;
    product = *next;
  }
  return product;
}

std::uint64_t ComputeProduct(const Shape& shape) {
  std::uint64_t product = 1;
  for (const std::uint64_t length : shape) product *= length;
  return product;
}

Strides GetContiguousStrides(const Shape& shape, std::size_t item_size) {
  Strides strides(shape.size());
  auto stride = static_cast<std::ptrdiff_t>(item_size);
  for (std::size_t axis = shape.size(); axis-- > 0;) {
    strides[axis] = stride;
    stride *= static_cast<std::ptrdiff_t>(shape[axis]);
  }
  return strides;
}

std::string ToString(const Shape& shape) {
  std::string text = "[";
  for (std::size_t axis = 0; axis < shape.size(); ++axis) {
    if (axis > 0) text += ',';
    text += std::to_string(shape[axis]);
  }
  return text + "]";
}

Box Intersect(const Box& a, const Box& b) {
  Box result{Shape(a.rank()), Shape(a.rank())};
  for (std::size_t axis = 0; axis < a.rank(); ++axis) {
    const std::uint64_t begin = std::max(a.origin[axis], b.origin[axis]);
    const std::uint64_t end = std::min(a.end(axis), b.end(axis));
    result.origin[axis] = begin;
    result.shape[axis] = end > begin ? end - begin : 0;
  }
  return result;
}

bool Contains(const Box& outer, const Box& inner) {
  for (std::size_t axis = 0; axis < outer.rank(); ++axis) {
    if (inner.origin[axis] < outer.origin[axis] || inner.end(axis) > outer.end(axis)) return false;
  }
  return true;
}

Selection Selection::FromBox(const Box& box) {
  return {box.origin, box.shape, Shape(box.rank(), 1)};
}

Shape GetSmaller(const Shape& a, const Shape& b) {
  Shape smaller = a;
  for (std::size_t i = 0; i < a.size(); ++i) smaller[i] = std::min(a[i], b[i]);
  return smaller;
}

bool AdvanceIndex(const Shape& shape, Shape* index) {
  for (std::size_t axis = shape.size(); axis-- > 0;) {
    if (++(*index)[axis] < shape[axis]) return true;
    (*index)[axis] = 0;
  }
  return false;
}

}  // namespace zarr
