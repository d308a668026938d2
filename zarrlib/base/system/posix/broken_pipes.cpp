// SPDX-License-Identifier: MIT
#include "zarrlib/base/system/broken_pipes.h"

#include <ctime>

#ifdef ZARR_LINUX

namespace zarr {

WithoutBrokenPipes::WithoutBrokenPipes() {
  sigset_t pending;
  sigpending(&pending);
  was_pending_ = sigismember(&pending, SIGPIPE) == 1;
  sigemptyset(&pipe_);
  sigaddset(&pipe_, SIGPIPE);
  pthread_sigmask(SIG_BLOCK, &pipe_, &previous_);
}

WithoutBrokenPipes::~WithoutBrokenPipes() {
  constexpr timespec kNow{0, 0};
  if (!was_pending_) sigtimedwait(&pipe_, nullptr, &kNow);
  pthread_sigmask(SIG_SETMASK, &previous_, nullptr);
}

}  // namespace zarr
#endif
