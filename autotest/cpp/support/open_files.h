// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include "autotest/cpp/support/temporary_folder.h"
#include "zarrlib/base/system/file_names.h"

namespace zarr::test {

/// Whether open files can be removed and replaced in one step. Windows has that since version 10 1709; wine has not.
inline bool FreesNamesOfOpenFiles() {
  const TemporaryFolder folder;
  const std::string path = (folder.path() / "file").string();
  const File file = MakeFile(path);
  RemoveFile(path);
  return folder.CountFiles() == 0;
}

/// Why a test is skipped otherwise.
inline constexpr const char* kNamesOfOpenFiles = "wine removes and replaces no open file in one step";

}  // namespace zarr::test
