// SPDX-License-Identifier: MIT
#pragma once

#include <csignal>

namespace zarr {

/// Prevents SIGPIPE from ending the process when this thread writes to a connection that its peer has closed, as TLS
/// libraries may do. The signal goes to the thread that writes, so the object must be destroyed in the thread that made
/// it. Does nothing on systems other than Linux.
class WithoutBrokenPipes {
 public:
#ifdef __linux__
  WithoutBrokenPipes();
  ~WithoutBrokenPipes();
#else
  WithoutBrokenPipes() = default;
  ~WithoutBrokenPipes() {}
#endif
  WithoutBrokenPipes(const WithoutBrokenPipes&) = delete;
  WithoutBrokenPipes& operator=(const WithoutBrokenPipes&) = delete;

#ifdef __linux__
 private:
  sigset_t pipe_;
  sigset_t previous_;
  bool was_pending_;
#endif
};

}  // namespace zarr
