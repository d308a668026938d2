// SPDX-License-Identifier: MIT
#include <cstdlib>
#include <iostream>
#include <new>
#include <string>
#include <vector>

#include "zarrlib/base/limits.h"
#include "zarrlib/base/system/terminal.h"
#include "zarrlib/base/text.h"
#include "zarrlib/tools/zarrkit.h"

namespace {

/// Sets the limits that the environment has. Returns false if a value is none, and says so.
bool ApplyLimits() {
  for (const zarr::LimitInfo& info : zarr::ListLimits()) {
    const char* text = std::getenv(std::string(info.name).c_str());
    if (!text) continue;
    const auto value = info.is_size ? zarr::ParseSize(text) : zarr::ParseNumber<std::uint64_t>(text);
    if (!value) {
      std::cerr << "zarrkit: " << info.name << ": expected " << (info.is_size ? "a size such as 100MB" : "a number")
                << ", got " << text << '\n';
      return false;
    }
    zarr::SetLimit(info.limit, *value);
  }
  return true;
}

}  // namespace

int main(int argc, char** argv) {
  constexpr int kFailure = 1, kWrongUse = 2;
  try {
    if (!ApplyLimits()) return kWrongUse;
    return zarr::tools::RunZarrkit(std::vector<std::string>(argv + 1, argv + argc), std::cout, std::cerr,
                                   zarr::GetErrorTerminalWidth());
  } catch (const std::bad_alloc&) {  // before the program has begun
    std::cerr << "zarrkit: there is not enough memory\n";
    return kFailure;
  }
}
