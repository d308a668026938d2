// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>

namespace zarr {

/// Orders lists of numbers as operator< does, which compares too few bytes of vectors on big-endian machines in the
/// library of GCC before 12.4 (its bug 113960).
struct ListOrder {
  template <typename List>
  bool operator()(const List& a, const List& b) const {
    return std::lexicographical_compare(a.begin(), a.end(), b.begin(), b.end());
  }
};

}  // namespace zarr
