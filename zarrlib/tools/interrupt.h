#pragma once

#include <csignal>

namespace zarr::tools {

/// Thrown where work stops because the user, or the system, has asked for it.
struct Interrupted {
  int signal;
};

/// While one is there, SIGINT, SIGTERM and SIGHUP are noted instead of ending the process, so that what is half done
/// can be taken back. At most one at a time.
class InterruptWatch {
 public:
  InterruptWatch();
  ~InterruptWatch();
  InterruptWatch(const InterruptWatch&) = delete;
  InterruptWatch& operator=(const InterruptWatch&) = delete;

  /// Whether a signal has come.
  static bool noted();
  /// Throws Interrupted if one has.
  static void Check();

 private:
  struct sigaction before_[3];
};

}  // namespace zarr::tools
