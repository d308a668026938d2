// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <ctime>
#include <functional>

namespace zarr::test {

/// Returns how many times as much processor time `work` takes for eight times its size: about 8 if each part takes the
/// same, and 64 if each is compared with all others. Neither the machine's speed nor its other processes count.
inline double MeasureGrowth(std::size_t size, const std::function<void(std::size_t)>& work) {
  const auto measure = [&](std::size_t parts) {
    timespec begin{}, end{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &begin);
    work(parts);
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &end);
    return static_cast<double>(end.tv_sec - begin.tv_sec) + 1e-9 * static_cast<double>(end.tv_nsec - begin.tv_nsec);
  };
  timespec step{};
  clock_getres(CLOCK_THREAD_CPUTIME_ID, &step);
  double one = 0, eight = 0;
  while (one <= 5e-9 * static_cast<double>(step.tv_nsec)) {  // some systems count in steps of milliseconds
    one += measure(size);
    eight += measure(8 * size);
  }
  return eight / one;
}

}  // namespace zarr::test
