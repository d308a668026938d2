// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>

namespace zarr {

/// Orders lists of numbers as operator< does, which in GCC 12's library compares too few bytes of vectors on big-endian
/// machines: as many as there are elements.
struct ListOrder {
  template <typename List>
  bool operator()(const List& a, const List& b) const {
    return std::lexicographical_compare(a.begin(), a.end(), b.begin(), b.end());
  }
};

}  // namespace zarr
