// SPDX-License-Identifier: MIT
#pragma once

#include "driver/gdal/gdal_compat.h"
#include "zarrlib/store/store.h"

namespace gdal_zarr {

/// GDALDriver::pfnIdentify: whether a name is that of a Zarr store. Reads files only in folders, and those whose names
/// end as a store's can. On a network, GDAL_IDENTIFY_UNKNOWN for a folder, and for a name that ends so.
int Identify(GDALOpenInfo* info);
/// Whether a plain path is missing where GDAL would say that there is no such file. Opening says more if the path would
/// lie in a store. When GDAL only asks whether there is something, as it does before it makes a file, this is not so.
bool MayNameMissingNode(const GDALOpenInfo& info);

/// Whether a name is that of some folder on a network, of which only its documents tell that it is a store.
bool NeedsRootDocument(const GDALOpenInfo& info);
/// Whether a folder has a document that makes it a store. Throws the store's errors.
bool HasRootDocument(const zarr::Store& store);

/// Whether the first bytes of a file called .json or .zarr, which Identify has read, are those of kerchunk references.
bool IdentifyReferences(const GDALOpenInfo& info);

}  // namespace gdal_zarr
