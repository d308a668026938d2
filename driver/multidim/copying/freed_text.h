// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <string>

#include "driver/dataset/parts/group_copy.h"
#include "driver/gdal/gdal_compat.h"

namespace gdal_zarr {

/// Returns true for a text without dimensions in a netCDF file, which older versions of GDAL free before they copy it.
/// `dataset` may be null.
bool IsFreedText(GDALDataset* dataset, const GDALMDArray& source);

/// Reads such a text by GDAL's HDF5 driver instead, in a copy of its group or alone. Returns nullopt, after a warning,
/// if that driver cannot read it.
std::optional<std::string> ReadFreedText(GroupCopy& copy, GDALDataset& dataset, const GDALMDArray& source);

}  // namespace gdal_zarr
