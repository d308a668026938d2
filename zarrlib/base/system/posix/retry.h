// SPDX-License-Identifier: MIT
#pragma once

#include <cerrno>

namespace zarr {

/// Repeats a system call while signals interrupt it.
template <typename Function>
auto Retry(const Function& function) {
  auto result = function();
  while (result < 0 && errno == EINTR) result = function();
  return result;
}

}  // namespace zarr
