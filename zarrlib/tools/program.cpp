// SPDX-License-Identifier: MIT
#include "zarrlib/tools/program.h"

#include <cstdlib>
#include <iostream>
#include <new>
#include <string>
#include <vector>

#include "zarrlib/base/limits.h"
#include "zarrlib/base/system/terminal.h"
#include "zarrlib/base/text.h"

namespace zarr::tools {
namespace {

/// Applies the limits set in the environment. Prints an error and returns false if a value is invalid.
bool ApplyLimits() {
  for (const LimitInfo& info : ListLimits()) {
    const char* text = std::getenv(std::string(info.name).c_str());
    if (!text) continue;
    const auto value = info.is_size ? ParseSize(text) : ParseNumber<std::uint64_t>(text);
    if (!value) {
      std::cerr << "zarrkit: " << info.name << ": expected " << (info.is_size ? "a size such as 100MB" : "a number")
                << ", got " << text << '\n';
      return false;
    }
    SetLimit(info.limit, *value);
  }
  return true;
}

}  // namespace

int RunProgram(int argc, char** argv, const Extensions& extensions) {
  try {
    if (!ApplyLimits()) return kUsage;
    return RunZarrkit(std::vector<std::string>(argv + 1, argv + argc), std::cout, std::cerr, GetErrorTerminalWidth(),
                      extensions);
  } catch (const std::bad_alloc&) {  // before the command has started
    std::cerr << "zarrkit: there is not enough memory\n";
    return kFailure;
  }
}

}  // namespace zarr::tools
