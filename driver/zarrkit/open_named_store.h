// SPDX-License-Identifier: MIT
#pragma once

#include <memory>
#include <string>

#include "zarrlib/store/store.h"

namespace gdal_zarr {

/// Opens the store that a user names: a path (including GDAL's virtual file systems), a ZIP archive, kerchunk
/// references or an Icechunk repository; a dataset's name that begins with "ZARR:"; or a URL, such as
/// s3://bucket/a.zarr. GDAL's configuration options apply. Throws zarr::Error.
std::shared_ptr<zarr::Store> OpenNamedStore(const std::string& name);

}  // namespace gdal_zarr
