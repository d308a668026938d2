// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>
#include <system_error>

#include "autotest/cpp/support/temporary_folder.h"

namespace zarr::test {

/// Whether this process can make symbolic links: on Windows, not every user may, and not every library can.
inline bool HasLinks() {
  const TemporaryFolder folder;
  std::error_code error;
  std::filesystem::create_symlink("target", folder.path() / "link", error);
  return !error;
}

}  // namespace zarr::test
