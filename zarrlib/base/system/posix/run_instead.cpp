// SPDX-License-Identifier: MIT
#include "zarrlib/base/system/run_instead.h"

#include <unistd.h>

#include <system_error>

namespace zarr {

void RunInstead(const std::filesystem::path& program, char* const* arguments) {
  ::execv(program.c_str(), arguments);
}

std::filesystem::path FindProgramFolder() {
  std::error_code error;
  const auto program = std::filesystem::read_symlink("/proc/self/exe", error);
  return error ? std::filesystem::path() : program.parent_path();
}

}  // namespace zarr
