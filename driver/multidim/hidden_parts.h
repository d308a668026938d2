// SPDX-License-Identifier: MIT
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "driver/gdal/gdal_compat.h"

namespace gdal_zarr {

/// What a source of a copy shows only with the option SHOW_ALL=YES, so that GDAL does not copy it: GDAL's netCDF driver
/// hides variables without dimensions, such as grid mappings, and the attributes that name them. This driver hides
/// neither, and is not asked.

/// Returns the arrays without dimensions that a group hides.
std::vector<std::shared_ptr<GDALMDArray>> ListHiddenArrays(const GDALGroup& source);

/// Returns the attributes that an array hides, and that GDAL has no other words for, or rounds: `grid_mapping` and
/// `missing_value`.
std::vector<std::shared_ptr<GDALAttribute>> ListHiddenAttributes(const GDALMDArray& source);

/// Copies an attribute with its type. Reports errors to GDAL, and returns false then.
bool CopyAttribute(GDALMDArray& target, const GDALAttribute& source);

}  // namespace gdal_zarr
