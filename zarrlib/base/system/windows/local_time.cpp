// SPDX-License-Identifier: MIT
#include "zarrlib/base/system/local_time.h"

namespace zarr {

std::tm GetLocalTime(std::time_t time) {
  std::tm parts{};
  ::localtime_s(&parts, &time);
  return parts;
}

}  // namespace zarr
