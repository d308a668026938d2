// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cstddef>
#include <ctime>
#include <functional>

namespace zarr::test {

/// Returns how many times as much processor time `work` takes for eight times its size: about 8 if each part takes the
/// same, and 64 if each is compared with all others. Of several tries, the least counts: other programs, which take the
/// processor's caches, can only add.
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
  const auto try_once = [&] {
    double one = 0, eight = 0;
    while (one <= 5e-9 * static_cast<double>(step.tv_nsec)) {  // some systems count in steps of milliseconds
      one += measure(size);
      eight += measure(8 * size);
    }
    return eight / one;
  };
  double least = try_once();
  for (int i = 0; i < 5 && least > 16; ++i) least = std::min(least, try_once());
  return least;
}

}  // namespace zarr::test
