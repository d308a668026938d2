#pragma once

#include "driver/gdal/gdal_compat.h"

namespace gdal_zarr {

/// GDALDriver::pfnIdentify: whether the name is that of a Zarr store. Looks at files only for folders, and for names
/// that end as a store's do.
int Identify(GDALOpenInfo* info);

/// Whether the first bytes of a file called .json or .zarr, which Identify has looked at, are of kerchunk references.
bool IdentifyReferences(const GDALOpenInfo& info);

}  // namespace gdal_zarr
