// SPDX-License-Identifier: MIT
#pragma once

#include <csignal>

namespace zarr::tools {

/// Thrown when work stops because the user or the system has asked for it.
struct Interrupted {
  int signal;
  const char* state = "the array is as it was";  ///< What is left.
};

/// While an object exists, SIGINT, SIGTERM and SIGHUP are noted and do not end the process, so that unfinished work can
/// be undone. There may be only one object at a time.
class InterruptWatch {
 public:
  InterruptWatch();
  ~InterruptWatch();
  InterruptWatch(const InterruptWatch&) = delete;
  InterruptWatch& operator=(const InterruptWatch&) = delete;

  /// Whether a signal has come.
  static bool noted();
  /// Throws Interrupted if a signal has come.
  static void Check();
  /// Forgets the signal that has come, when what it asks for has begun: the next one is noted anew.
  static void Forget();

 private:
  void (*before_[3])(int) = {};
};

}  // namespace zarr::tools
