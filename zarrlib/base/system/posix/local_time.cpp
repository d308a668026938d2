// SPDX-License-Identifier: MIT
#include "zarrlib/base/system/local_time.h"

namespace zarr {

std::tm GetLocalTime(std::time_t time) {
  std::tm parts{};
  ::localtime_r(&time, &parts);
  return parts;
}

}  // namespace zarr
