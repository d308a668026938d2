// SPDX-License-Identifier: MIT
#pragma once

#include "driver/gdal/gdal_compat.h"

namespace gdal_zarr {

/// GDALDriver::pfnCreate: creates one array, or one for each band, in a new store, or in an existing one with
/// APPEND_SUBDATASET=YES. The dimensions are Band, Y and X.
GDALDataset* Create(const char* name, int width, int height, int bands, GDALDataType type, MetadataList options);

/// GDALDriver::pfnCreateCopy: like Create, then copies everything that GDAL copies.
GDALDataset* CreateCopy(const char* name, GDALDataset* source, int strict, MetadataList options,
                        GDALProgressFunc progress, void* progress_data);

/// GDALDriver::pfnCreateMultiDimensional: creates a new store whose root is a group.
GDALDataset* CreateMultiDimensional(const char* name, CSLConstList root_options, CSLConstList options);

/// GDALDriver::pfnDelete, pfnRename and pfnCopyFiles: these functions work on a whole store: its folder, or its archive
/// if that does not contain anything else.
CPLErr Delete(const char* name);
CPLErr Rename(const char* to, const char* from);
CPLErr CopyFiles(const char* to, const char* from);

}  // namespace gdal_zarr
