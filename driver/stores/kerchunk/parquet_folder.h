// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <string>

#include "zarrlib/store/store_folders.h"

/// The files of a folder of references in Parquet (ParquetReferences), for its removal. None of this calls GDAL if the
/// store does not.
namespace gdal_zarr {

/// Returns a function that selects the files of the references in a folder: its `.zmetadata`, and files such as
/// `refs.0.parq` in the folders of the arrays that this names. Throws Error(corrupt) if it is not the document of such
/// references, and Error(io).
zarr::Chooser MakeParquetChooser(const zarr::Store& folder);

/// Returns the path of the first entry that the function does not select; nullopt if there is none. Throws Error(io).
std::optional<std::string> FindForeign(const zarr::Store& folder, const zarr::Chooser& choose,
                                       const std::string& prefix = "");

}  // namespace gdal_zarr
