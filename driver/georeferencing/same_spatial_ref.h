// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include "driver/gdal/gdal_compat.h"

/// Compares CRSs from different sources of a store. These functions ignore epochs, heights and the order of axes.
namespace gdal_zarr {

/// Returns true if two CRSs map coordinates to the same positions, however they are written.
bool AreSameSpatialRef(const OGRSpatialReference& a, const OGRSpatialReference& b);

/// Returns true if `parameters`, a CRS made from the parameters of a CF grid mapping, may be the same as `srs`: such
/// parameters use their own names of datums and units, or none.
bool AreParametersOf(const OGRSpatialReference& parameters, const OGRSpatialReference& srs);

/// Describes a CRS for a message, by its name and its code; without these, by its PROJ string.
std::string DescribeSpatialRef(const OGRSpatialReference& srs);

}  // namespace gdal_zarr
