// SPDX-License-Identifier: MIT
#include "zarrlib/base/system/cpu_choice.h"

#include <algorithm>
#include <bit>
#include <cstdint>
#include <thread>

#include "zarrlib/base/system/windows/windows_names.h"

namespace zarr {

std::size_t GetAllowedCpuCount() {
  DWORD_PTR allowed = 0, all = 0;
  if (::GetProcessAffinityMask(::GetCurrentProcess(), &allowed, &all) && allowed != 0) {
    return static_cast<std::size_t>(std::popcount(static_cast<std::uint64_t>(allowed)));
  }
  return std::max(1u, std::thread::hardware_concurrency());
}

int GetCurrentCpu() {
  return -1;
}

void CpuChoice::Avoid(int) {}
void CpuChoice::Leave(int) {}

}  // namespace zarr
