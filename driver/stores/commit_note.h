// SPDX-License-Identifier: MIT
#pragma once

#include <string>

namespace gdal_zarr {

/// What a commit to an Icechunk repository says of itself.
struct CommitNote {
  std::string message = "Written by GDAL";
  std::string author = {};  ///< "" if it is not stored.
};

}  // namespace gdal_zarr
