// SPDX-License-Identifier: MIT
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "driver/gdal/gdal_compat.h"

namespace gdal_zarr {

/// Parts of a copy's source that are shown only with the option SHOW_ALL=YES, so that GDAL does not copy them. GDAL's
/// netCDF driver hides variables without dimensions, such as grid mappings, and the attributes that name them. This
/// driver does not hide these, so its groups are skipped. Both hide a `missing_value` that is the nodata value.

/// Returns the arrays without dimensions that a group hides.
std::vector<std::shared_ptr<GDALMDArray>> ListHiddenArrays(const GDALGroup& source);

/// Returns the attributes that an array hides, and that GDAL cannot express otherwise, or rounds: `grid_mapping` and
/// `missing_value`.
std::vector<std::shared_ptr<GDALAttribute>> ListHiddenAttributes(const GDALMDArray& source);

/// Returns all attributes of a source, also those that it hides.
std::vector<std::shared_ptr<GDALAttribute>> ListAllAttributes(const GDALMDArray& source);

/// Copies an attribute with its type. On failure, reports errors to GDAL and returns false.
bool CopyAttribute(GDALMDArray& target, const GDALAttribute& source);

/// Returns true if a driver of GDAL's with this name has opened the dataset, which may be null.
bool IsOfDriver(GDALDataset* dataset, const char* name);

/// Returns true if GDAL's HDF5 driver, or another one that reads by its code, has opened the dataset, which may be
/// null.
bool IsOfHdf5(GDALDataset* dataset);

/// Warns of attributes whose values GDAL does not read rightly, and returns their names, so that they are removed from
/// the copy: those of several dimensions in HDF5 files, of which some values come twice, and others never (GDAL 3.6 to
/// 3.13). `dataset` may be null.
std::vector<std::string> ListMisreadAttributes(GDALDataset* dataset,
                                               const std::vector<std::shared_ptr<GDALAttribute>>& attributes);

/// Returns the names of attributes without a value, for which GDAL has written any number into the copy. `dataset` may
/// be null.
std::vector<std::string> ListEmptyAttributes(GDALDataset* dataset,
                                             const std::vector<std::shared_ptr<GDALAttribute>>& attributes);

/// Returns true, after a warning, for an array of an HDF5 file that has no value, not even one of no elements: GDAL
/// shows an array without dimensions, and cannot read it. `dataset` may be null.
bool WarnOfNullDataset(GDALDataset* dataset, const GDALMDArray& source);

}  // namespace gdal_zarr
