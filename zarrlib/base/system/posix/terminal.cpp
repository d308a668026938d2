// SPDX-License-Identifier: MIT
#include "zarrlib/base/system/terminal.h"

#include <sys/ioctl.h>
#include <unistd.h>

#include <cstdlib>
#include <string_view>

namespace zarr {

std::size_t GetErrorTerminalWidth() {
  constexpr std::size_t kUsual = 80;
  const char* const type = std::getenv("TERM");
  if (::isatty(STDERR_FILENO) == 0 || (type != nullptr && std::string_view(type) == "dumb")) return 0;
  struct winsize size = {};
  if (::ioctl(STDERR_FILENO, TIOCGWINSZ, &size) != 0 || size.ws_col == 0) return kUsual;
  return size.ws_col;
}

}  // namespace zarr
