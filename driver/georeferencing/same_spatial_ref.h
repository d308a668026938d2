// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include "driver/gdal/gdal_compat.h"

/// Whether two sources of a store mean the same CRS. None of these looks at epochs, heights and the order of axes.
namespace gdal_zarr {

/// Whether two CRS give coordinates the same places, however they are written.
bool AreSameSpatialRef(const OGRSpatialReference& a, const OGRSpatialReference& b);

/// Whether `parameters`, a CRS that was made of the parameters of a CF grid mapping, may be `srs`: such parameters name
/// datums and units of their own, or none.
bool AreParametersOf(const OGRSpatialReference& parameters, const OGRSpatialReference& srs);

/// Describes a CRS for a message, by its name and its code; without these, by its PROJ string.
std::string DescribeSpatialRef(const OGRSpatialReference& srs);

}  // namespace gdal_zarr
