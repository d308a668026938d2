// SPDX-License-Identifier: MIT
#pragma once

#include <functional>
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
  GDALProgressFunc progress;
  void* progress_data;
};

/// Makes an ordinary copy of a dataset under another name.
using MakeCopyFunction =
    std::function<std::unique_ptr<GDALDataset>(const std::string& name, GDALDataset& source, MetadataList options)>;

/// Makes kerchunk references to the blocks of a source, and opens them. Everything but the blocks is as in an ordinary
/// copy, which `make_copy` makes in memory, without values. Returns null if that fails, after errors for GDAL. Throws
/// zarr::Error, which names the array and the block, if the source cannot be described. On failure, nothing is changed.
std::unique_ptr<GDALDataset> MakeReferences(const ReferenceRequest& request, const MakeCopyFunction& make_copy);

}  // namespace gdal_zarr
