// SPDX-License-Identifier: MIT
#pragma once

#include <csignal>

#include "zarrlib/base/system/which_system.h"

namespace zarr {

/// Prevents SIGPIPE from ending the process when this thread writes to a connection that its peer has closed, as TLS
/// libraries may do. The signal goes to the thread that writes, so the object must be destroyed in the thread that made
/// it. Does nothing on systems other than Linux.
class WithoutBrokenPipes {
 public:
#ifdef ZARR_LINUX
  WithoutBrokenPipes();
  ~WithoutBrokenPipes();
#else
  WithoutBrokenPipes() = default;
  ~WithoutBrokenPipes() {}
#endif
  WithoutBrokenPipes(const WithoutBrokenPipes&) = delete;
  WithoutBrokenPipes& operator=(const WithoutBrokenPipes&) = delete;

#ifdef ZARR_LINUX
 private:
  sigset_t pipe_;
  sigset_t previous_;
  bool was_pending_;
#endif
};

}  // namespace zarr
