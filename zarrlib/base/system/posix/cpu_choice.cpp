// SPDX-License-Identifier: MIT
#include "zarrlib/base/system/cpu_choice.h"

#include <algorithm>
#include <thread>
#include <vector>

namespace zarr {

std::size_t GetAllowedCpuCount() {
#ifdef ZARR_LINUX
  // The system does not report the size of its set, but rejects one that is too small.
  for (std::size_t size = 1; size <= 256; size *= 2) {
    std::vector<cpu_set_t> set(size);
    const std::size_t bytes = size * sizeof(cpu_set_t);
    if (::sched_getaffinity(0, bytes, set.data()) == 0) {
      return static_cast<std::size_t>(std::max(1, CPU_COUNT_S(bytes, set.data())));
    }
  }
#endif
  return std::max(1u, std::thread::hardware_concurrency());
}

#ifdef ZARR_LINUX

namespace {

/// Returns false on failure, including on machines with more CPUs than the set can hold.
bool GetAllowed(cpu_set_t* set) {
  return ::sched_getaffinity(0, sizeof(*set), set) == 0;
}

bool Allow(const cpu_set_t& set) {
  return ::sched_setaffinity(0, sizeof(set), &set) == 0;
}

}  // namespace

int GetCurrentCpu() {
  return ::sched_getcpu();
}

void CpuChoice::Avoid(int cpu) {
  if (cpu < 0 || cpu >= CPU_SETSIZE || !GetAllowed(&allowed_)) return;
  others_ = allowed_;
  CPU_CLR(static_cast<std::size_t>(cpu), &others_);
  narrowed_ = CPU_COUNT(&others_) > 0 && Allow(others_);
}

void CpuChoice::Leave(int cpu) {
  AllowAll();
  if (GetCurrentCpu() != cpu) return;
  Avoid(cpu);
  AllowAll();
}

void CpuChoice::AllowAll() {
  cpu_set_t now;
  // Leaves the set alone if other code has changed it in the meantime.
  if (narrowed_ && GetAllowed(&now) && CPU_EQUAL(&now, &others_)) Allow(allowed_);
  narrowed_ = false;
}

#else

int GetCurrentCpu() {
  return -1;
}

void CpuChoice::Avoid(int) {}
void CpuChoice::Leave(int) {}

#endif

}  // namespace zarr
