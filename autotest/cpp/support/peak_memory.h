// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <fstream>
#include <functional>
#include <string>

namespace zarr::test {

/// Returns how many bytes of memory `work` takes at most, beyond what the process has before; 0 if that is not known.
inline std::uint64_t MeasurePeak(const std::function<void()>& work) {
  const auto read = [](const std::string& name) {
    std::ifstream status("/proc/self/status");
    for (std::string line; std::getline(status, line);) {
      if (line.starts_with(name)) return std::stoull(line.substr(name.size() + 1)) << 10;
    }
    return 0ULL;
  };
  std::ofstream("/proc/self/clear_refs") << "5";  // the peak becomes the present size
  const std::uint64_t before = read("VmHWM");
  work();
  return read("VmHWM") - before;
}

}  // namespace zarr::test
