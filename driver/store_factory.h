#pragma once

#include <memory>
#include <string>

#include "zarrlib/store/store.h"

namespace gdal_zarr {

/// The store at a path: what is no virtual path is a folder of the system's own, which needs fewer calls without GDAL
/// in between. With `sync`, values are flushed to the disk before they take the place of old ones.
std::shared_ptr<zarr::Store> MakeStore(const std::string& path, bool sync = false);

}  // namespace gdal_zarr
