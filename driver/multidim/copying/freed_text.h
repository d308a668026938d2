// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <string>

#include "driver/gdal/gdal_compat.h"

namespace gdal_zarr {

/// Returns true for a text without dimensions in a netCDF file, which older versions of GDAL free before they copy it.
/// `dataset` may be null.
bool IsFreedText(GDALDataset* dataset, const GDALMDArray& source);

/// Reads such a text by GDAL's HDF5 driver instead. Returns nullopt, after a warning, if that driver cannot read it.
std::optional<std::string> ReadFreedText(GDALDataset& dataset, const GDALMDArray& source);

}  // namespace gdal_zarr
