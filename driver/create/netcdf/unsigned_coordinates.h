// SPDX-License-Identifier: MIT
#pragma once

#include <vector>

#include "driver/gdal/gdal_compat.h"

namespace gdal_zarr {

/// Makes the coordinates of bands, and the attributes with values of these, unsigned if `_Unsigned` says so: GDAL gives
/// the signed integers that are stored. Removes `_Unsigned`, which does not apply to the changed numbers.
void ShowUnsignedCoordinates(CPLStringList* items, std::vector<CPLStringList>* band_items);

}  // namespace gdal_zarr
