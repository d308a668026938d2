// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <functional>
#include <new>
#include <optional>

namespace zarr::test {

/// Returns how many allocations by `new` the work takes in this thread.
std::size_t CountAllocations(const std::function<void()>& work);

/// Limits the allocations by `new` of this thread: so many still succeed. Nothing means all.
void LimitAllocations(std::optional<int> count);

/// Calls `function` while only so many allocations succeed. Returns whether they were enough; else it has thrown
/// std::bad_alloc.
template <typename Function>
bool SucceedsWithin(int allocations, const Function& function) {
  LimitAllocations(allocations);
  try {
    function();
    LimitAllocations(std::nullopt);
    return true;
  } catch (const std::bad_alloc&) {
    LimitAllocations(std::nullopt);
    return false;
  }
}

}  // namespace zarr::test
