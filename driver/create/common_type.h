// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

#include "driver/gdal/gdal_compat.h"

namespace gdal_zarr {

std::vector<GDALDataType> ListBandTypes(GDALDataset& source);

/// Returns the smallest type that holds the values of all these, as far as GDAL has one; GDT_Unknown for an empty list.
GDALDataType FindCommonType(const std::vector<GDALDataType>& types);

/// Says which type bands of several types get in one array, such as "Float32 (Byte in band 1, Float32 in band 2)".
/// Returns "" if all have one type.
std::string DescribeCommonType(const std::vector<GDALDataType>& types);

}  // namespace gdal_zarr
