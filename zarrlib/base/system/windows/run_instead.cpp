// SPDX-License-Identifier: MIT
#include "zarrlib/base/system/run_instead.h"

#include <process.h>

#include <cstdlib>

#include "zarrlib/base/system/windows/windows_names.h"

namespace zarr {

/// The system cannot replace a process: this one waits for the other, and ends with its result.
void RunInstead(const std::filesystem::path& program, char* const* arguments) {
  const std::string name = program.string();
  const auto result = ::_spawnv(_P_WAIT, name.c_str(), arguments);
  if (result != -1) std::exit(static_cast<int>(result));
}

std::filesystem::path FindProgramFolder() {
  std::wstring name(32768, L'\0');
  name.resize(::GetModuleFileNameW(nullptr, name.data(), static_cast<DWORD>(name.size())));
  return name.empty() ? std::filesystem::path() : std::filesystem::path(name).parent_path();
}

}  // namespace zarr
