// SPDX-License-Identifier: MIT
#pragma once

#include <csignal>

namespace zarr {

/// While an object exists, a connection that its peer has closed does not end the process by SIGPIPE when this thread
/// writes to it. TLS libraries may do so. The signal goes to the thread that writes, so the object must be destroyed in
/// the thread that made it. Does nothing on systems but Linux.
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
