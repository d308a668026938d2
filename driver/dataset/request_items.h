// SPDX-License-Identifier: MIT
#pragma once

#include "driver/dataset/native_metadata.h"
#include "zarrlib/store/store.h"

namespace gdal_zarr {

/// The metadata domain that reports how a dataset's store was read. It is created on request and never saved.
inline constexpr const char* kRequestsDomain = "ZARR_REQUESTS";

bool IsRequestsDomain(const char* domain);

/// Updates the items of the domain. A local store does not have this domain.
void UpdateRequestItems(const zarr::Store& store, NativeMetadata* metadata);

}  // namespace gdal_zarr
