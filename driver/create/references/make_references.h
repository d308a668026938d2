// SPDX-License-Identifier: MIT
#pragma once

#include <memory>
#include <string>

#include "driver/gdal/gdal_compat.h"

namespace gdal_zarr {

/// Returns true if creation options request references to a source, in place of a copy.
bool AreOptionsOfReferences(CSLConstList options);

/// The arguments of GDALDriver::CreateCopy that references need. The objects are those of the caller.
struct ReferenceRequest {
  std::string name;
  GDALDataset& source;
  CSLConstList options;
  bool is_strict;
  GDALProgressFunc progress;
  void* progress_data;
};

/// Makes references to the blocks of a source, of kerchunk or in a repository of Icechunk, and opens them. Everything
/// but the blocks is as in an ordinary copy. Returns null, after an error for GDAL, if they cannot be opened. Throws
/// zarr::Error, which names the array and the block, if the source cannot be described. On failure, nothing is changed.
std::unique_ptr<GDALDataset> MakeReferences(const ReferenceRequest& request);

}  // namespace gdal_zarr
