// SPDX-License-Identifier: MIT
#include "zarrlib/base/random_number.h"

#include <random>

namespace zarr {

/// Asks the system each time: after a fork, both processes would get the same numbers from a generator. Each thread
/// keeps its device, because setting one up costs more than reading from it.
std::uint64_t MakeRandomNumber() {
  thread_local std::random_device device;
  static_assert(std::random_device::min() == 0 && std::random_device::max() >= UINT32_MAX);
  return std::uint64_t{device()} << 32 | device();
}

}  // namespace zarr
