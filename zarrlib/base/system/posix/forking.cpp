// SPDX-License-Identifier: MIT
#include "zarrlib/base/system/forking.h"

#include <pthread.h>

namespace zarr {

void CallWhenForking(void (*before)(), void (*in_parent)(), void (*in_child)()) {
  // If there is no memory for the functions, forking works as if they did not exist.
  const int failed = ::pthread_atfork(before, in_parent, in_child);
  static_cast<void>(failed);
}

}  // namespace zarr
