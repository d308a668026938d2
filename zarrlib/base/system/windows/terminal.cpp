// SPDX-License-Identifier: MIT
#include "zarrlib/base/system/terminal.h"

#include "zarrlib/base/system/windows/windows_names.h"

namespace zarr {

std::size_t GetErrorTerminalWidth() {
  CONSOLE_SCREEN_BUFFER_INFO information{};
  if (!::GetConsoleScreenBufferInfo(::GetStdHandle(STD_ERROR_HANDLE), &information)) return 0;
  return static_cast<std::size_t>(information.srWindow.Right - information.srWindow.Left + 1);
}

}  // namespace zarr
