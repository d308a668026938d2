// SPDX-License-Identifier: MIT
#include "zarrlib/store/temporary_names.h"

#include <random>

#include "zarrlib/base/compiler/thread_value.h"

namespace zarr {

// Asks the system each time: after a fork, both processes would get the same numbers from a generator. Each thread
// keeps its device, because setting one up costs more than reading from it.
std::uint64_t MakeRandomNumber() {
  auto& device = ThreadValue<std::random_device>::Get();
  static_assert(std::random_device::min() == 0 && std::random_device::max() >= UINT32_MAX);
  return std::uint64_t{device()} << 32 | device();
}

bool IsMadeName(std::string_view name, std::string_view prefix) {
  return name.size() == prefix.size() + kDigitsOfMadeName && name.starts_with(prefix) &&
         name.find_first_not_of("0123456789abcdef", prefix.size()) == name.npos;
}

bool IsOwnTemporaryName(std::string_view name) {
  return IsMadeName(name, kTemporaryPrefix) || IsMadeName(name, kArchivePrefix);
}

bool IsOwnRemovalName(std::string_view name) {
  return IsMadeName(name, kRemovalPrefix);
}

}  // namespace zarr
