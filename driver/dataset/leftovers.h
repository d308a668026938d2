#pragma once

#include <string>

#include "zarrlib/store/store.h"

namespace gdal_zarr {

/// Reports as one warning what a removal has left in a store, because no metadata name it.
void WarnOfLeftovers(const std::string& store, const zarr::Store::Leftovers& leftovers);

}  // namespace gdal_zarr
