// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

#include "driver/gdal/gdal_compat.h"
#include "driver/gdal/selection.h"

namespace gdal_zarr {

/// Finds the index of the coordinate that a selector of the kinds kNearest and kExact wants. `coordinates` has one
/// dimension.
///
/// - Times (CF or datetime64) are compared with a date, or with a number in the units of the coordinates.
/// - Numbers are compared unpacked. One that Float32 holds counts as the number that was meant, 0.1 for instance.
/// - Text must be equal, whatever the selector's kind.
///
/// Of coordinates that are equally near, the first one is taken. Nodata values and NaN are never found. Throws
/// zarr::Error(invalid_argument) if the value is not of the coordinates' kind, if nothing is equal to it, or if it is
/// further from the lowest or the highest coordinate than that is from its neighbour; and what reading throws.
std::uint64_t FindCoordinateIndex(const GDALMDArray& coordinates, const Selector& selector);

/// Whether coordinates of that type can be compared with a value: numbers that are not complex, and text.
bool CanBeSelected(const GDALExtendedDataType& type);

}  // namespace gdal_zarr
