// SPDX-License-Identifier: MIT
#pragma once

#include <csignal>

namespace zarr::tools {

/// Thrown when work stops because the user or the system has requested it.
struct Interrupted {
  int signal;
  const char* state = "the array is as it was";  ///< Describes the remaining state.
};

/// While an object exists, SIGINT, SIGTERM and SIGHUP are recorded and do not end the process, so that unfinished work
/// can be undone. There may be only one object at a time.
class InterruptWatch {
 public:
  InterruptWatch();
  ~InterruptWatch();
  InterruptWatch(const InterruptWatch&) = delete;
  InterruptWatch& operator=(const InterruptWatch&) = delete;

  /// Returns true if a signal has been received.
  static bool noted();
  /// Throws Interrupted if a signal has been received.
  static void Check();
  /// Clears the recorded signal once the program reacts to it, so that the next one is recorded again.
  static void Forget();

 private:
  void (*before_[3])(int) = {};
};

}  // namespace zarr::tools
