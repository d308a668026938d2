// SPDX-License-Identifier: MIT
#include "zarrlib/base/system/process_id.h"

#include "zarrlib/base/system/windows/windows_names.h"

namespace zarr {

long GetProcessId() {
  return static_cast<long>(::GetCurrentProcessId());
}

}  // namespace zarr
