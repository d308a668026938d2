// SPDX-License-Identifier: MIT
#pragma once

#include "driver/dataset/native_metadata.h"
#include "zarrlib/store/store.h"

namespace gdal_zarr {

/// The metadata domain that tells how a dataset's store was read. It is made when it is asked for, and saved nowhere.
inline constexpr const char* kRequestsDomain = "ZARR_REQUESTS";

bool IsRequestsDomain(const char* domain);

/// Sets the items of the domain to what they are now. A store that needs no network has no such domain.
void UpdateRequestItems(const zarr::Store& store, NativeMetadata* metadata);

}  // namespace gdal_zarr
