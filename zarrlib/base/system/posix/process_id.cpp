// SPDX-License-Identifier: MIT
#include "zarrlib/base/system/process_id.h"

#include <unistd.h>

namespace zarr {

long GetProcessId() {
  return static_cast<long>(::getpid());
}

}  // namespace zarr
