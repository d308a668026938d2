// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include "zarrlib/base/system/file_names.h"

namespace zarr::test {

/// Whether the file system of a folder exchanges two folders in one step.
inline bool CanExchangeFolders(const std::string& folder) {
  const std::string first = folder + "-first", second = folder + "-second";
  MakeFolder(first);
  MakeFolder(second);
  const bool can = Exchange(first, second);
  RemoveFolder(first);
  RemoveFolder(second);
  return can;
}

}  // namespace zarr::test
